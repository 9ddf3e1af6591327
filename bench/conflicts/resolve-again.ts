import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { createSourceParser } from "../../src/adapters/tree-sitter/source-parser.ts";
import { unifiedDiff } from "../../src/edits/diff.ts";
import { loadPrompts } from "../../src/llm/prompt-library.ts";
import { createPromptRunner } from "../../src/llm/prompt-runner.ts";
import type { LanguageModel } from "../../src/ports/language-model.ts";
import { resolveConflicts } from "../../src/workflow/change/resolve-conflicts.ts";
import { git } from "../recall/git.ts";
import type { Backport } from "./list-backports.ts";
import { differing, filesWith, type OwnMerge, sideAt } from "./merge-again.ts";

/** How the agents' resolution compares with people's. */
export type Resolution =
  /** the prompt waits for its answer in the folder */
  | { readonly kind: "open" }
  | { readonly kind: "declined"; readonly why: readonly string[] }
  /** the conflicting files that differ from what people committed */
  | { readonly kind: "resolved"; readonly files: number; readonly differing: readonly string[] };

/** Answers from files that a careful reader has written: `COMMIT-PROMPT-N.md` asks, the same with `.json` answers. */
function createReader(folder: string, commit: string): LanguageModel {
  let calls = 0;
  return {
    async complete({ promptId, system, parts, earlier }) {
      calls += 1;
      const name = path.join(folder, `${commit.slice(0, 10)}-${promptId}-${calls}`);
      const prompt = [system, ...parts.map(({ text }) => text), ...earlier.map((one) => JSON.stringify(one))];
      writeFileSync(`${name}.md`, prompt.join("\n\n---\n\n"));
      const usage = { input: 0, cacheWrite: 0, cacheRead: 0, output: 0 };
      return { text: answerIn(`${name}.json`), stop: "end", model: "reader", usage, money: 0, elapsed: 0 };
    },
    worstCase: () => ({ tokens: 0, money: 0 }),
  };
}

class Unanswered extends Error {}

function answerIn(file: string): string {
  try {
    return readFileSync(file, "utf8");
  } catch {
    throw new Unanswered(file);
  }
}

/** Has the agents resolve what a backport's merge left open, with answers from `folder`. */
export async function resolveAgain(
  mirror: string,
  backport: Backport,
  { merge }: OwnMerge,
  { folder, prompts }: { readonly folder: string; readonly prompts: string },
): Promise<Resolution> {
  mkdirSync(folder, { recursive: true });
  const runner = createPromptRunner(
    await loadPrompts(prompts),
    createReader(folder, backport.commit),
    new AbortController().signal,
  );
  try {
    const resolved = await resolveConflicts(
      { ...viewOf(mirror, backport), conflicts: merge.conflicts, change: await changeOf(mirror, backport) },
      { prompts: runner, parser: createSourceParser(), guard: () => undefined },
    );
    if ("declined" in resolved) return { kind: "declined", why: resolved.declined.map((one) => one.why) };
    const own = filesWith(sideAt(mirror, backport.onto), resolved.files);
    const people = filesWith(sideAt(mirror, backport.commit), []);
    const asked = new Set(merge.conflicts.map((one) => one.path));
    const other = differing(own, people).filter((one) => asked.has(one));
    return { kind: "resolved", files: asked.size, differing: other };
  } catch (error) {
    if (error instanceof Unanswered) return { kind: "open" };
    throw error;
  }
}

function viewOf(mirror: string, { picked }: Backport) {
  const [title = "", ...body] = git(mirror, "log", "-1", "--format=%B", picked).trim().split("\n");
  const issue = { number: 1, title, body: body.join("\n").trim(), author: "people", url: "", discussion: [], hint: "" };
  return { issue, aim: "backport", ours: "the release branch", theirs: "the pull request" } as const;
}

const MAX_DIFF = 40_000;

async function changeOf(mirror: string, { before, picked }: Backport): Promise<string> {
  const [old, now] = [sideAt(mirror, before), sideAt(mirror, picked)];
  const diffs: string[] = [];
  for (const one of differing(filesWith(old, []), filesWith(now, []))) {
    const read = async (side: typeof old) => {
      const entry = side.entries.get(one);
      return entry && side.readBlob(entry.blob);
    };
    diffs.push(unifiedDiff(one, await read(old), await read(now)));
  }
  return diffs.join("").slice(0, MAX_DIFF);
}
