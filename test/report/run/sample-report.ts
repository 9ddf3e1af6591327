import type { TaskOutcome } from "../../../src/data/work.ts";
import type { RecordedCall } from "../../../src/models/language-model.ts";
import type { RunReport } from "../../../src/run/runs.ts";
import { sampleComment } from "../../fakes/sample-comment.ts";
import { sampleIssue } from "../../fakes/sample-issue.ts";
import { sampleOutcome } from "../../fakes/sample-outcome.ts";
import { samplePlan } from "../../fakes/sample-plan.ts";
import { sampleTask } from "../../fakes/sample-task.ts";

const BEGAN = Date.parse("2026-01-01T12:00:05Z");

const DIFF = `--- a/src/money.js
+++ b/src/money.js
@@ -1,4 +1,5 @@
 export function roundCents(cents) {
--- a comment of another language
-  return Math.floor(cents);
+  const rounded = Math.round(Math.abs(cents));
++ rounded;
+  return Math.sign(cents) * rounded;
 }
`;

/** A finished call of `elapsed` ms that began `after` ms after the first. */
export function sampleCall(
  promptId: string,
  after: number,
  elapsed: number,
  changes: Partial<RecordedCall> = {},
): RecordedCall {
  const usage = { input: 1000, cacheWrite: 500, cacheRead: 4000, output: 250 };
  return {
    key: `${promptId}-${after}`,
    promptId,
    tier: "strong",
    tokens: 5750,
    money: 0.0125,
    elapsed,
    began: BEGAN + after,
    answer: { text: "an answer", stop: "end", model: "a-model", usage, money: 0.0125, elapsed },
    ...changes,
  };
}

/** The call as it was answered with look-ups, an answer's own tool among them. */
function withLookups(call: RecordedCall): RecordedCall {
  const use = (id: string, name: string, input: object) => ({ type: "tool_use" as const, id, name, input });
  const blocks = [
    { type: "text" as const, text: "Let me see." },
    use("1", "search", { pattern: "roundCents", path: "src" }),
    use("2", "read", { places: [{ path: "src/money.js", start: 1, end: 9 }] }),
    use("3", "plan", { tasks: [] }),
  ];
  return { ...call, answer: call.answer && { ...call.answer, blocks } };
}

function failedCall(promptId: string, after: number): RecordedCall {
  const { answer: _none, ...call } = sampleCall(promptId, after, 900, { tokens: 100, money: 0.001 });
  return { ...call, failure: "MODEL_UNAVAILABLE: The model is overloaded." };
}

const TASKS = [
  sampleTask(),
  sampleTask({ id: "t2", path: "src/invoice.js", title: "Round discounts" }),
  sampleTask({ id: "t3", path: "test/money.js", action: "create", title: "Test it" }),
];

/** Two rounds with an attempt turned back in between, a comment that was settled and one with a reply. */
const TWO_ROUNDS: TaskOutcome = sampleOutcome({
  attempts: [
    { round: 1, diff: DIFF, approved: false, verdict: "Negative halves are wrong." },
    { round: 2, diff: DIFF, rejected: "Line 3 does not parse any more.", approved: false, verdict: "" },
    { round: 2, diff: DIFF, approved: true, verdict: "Right now." },
  ],
  comments: [
    sampleComment({ status: "settled", reply: "They go away from zero now." }),
    sampleComment({ id: "t1-r2-1", round: 2, line: 4, body: "A name for 100 would be nice." }),
  ],
});

