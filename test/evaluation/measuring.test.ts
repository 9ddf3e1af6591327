import { describe, expect, it } from "@jest/globals";
import { isOutsideFailure } from "../../eval/evaluation/evaluate-instance.ts";
import { issueOfInstance } from "../../eval/evaluation/instances.ts";
import { spendOfCalls } from "../../eval/evaluation/measure-instance.ts";
import { measuredParts } from "../../eval/evaluation/measures/metrics.ts";
import { parsePatch } from "../../eval/evaluation/measures/patch.ts";
import { countFunctions } from "../../eval/evaluation/measures/patch-measures.ts";
import type { RecordedCall } from "../../src/models/language-model.ts";
import { sampleCandidate } from "../fakes/sample-candidate.ts";
import { samplePlan } from "../fakes/sample-plan.ts";
import { sampleTask } from "../fakes/sample-task.ts";
import { sharedParser } from "../fakes/shared-parser.ts";

const call = (began: number, elapsed: number, more: Partial<RecordedCall> = {}): RecordedCall => {
  const usage = { input: 1, cacheWrite: 2, cacheRead: 3, output: 4 };
  const blocks = [
    { type: "text" as const, text: "Let me see." },
    { type: "tool_use" as const, id: "1", name: "read", input: {} },
  ];
  const answer = { text: "", stop: "tools" as const, blocks, model: "m", usage, money: 0.25, elapsed };
  const kept = { key: String(began), promptId: "p04-plan-work", tier: "strong" as const, tokens: 10, money: 0.25 };
  return { ...kept, answer, began, elapsed, ...more };
};

describe("what a run's calls have used", () => {
  it("is summed, and the longest chain counts calls that do not overlap", () => {
    const { answer: _, ...failed } = call(3000, 500, {
      promptId: "p09-change-file",
      failure: "MODEL_UNAVAILABLE: away",
    });
    // 0 to 1000, then two side by side to 2000 and 2800, then one that failed: three in a row, 1000 + 1800 + 500.
    const spend = spendOfCalls([call(0, 1000), call(1000, 1000), call(1000, 1800), failed], 3600.4);
    expect(spend).toEqual({
      calls: 4,
      failedCalls: 1,
      input: 3,
      cacheWrite: 6,
      cacheRead: 9,
      output: 12,
      tokens: 40,
      money: 1,
      wallMs: 3600,
      sequentialCalls: 3,
      criticalMs: 3300,
      lookups: 3,
      models: ["m"],
      byPrompt: {
        "p04-plan-work": { calls: 3, tokens: 30, money: 0.75, elapsedMs: 3800 },
        "p09-change-file": { calls: 1, tokens: 10, money: 0.25, elapsedMs: 500 },
      },
      byEffort: {},
    });
  });

  it("is counted by requested effort", () => {
    const raised = call(1000, 1000);
    const answer = raised.answer && { ...raised.answer, effort: "high" as const };
    const { byEffort } = spendOfCalls([call(0, 1000), { ...raised, answer }], 2000);
    expect(byEffort).toEqual({ high: { calls: 1, tokens: 10, money: 0.25, elapsedMs: 1000 } });
  });

  it("distinguishes an unavailable service from a failed instance", () => {
    const failed = (code: string) => ({ kind: "failed" as const, code, message: "" });
    expect(isOutsideFailure(failed("MODEL_UNAVAILABLE"), [call(0, 1)])).toBe(true);
    expect(isOutsideFailure(failed("MODEL_REJECTED"), [])).toBe(true);
    expect(isOutsideFailure(failed("MODEL_REJECTED"), [call(0, 1)])).toBe(false);
    expect(isOutsideFailure(failed("ANSWER_INVALID"), [])).toBe(false);
    expect(isOutsideFailure({ kind: "gave-up", reason: "" }, [])).toBe(false);
  });
});

describe("the record of a run", () => {
  const judged = [
    sampleCandidate("read.js", { use: "read" }),
    sampleCandidate("change.js"),
    sampleCandidate("no.js", { relevant: false }),
  ];
  it("lists files to change before files to read, and the tasks", () => {
    const task = sampleTask({ path: "change.js", title: "T", description: "D" });
    const plan = { ...samplePlan(), source: "", tasks: [task], agreed: "", reason: "", refused: 0 };
    expect(measuredParts({ candidates: { judged }, plan })).toEqual({
      located: ["change.js", "read.js"],
      tasks: [{ path: "change.js", action: "modify", title: "T", description: "D" }],
    });
  });
  it("falls back to the best-ranked files when none was judged relevant, and skips missing or odd parts", () => {
    const none = [1, 2, 3, 4].map((n) => sampleCandidate(`${n}.js`, { relevant: false }));
    expect(measuredParts({ candidates: { judged: none } }).located).toEqual(["1.js", "2.js", "3.js"]);
    expect(measuredParts({ candidates: "?", plan: { tasks: [1] } })).toEqual({ located: [], tasks: [] });
  });
});

describe("the functions that a change touches", () => {
  const parser = sharedParser;
  const text =
    "def one():\n    return 1\n\n\nclass A:\n    def two(self):\n        return 2\n\n    def three(self):\n        return 3\n";
  const patch = (path: string) =>
    `--- a/${path}\n+++ b/${path}\n@@ -2,1 +2,1 @@ def one():\n-    return 1\n+    return 11\n@@ -7,1 +7,1 @@ def two(self):\n-        return 2\n+        return 22\n`;
  it("are counted by the language's grammar", async () => {
    const [file] = parsePatch(patch("a.py"));
    const created = text.split("\n").slice(0, -1);
    const lines = created.map((line) => `+${line}\n`).join("");
    const [whole] = parsePatch(`--- /dev/null\n+++ b/new.py\n@@ -0,0 +1,${created.length} @@\n${lines}`);
    expect(file && (await countFunctions(file, text, parser))).toBe(2);
    expect(whole && (await countFunctions(whole, undefined, parser))).toBe(3);
  });
  it("are unknown without a grammar", async () => {
    const [file] = parsePatch(patch("a.unknown"));
    expect(file && (await countFunctions(file, text, parser))).toBeUndefined();
  });
});

it("an instance's issue has its first line as the title, and its hints as the discussion unless they are left out", () => {
  const instance = {
    id: "i",
    repository: "a/b",
    baseCommit: "",
    patch: "",
    testPatch: "",
    failToPass: [],
    passToPass: [],
    createdAt: "",
    version: "",
    problem: "\n# It fails\n\nAlways.\n",
    hints: "Look there.\n",
  };
  expect(issueOfInstance(instance, true)).toMatchObject({
    title: "It fails",
    body: "Always.",
    discussion: [{ author: "contributor", body: "Look there." }],
  });
  expect(issueOfInstance(instance, false).discussion).toEqual([]);
});
