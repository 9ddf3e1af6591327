import { showFile } from "../../src/code/edits/numbered.ts";
import { isMagisError } from "../../src/data/error.ts";
import type { RunResult } from "../../src/data/run-state.ts";
import { limitReached, NO_SPEND } from "../../src/data/spend.ts";
import type { LanguageModel } from "../../src/models/language-model.ts";
import { createBudgetKeeper } from "../../src/models/metering/budget-keeper.ts";
import { meteredModel } from "../../src/models/metering/metered-model.ts";
import type { PromptLibrary } from "../../src/models/prompt-library.ts";
import { createPromptRunner } from "../../src/models/prompt-runner.ts";
import type { RunStore } from "../../src/run/runs.ts";
import type { Mirror } from "../mirror.ts";
import type { Solved, SolveInstance } from "./evaluating.ts";
import { type Instance, issueOfInstance } from "./instances.ts";

/** Minutes for the call. */
const MINUTES = 30;

/**
 * Characters of all files together: about the 27,000 tokens of SWE-bench's middle setting. A file that does not fit is
 * left out; the first is always there.
 */
const MAX_CHARACTERS = 108_000;

/**
 * The paper's main comparison (Table 2): the model is used directly, as SWE-bench does it. One call is given the issue
 * and whole files, and answers with a patch.
 */
export function createDirectSolver(deps: {
  model: LanguageModel;
  prompts: PromptLibrary;
  hints: boolean;
  /** keeps an instance's calls and receives what each has cost */
  openStore(onCall: (money: number) => void): RunStore;
}): SolveInstance {
  return async (instance, { mirror, candidates = [], money, onSpend }, signal) => {
    let spent = 0;
    const store = deps.openStore((cost) => {
      spent += cost;
      onSpend(spent);
    });
    const budget = { money, tokens: Number.MAX_SAFE_INTEGER, minutes: MINUTES };
    const keeper = createBudgetKeeper(budget, NO_SPEND, () => performance.now());
    const model = meteredModel(deps.model, { store, runId: instance.id, keeper });
    const runner = createPromptRunner(deps.prompts, model, signal);
    const issue = issueOfInstance(instance, deps.hints);
    const solved = async (patch: string, result: RunResult): Promise<Solved> => ({
      patch,
      result,
      report: {
        id: instance.id,
        repository: instance.repository,
        title: issue.title,
        requestedAt: new Date().toISOString(),
        record: {},
        calls: await store.calls(instance.id),
      },
    });
    try {
      const files = await readFiles(candidates, instance, mirror);
      const patch = patchIn(await runner.write("b01-write-patch", { issue, files }));
      if (patch === "") return await solved("", { kind: "gave-up", reason: "There is no patch in the answer." });
      return await solved(patch, { kind: "dry-run", made: "patch", openComments: 0 });
    } catch (error) {
      signal.throwIfAborted();
      const limit = limitReached(error);
      if (limit) {
        return solved("", { kind: "budget-reached", limit, phase: "code", patch: "", finished: [], unfinished: [] });
      }
      if (!isMagisError(error)) throw error;
      return solved("", { kind: "failed", code: error.code, message: error.message });
    }
  };
}

/** The files that fit, whole, with numbered lines. */
async function readFiles(paths: readonly string[], { baseCommit }: Instance, mirror: Mirror) {
  const entries = new Map((await mirror.entries(baseCommit)).map((entry) => [entry.path, entry]));
  const wanted = paths.flatMap((path) => entries.get(path) ?? []).filter(({ mode }) => mode.startsWith("100"));
  const contents = new Map<string, Uint8Array>();
  await mirror.readBlobs([...new Set(wanted.map(({ blob }) => blob))], (blob, content) => contents.set(blob, content));
  const files = wanted.map(({ path, blob }) => showFile(path, contents.get(blob)));
  let room = MAX_CHARACTERS;
  return files.filter(({ content }, index) => {
    if (index > 0 && content.length > room) return false;
    room -= content.length;
    return true;
  });
}

const FENCED = /^```(?:diff|patch)?[ \t]*\n([\s\S]*?)^```/m;

/**
 * The patch in an answer: the text between its marks or in a fence, or everything from a diff's first line on. Counts
 * the lines of its hunks again, since models miscount them; SWE-bench repairs that, too. "" without a patch.
 */
export function patchIn(answer: string): string {
  const text = answer.replace(/\r\n?/g, "\n");
  const marked = /<patch>([\s\S]*?)(?:<\/patch>|$)/.exec(text)?.[1] ?? text;
  const inner = FENCED.exec(marked)?.[1] ?? marked;
  const start = /^(?:diff --git |--- )/m.exec(inner)?.index;
  return start === undefined ? "" : countAgain(inner.slice(start).trimEnd().split("\n"));
}

/** The diff with the real counts of its hunks; a hunk's line without a sign is an empty context line. */
function countAgain(lines: readonly string[]): string {
  const out: string[] = [];
  let head: { at: number; oldStart: string; newStart: string; rest: string } | undefined;
  let [before, after] = [0, 0];
  const close = () => {
    if (head) out[head.at] = `@@ -${head.oldStart},${before} +${head.newStart},${after} @@${head.rest}`;
    head = undefined;
  };
  for (const [index, line] of lines.entries()) {
    const hunk = /^@@ -(\d+)(?:,\d+)? \+(\d+)(?:,\d+)? @@(.*)$/.exec(line);
    if (hunk) {
      close();
      const [, oldStart = "", newStart = "", rest = ""] = hunk;
      head = { at: out.length, oldStart, newStart, rest };
      [before, after] = [0, 0];
    } else if (line.startsWith("diff --git ") || (line.startsWith("--- ") && lines[index + 1]?.startsWith("+++ "))) {
      close();
    } else if (head && !line.startsWith("\\")) {
      if (!line.startsWith("+")) before += 1;
      if (!line.startsWith("-")) after += 1;
      out.push(/^[-+ ]/.test(line) ? line : ` ${line}`);
      continue;
    }
    out.push(line);
  }
  close();
  return `${out.join("\n")}\n`;
}
