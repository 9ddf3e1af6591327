import type { z } from "zod";
import { RelevanceShape, ShortlistShape } from "../../../llm/answers.ts";
import type { PromptRunner } from "../../../llm/prompt-runner.ts";
import type { IssueSnapshot } from "../../../model/issue-snapshot.ts";

export interface SummarisedFile {
  readonly path: string;
  readonly summary: string;
  readonly reasons: readonly string[];
}

/** A file as the Custodian is shown it when it judges many at once. */
export interface ViewedFile {
  readonly path: string;
  readonly reasons: string;
  /** `change`: an earlier version's summary with the difference since */
  readonly kind: "summary" | "change" | "outline";
  readonly view: string;
  /** its lines that have most to do with the issue, numbered; "" for none */
  readonly matches: string;
}

export type Shortlist = z.infer<typeof ShortlistShape>;
export type Judgement = z.infer<typeof RelevanceShape>["files"][number];

/** The Repository Custodian (3.1): summarises files and their changes, and judges which of them matter. */
export interface Custodian {
  /**
   * P1 to P3 together, and beyond the paper: what each file is to the issue, the missing summaries, and files that the
   * search has missed, named from `map` ("" for none). Every file is answered for.
   */
  shortlist(issue: IssueSnapshot, files: readonly ViewedFile[], map: string): Promise<Shortlist>;
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
    shortlist(issue, files, map) {
      return prompts.ask("c02-locate-files", { issue, files, map }, ShortlistShape, (answer) =>
        unjudged(files, answer.files),
      );
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
        ({ files: judged }) => unjudged(files, judged),
      );
      return files.map((file) => answer.files.find((one) => one.path === file.path) as Judgement);
    },
  };
}

function unjudged(files: readonly { path: string }[], judged: readonly { path: string }[]): string | undefined {
  const missing = files.filter((file) => !judged.some((one) => one.path === file.path));
  if (missing.length === 0) return undefined;
  return `These files were not judged: ${missing.map((file) => file.path).join(", ")}. Judge every file, by its path as given.`;
}
