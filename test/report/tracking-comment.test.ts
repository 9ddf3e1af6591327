import { describe, expect, it } from "@jest/globals";
import { initialState, type RunResult, type RunState } from "../../src/data/run-state.ts";
import { followUpBlock, followUpNote, replaceBlock } from "../../src/report/follow-up.ts";
import { trackingComment } from "../../src/report/tracking-comment.ts";
import { sampleRequest } from "../fakes/sample-request.ts";

const BUDGET = { money: 5, tokens: 2_000_000, minutes: 60 };
const working: RunState = {
  phases: [
    { name: "locate", status: "done", detail: "3 of 10 candidates kept from 40 files" },
    { name: "plan", status: "done", detail: "2 tasks, agreed on in a kick-off meeting" },
    { name: "code", status: "working" },
    { name: "publish", status: "waiting" },
  ],
  tasks: [
    { id: "t1", path: "src/money.js", title: "Add roundCents", status: "approved" },
    { id: "t2", path: "src/invoice.js", title: "Round discounts | taxes", status: "working" },
  ],
  spend: { calls: 23, tokens: 84_210, money: 0.4123, elapsed: 130_400 },
  resumed: 0,
};
const shown = (changes: Partial<RunState> = {}, request = sampleRequest()) =>
  trackingComment(request, { ...working, ...changes }, BUDGET);
const published = (openThreads: number): RunResult => ({
  kind: "published",
  pullRequest: { number: 12, url: "https://host.example/pull/12" },
  openThreads,
});
const budget = {
  kind: "budget-reached",
  limit: "money",
  phase: "code",
  patch: "",
  finished: [],
  unfinished: [],
} as const;
describe("the tracking comment", () => {
  it("says who added to its budget, and mentions nobody", () => {
    const grants = [
      { by: "ben", money: 2 },
      { by: "@octo|cat", money: 0.5 },
    ];
    expect(shown({}, sampleRequest({ grants }))).toMatch(
      /Added with `\/magis continue`: \$2\.00 by ben, \$0\.50 by @\u200b?\S*octo/,
    );
    const many = Array.from({ length: 30 }, (_, at) => ({ by: `u${at}`, money: 1 }));
    expect(shown({}, sampleRequest({ grants: many }))).toContain("earlier ones, $1.00 by u20,");
  });

  it.each<RunResult>([
    { kind: "failed", code: "HOST_REFUSED", message: "PullRequest base invalid", undone: ["the branch `a`"] },
    { kind: "refused", reason: "There is no such branch" },
  ])("ends words of GitHub or a model with a full stop: $kind", (result) => {
    expect(shown({ result })).toMatch(/^(?:PullRequest base invalid|There is no such branch)\. [A-Z]/m);
  });

  it("shows small sums to a hundredth of a cent, and one call as one", () => {
    expect(shown({ spend: { calls: 1, tokens: 900, money: 0.0123, elapsed: 59_400 } })).toContain(
      "1 call, 900 tokens, $0.0123, 59 s",
    );
  });
});

describe("the headline", () => {
  const STATUSES = ["waiting", "working", "approved", "open", "unchanged", "failed"] as const;
  const pairs = STATUSES.flatMap((one) => STATUSES.map((other) => [one, other] as const));
  const results: readonly RunResult[] = [
    published(0),
    published(2),
    { kind: "dry-run", made: "patch", openComments: 0 },
    { kind: "dry-run", made: "patch", openComments: 1 },
    { kind: "nothing-to-change", reason: "It rounds already." },
  ];
  const taskOf = (status: (typeof STATUSES)[number], at: number) => ({
    id: `t${at + 1}`,
    path: `src/${at}.js`,
    title: "A task",
    status,
  });
  const headline = (text: string) => /^### (.*)$/m.exec(text)?.[1] ?? "";

  it("never says that all is well when a task failed or was left undone, or QA is not satisfied", () => {
    for (const result of results)
      for (const statuses of [[], ...STATUSES.map((one) => [one]), ...pairs]) {
        const text = shown({ result, tasks: statuses.map(taskOf) });
        const missing = statuses.filter((one) => ["waiting", "working", "failed"].includes(one)).length;
        const threads = result.kind === "published" ? result.openThreads : 0;
        const open = threads > 0 || (result.kind === "dry-run" && result.openComments > 0) || statuses.includes("open");
        const said = headline(text);
        expect([said, /\bfailed\b/.test(said)]).toEqual([said, missing > 0]);
        expect([said, /\b(?:open|reviewed)$/.test(said)]).toEqual([said, open]);
        if (open) expect(text).not.toContain("no open comment");
        if (missing > 0 && result.kind === "published") expect(text).toContain("**Missing:** t");
        if (missing === 0 && !open) expect(said).not.toContain(":");
      }
  });

  it("never reports another end as a success, whatever the tasks", () => {
    const ends: readonly RunResult[] = [
      { kind: "gave-up", reason: "No." },
      { ...budget, phase: "code" },
      { kind: "cancelled", by: "ana", undone: [] },
      { kind: "failed", code: "GIT_TIMEOUT", message: "Git took too long." },
      { kind: "refused", reason: "Closed." },
    ];
    for (const result of ends)
      for (const statuses of pairs) {
        const said = headline(shown({ result, tasks: statuses.map(taskOf) }));
        expect(said).toMatch(/could not|stopped|told to stop|had to stop|did not start/);
        expect(said).not.toMatch(/opened|made a change/);
      }
  });
});

const followUp = (run: string, open = 2) => ({
  run,
  what: "Review by ana: 1 thread",
  outcome: "1 answer",
  open,
  money: 0.5,
});

describe("the block of follow-ups", () => {
  it("sums up the oldest of many", () => {
    const many = followUpBlock(
      Array.from({ length: 25 }, (_, at) => followUp(`run ${at}`)),
      14,
    );
    expect(many).toContain("| 5 earlier | | $2.50 |");
    expect(many).toContain("This cost $12.50, and all runs on the issue and this pull request $14.00.");
  });

  it("goes to the end, is replaced later, and leaves people's text around it alone", () => {
    const first = replaceBlock("By the bot.\n", followUpBlock([followUp("a")], 1));
    const edited = `Of a person.\n\n${first}\nBelow.\n`;
    const second = replaceBlock(edited, followUpBlock([followUp("a"), followUp("b", 1)], 2));
    expect(second.startsWith("Of a person.\n\nBy the bot.\n\n<!-- magis:follow-ups -->")).toBe(true);
    expect(second.endsWith("<!-- /magis:follow-ups -->\n\nBelow.\n")).toBe(true);
    expect(second).toContain("One review thread is unresolved.");
    expect(replaceBlock(second, followUpBlock([followUp("a")], 1))).toBe(edited);
  });
});

// The snapshot has the notes that there are.
it("there is no note about a run at work, nor about one that nobody asked for and that found nothing open", () => {
  const request = sampleRequest({ work: { kind: "revise", because: "feedback" } });
  const result = { kind: "nothing-to-change", reason: "answered" } as const;
  expect(followUpNote(request, { ...initialState(), result, batch: ["thread-4"] })).toBeUndefined();
  expect(followUpNote(request, initialState())).toBeUndefined();
});