/** A run with everything: a meeting, two rounds, an attempt turned back, a failed task, a failed call, the budget's end. */
export function sampleReport(changes: Partial<RunReport> = {}): RunReport {
  const { order, meeting } = samplePlan();
  const failed = sampleOutcome({
    taskId: "t2",
    path: "src/invoice.js",
    status: "failed",
    attempts: [],
    summary: "No usable answer came.",
  });
  const work = {
    outcomes: [TWO_ROUNDS, failed],
    changes: [],
    patch: DIFF,
    added: [sampleTask({ id: "t4", path: "CHANGES.md", title: "Tell it" })],
    stopped: { limit: "money", unfinished: ["Test it (`test/money.js`)"] },
  };
  const source = 'run("t1");\nconcurrently(run("t2"), run("t3"));';
  const judged = [
    {
      path: "src/money.js",
      blob: "78".repeat(20),
      score: 12.3456,
      reasons: ["named in the issue"],
      summary: "Money.",
      source: "memory",
      relevant: true,
      reason: "It rounds.",
    },
    {
      path: "src/invoice.js",
      blob: "78".repeat(20),
      score: 3,
      reasons: ["text"],
      summary: "Invoices.",
      source: "outline",
      relevant: true,
      use: "read" as const,
      reason: "It calls.",
    },
    {
      path: "README.md",
      blob: "78".repeat(20),
      score: 1,
      reasons: ["text"],
      summary: "Words.",
      source: "outline",
      relevant: false,
      reason: "Only words.",
    },
  ];
  return {
    id: "ana/shop#7@delivery-1",
    repository: "ana/shop",
    number: 7,
    title: sampleIssue().title,
    requestedAt: "2026-01-01T12:00:00Z",
    state: {
      phases: [
        { name: "locate", status: "done", detail: "3 files looked at" },
        { name: "plan", status: "done", detail: "3 tasks" },
        { name: "code", status: "stopped" },
        { name: "publish", status: "waiting" },
      ],
      tasks: [],
      spend: { calls: 7, tokens: 34_600, money: 0.076, elapsed: 61_000 },
      resumed: 1,
      result: {
        kind: "budget-reached",
        limit: "money",
        phase: "code",
        patch: DIFF,
        finished: ["Add roundCents"],
        unfinished: ["Test it"],
      },
    },
    record: {
      start: {
        issue: sampleIssue({ hint: "Look at halves." }),
        base: { branch: "main", commit: "12".repeat(20) },
        by: "ana/shop#7@delivery-1",
      },
      candidates: { judged, note: "A note on them." },
      tasks: {
        assignments: TASKS,
        refused: [{ path: "LICENSE", reason: "it is protected" }],
        reason: "Rounding is wrong.",
      },
      plan: {
        tasks: TASKS,
        order,
        source,
        fallback: "t2 was missing.",
        meeting,
        agreed: "roundCents is exported.",
        reason: "Rounding is wrong.",
        refused: 1,
        description: { type: "fix", title: "round discounts", problem: "They were cut off." },
      },
      work,
      proof: {
        said: "Its test failed in the repository's checks without the fix, and passes with it.",
        pushes: [
          {
            commit: "34".repeat(20),
            stage: "red",
            verdict: "right-red",
            checks: [{ name: "test <20>", state: "failed", url: "https://host.example/checks/1", seconds: 41 }],
            tests: [{ name: "rounds halves up", check: "test <20>", words: "expected 1.01\nreceived 1" }],
            asked: [],
          },
          {
            commit: "56".repeat(20),
            stage: "green",
            verdict: "green",
            checks: [{ name: "test <20>", state: "passed", url: "https://host.example/checks/2", seconds: 39 }],
            tests: [],
            asked: [],
          },
        ],
      },
      lookups: [{ tool: "search", input: { pattern: "roundCents" } }],
    },
    calls: [
      sampleCall("c02-locate-files", 0, 4000, { tier: "fast" }),
      failedCall("p04-plan-work", 4000),
      withLookups(sampleCall("p04-plan-work", 4900, 20_000)),
      sampleCall("p09-change-file", 25_000, 9000),
      sampleCall("p09-change-file", 25_100, 5000),
      sampleCall("p11-review-work", 34_000, 7000),
      // The process was stopped for an hour.
      sampleCall("p09-change-file", 3_641_000, 8000),
    ],
    ...changes,
  };
}

/** A run of which nothing is kept but that it was asked for. */
export function emptyReport(): RunReport {
  return { id: "local", repository: "", title: "", requestedAt: "", record: {}, calls: [] };
}
