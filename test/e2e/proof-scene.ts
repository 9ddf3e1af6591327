import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { text } from "node:stream/consumers";
import { scriptedChange, scriptedPlan, scriptedTask } from "../scripted-model/default-answers.ts";
import type { Call } from "../scripted-model/script.ts";
import { createScript } from "../scripted-model/script.ts";
import type { CiArtifact } from "../world/checks/check-runs.ts";
import type { PullRow } from "../world/create-reader.ts";
import { type BotChoice, type Scene, startScene } from "./start-scene.ts";

const SUM = "src/sum.js";
const TEST = "test/sum.test.js";

const SUM_BEFORE = ["export function sum(a, b) {", "  return a - b;", "}", ""].join("\n");

const FILES = {
  "package.json": '{ "type": "module" }\n',
  [SUM]: SUM_BEFORE,
  [TEST]: [
    'import assert from "node:assert/strict";',
    'import test from "node:test";',
    'import { sum } from "../src/sum.js";',
    "",
    'test("adds nothing", () => {',
    "  assert.equal(sum(2, 0), 2);",
    "});",
    "",
  ].join("\n"),
};

/** The test that the Developer adds below the existing one. */
const TESTS = {
  bites: "  assert.equal(sum(1, 2), 3);",
  passes: "  assert.equal(typeof sum(1, 2), 'number');",
  breaks: "  assert.equal(add(1, 2), 3);",
};

/** Which test the Developer writes for an issue's title, at first and when asked again. */
function testFor({ text: shown }: Call): keyof typeof TESTS {
  if (shown.includes("was written and run already") && !shown.includes("(never bites)")) return "bites";
  if (shown.includes("passes at first)") || shown.includes("(never bites)")) return "passes";
  return shown.includes("(breaks at first)") ? "breaks" : "bites";
}

const WRONG = "  return a + c;";

const REPAIR = {
  repairable: true,
  reason: "`c` is not defined: it has to be `b`.",
  title: "add b, not c",
  tasks: [{ path: SUM, action: "modify", title: "Add b", description: "Return `a + b`." }],
};

/** A wrong fix and its repair; undefined for other issues. */
function wrongFix({ text: shown }: Call) {
  if (!shown.includes("(wrong at first)")) return undefined;
  const repairs = shown.includes("Our pull request makes checks fail");
  const edit = repairs ? { anchor: WRONG, text: "  return a + b;" } : { anchor: "  return a - b;", text: WRONG };
  return scriptedChange([{ start: 2, end: 2, ...edit }], { summary: "It adds." });
}

/** A scene whose bot fixes src/sum.js; the brackets in the issue's title choose the test in test/sum.test.js. */
export function startProofScene({ environment = {}, ownProcess = false }: BotChoice = {}): Promise<Scene> {
  const script = createScript({
    files: {
      [SUM]: { rounds: [{ edits: [{ start: 2, end: 2, text: "  return a + b;" }] }] },
      [TEST]: { rounds: [{}] },
    },
    answers: {
      "k01-plan-repair": REPAIR,
      "p04-plan-work": ({ text: shown }) =>
        shown.includes("(a feature)")
          ? scriptedPlan([scriptedTask(SUM), scriptedTask(TEST)], { at: `${SUM}:1`, title: "feat: add" })
          : undefined,
      "p09-change-file": (call) => {
        if (!call.text.includes(`file \`${TEST}\``)) return wrongFix(call);
        const body = [`test("adds", () => {`, TESTS[testFor(call)], "});"].join("\n");
        const again = call.text.includes("was written and run already");
        const edit = again ? { start: 8, end: 10, anchor: 'test("adds", () => {' } : { start: 8, end: 7, anchor: "" };
        return scriptedChange([{ ...edit, text: body }], { summary: "It tests the sum." });
      },
    },
  });
  return startScene({ repository: { files: FILES }, environment, ownProcess, script });
}

export const title = (what: string) => `Sum (${what}): ${SUM} and ${TEST}`;

/**
 * Runs the tests of a commit and reports them to GitHub as the Actions job `test`; gives the job's log. `shown`
 * replaces the runner's output in that log; `artifacts` are the files that the job uploads.
 */
export async function runChecks(
  { world }: Scene,
  commit: string,
  more: {
    shown?: (output: string) => string;
    artifacts?: readonly CiArtifact[];
  } = {},
): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "magis-checks-"));
  try {
    const paths = (await world.git("ls-tree", "-r", "--name-only", commit)).split("\n");
    for (const path of paths) {
      await mkdir(dirname(join(folder, path)), { recursive: true });
      await writeFile(join(folder, path), `${await world.git("show", `${commit}:${path}`)}\n`);
    }
    const child = spawn(process.execPath, ["--test", "--test-reporter=spec"], {
      cwd: folder,
      stdio: ["ignore", "pipe", "ignore"],
      env: { PATH: process.env.PATH },
    });
    const exit = once(child, "exit");
    const output = await text(child.stdout as NodeJS.ReadableStream);
    const [code] = await exit;
    const { shown = (output: string) => output, artifacts = [] } = more;
    const stamped = shown(output)
      .split("\n")
      .map((line) => `2026-11-20T10:00:00.0000000Z ${line}`);
    const log = stamped.join("\n");
    const job = { name: "test", conclusion: code === 0 ? ("success" as const) : ("failure" as const), log };
    await world.ci(commit, [job], { suite: true, artifacts: [...artifacts] });
    return log;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** Waits until an issue's pull request has a head other than `known`. */
export function pushed({ world }: Scene, issue: number, known?: string): Promise<PullRow> {
  const find = async () =>
    (await world.pullRequests()).find(
      ({ head, body }) => head.ref.startsWith(`magis/issue-${issue}-`) && head.sha !== known && (body ?? "") !== "",
    );
  return world.until(find, { what: `a push for issue ${issue} after ${known ?? "none"}` });
}
