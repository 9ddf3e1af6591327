import type { LimitReached } from "../../src/data/limits.ts";
import type { ProposedPlan, Task } from "../../src/data/plan.ts";
import type { RunState } from "../../src/data/run-state.ts";
import type { QaComment, TaskOutcome } from "../../src/data/work.ts";
import { type ProofState, proofBlock } from "../../src/report/proof.ts";
import type { PullRequestContent } from "../../src/report/pull-request-body.ts";
import { sampleRequest } from "../fakes/sample-request.ts";

// What the texts of the snapshot are made of: one bug in a small program, as in the demo.

/** Texts by the occasions on which they are written. */
export type Texts = Readonly<Record<string, string>>;

export const JOB = "https://github.com/ana/shop/actions/runs/7";

export const AT_BUDGET = { kind: "budget-reached", phase: "code", finished: ["Discounts are rounded."] } as const;

export const PULL = { number: 12, url: "https://github.com/ana/shop/pull/12" };

export const HEAD = "5a3104c68d5a3104c68d5a3104c68d5a3104c68d";

export const FIX = "6418cea2d86418cea2d86418cea2d86418cea2d8";

export const SPEND = { calls: 10, tokens: 29_288, money: 0.0901, elapsed: 130_400 };

export const REQUEST = sampleRequest({ id: "ana/shop#7@1", root: "ana/shop#7@1", delivery: "1" });

const TASKS: readonly Task[] = [
  {
    id: "t1",
    path: "src/invoice.js",
    action: "modify",
    title: "Round discounts",
    description: "In `discountAmount`, replace `Math.trunc` by rounding to the nearest cent, halves away from zero.",
    developer: { title: "Invoice Developer", description: "Knows how net amount and discount depend on each other." },
  },
  {
    id: "t2",
    path: "test/invoice.test.js",
    action: "modify",
    title: "Test a discount that does not divide evenly",
    description: "Cover the issue's example: 15 % of 10.05 is 1.51.",
    developer: { title: "Test Developer", description: "Writes tests that fail for one reason only." },
  },
];

export const COMMENT: QaComment = {
  id: "t1-r1-1",
  taskId: "t1",
  round: 1,
  path: "src/invoice.js",
  line: 10,
  body: "`Math.round(-100.5)` is -100. The README promises halves away from zero.",
  status: "open",
};

export const OUTCOME: TaskOutcome = {
  taskId: "t1",
  path: "src/invoice.js",
  status: "approved",
  qaEngineer: { title: "Invoicing QA Engineer", description: "Works out invoices by hand." },
  attempts: [
    { round: 1, diff: "", approved: false, verdict: "A cent off for credit notes." },
    { round: 2, diff: "", approved: true, verdict: "Right for invoices and credit notes." },
  ],
  comments: [],
  summary: "Discounts are rounded to the nearest cent instead of being cut off.",
  writers: ["manager", "developer"],
};

const TEST_OUTCOME: TaskOutcome = {
  ...OUTCOME,
  taskId: "t2",
  path: "test/invoice.test.js",
  attempts: [{ round: 1, diff: "", approved: true, verdict: "The issue's example is there." }],
  summary: "A discount that does not divide evenly has a test.",
  writers: ["manager", "qa"],
};

export const PROVED: ProofState = {
  red: { commit: HEAD, checks: [{ name: "test", url: "https://github.com/ana/shop/actions/runs/1", seconds: 42 }] },
  green: { commit: FIX, checks: [{ name: "test", url: "https://github.com/ana/shop/actions/runs/2", seconds: 43 }] },
  tests: [
    { name: "a discount is rounded to the nearest cent", check: "test", words: "Expected 151, received 150" },
    { name: "a credit note is the negative of its invoice", check: "test", words: "Expected -101, received -100" },
  ],
  note: "",
};

export const PULL_REQUEST: PullRequestContent = {
  making: { models: ["claude-opus-5-5", "claude-haiku-5-5"], askedBy: "ana" },
  marker: `<!-- magis:run ${REQUEST.root} -->`,
  issue: 7,
  description: {
    problem:
      "`discountAmount` in `src/invoice.js` cuts the fraction of a cent off with `Math.trunc`, where the README promises the nearest cent, halves away from zero.",
    solution: "Discounts are rounded to the nearest cent instead of being cut off.",
    template: "",
  },
  plan: {
    tasks: TASKS,
    order: { sequence: [{ run: "t2" }, { run: "t1" }] },
    source: "",
    meeting: [],
    agreed: "",
    reason: "",
    refused: 0,
    notes: ["Taxes are cut off in the same way, which the issue does not mention."],
  },
  outcomes: [OUTCOME, TEST_OUTCOME],
  cost: {
    spend: SPEND,
    inAll: SPEND.money,
    byRole: [
      { role: "Repository Custodian", calls: 1, tokens: 2_597, money: 0.0005 },
      { role: "Manager", calls: 2, tokens: 7_769, money: 0.0349 },
      { role: "Developer", calls: 4, tokens: 10_012, money: 0.0317 },
      { role: "QA Engineer", calls: 3, tokens: 8_910, money: 0.023 },
    ],
  },
  commitWay: "signed by GitHub",
  proof: proofBlock(PROVED),
};

export const WORKING: RunState = {
  since: "2026-01-01T12:03:00Z",
  phases: [
    { name: "locate", status: "done", detail: "40 files searched, 10 looked at, 3 kept" },
    { name: "plan", status: "done", detail: "2 tasks" },
    { name: "code", status: "working" },
    { name: "publish", status: "waiting" },
  ],
  tasks: [
    { id: "t1", path: "src/invoice.js", title: "Round discounts", status: "working" },
    { id: "t2", path: "test/invoice.test.js", title: "Test a discount", status: "approved" },
  ],
  spend: SPEND,
  resumed: 0,
};

export const PLAN: ProposedPlan = {
  tasks: TASKS,
  order: { sequence: [{ run: "t2" }, { run: "t1" }] },
  meeting: [
    { speaker: "Manager", text: "Who waits for whom?" },
    { speaker: "Test Developer (t2)", text: "My test comes first." },
  ],
  estimate: { least: 0.1, most: 0.3, perCall: 0.02, calls: [1, 3], tasks: 2 },
  base: { branch: "main", commit: HEAD },
};

/** A limit of money for a day. */
export const REACHED = {
  kind: "money",
  scope: "bot",
  period: "day",
  most: 20,
  spent: 17.5,
  needed: 5,
  until: "2026-01-02T00:00:00.000Z",
} as const satisfies LimitReached;
