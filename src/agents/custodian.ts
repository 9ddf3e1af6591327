import type { z } from "zod";
import type { IssueSnapshot } from "../domain/issue/issue-snapshot.ts";
import type { PromptRunner } from "../prompts/prompt-runner.ts";
import { MapReadingShape, RelevanceShape } from "./answers.ts";

export interface SummarisedFile {
  readonly path: string;
  readonly summary: string;
  readonly reasons: readonly string[];
}

export type MapReading = z.infer<typeof MapReadingShape>;
export type Judgement = z.infer<typeof RelevanceShape>["files"][number];

/** The Repository Custodian (3.1): summarises files and their changes, and judges which of them matter. */
export interface Custodian {
  /** Beyond the paper: files and search terms that a text search misses, read off a map of the repository */
  readMap(issue: IssueSnapshot, map: string, found: readonly string[]): Promise<MapReading>;
  /** P1: a commit message for the change from the remembered version to this one */
  summariseChange(path: string, summary: string, diff: string): Promise<string>;
  /** P2: a summary shorter than the file */
  summariseFile(path: string, content: string): Promise<string>;
  /** P3: whether each file is relevant to the issue; every file is answered for, and no other */
  judgeRelevance(issue: IssueSnapshot, files: readonly SummarisedFile[]): Promise<readonly Judgement[]>;
}

const isEmpty = (text: string) =>
  text.trim() === "" ? "The answer is empty. Answer with the text that was asked for." : undefined;

export function createCustodian(prompts: PromptRunner): Custodian {
  return {
    readMap(issue, map, found) {
      return prompts.ask("c01-read-map", { issue, map, found }, MapReadingShape);
    },
    async summariseChange(path, summary, diff) {
      return (await prompts.write("p01-summarise-change", { path, summary, diff }, isEmpty)).trim();
    },
    async summariseFile(path, content) {
      return (await prompts.write("p02-summarise-file", { path, content }, isEmpty)).trim();
    },
    async judgeRelevance(issue, files) {
      const shown = files.map((file) => ({ ...file, reasons: file.reasons.join("; ") }));
      const answer = await prompts.ask(
        "p03-judge-relevance",
        { issue, files: shown },
        RelevanceShape,
        ({ files: judged }) => {
          const missing = files.filter((file) => !judged.some((one) => one.path === file.path));
          if (missing.length === 0) return undefined;
          return `These files were not judged: ${missing.map((file) => file.path).join(", ")}. Judge every file, by its path as given.`;
        },
      );
      return files.map((file) => answer.files.find((one) => one.path === file.path) as Judgement);
    },
  };
}
