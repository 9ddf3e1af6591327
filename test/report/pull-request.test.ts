import { describe, expect, it } from "@jest/globals";
import { type PullRequestContent, proofBlock, pullRequestBody } from "../../src/report/pull-request-body.ts";
import { untested } from "../../src/report/untested.ts";
import { sampleComment } from "../fakes/sample-comment.ts";
import { sampleOutcome } from "../fakes/sample-outcome.ts";
import { sampleTask } from "../fakes/sample-task.ts";

const QA = { title: "Discounts QA Engineer", description: "Checks discounts." };
const round = (number: number, approved: boolean, verdict: string) => ({ round: number, diff: "", approved, verdict });
const tasks = [
  sampleTask(),
  sampleTask({ id: "t2", path: "src/invoice.js", title: "Round discounts", description: "Use `roundCents`." }),
  sampleTask({ id: "t3", path: "test/money.test.js", action: "create", title: "Test roundCents" }),
  sampleTask({ id: "t4", path: "src/old-money.js", action: "delete", title: "Remove the old helper" }),
];
const settled = sampleComment({ status: "settled", reply: "It rounds away from zero now." });
const outcomes = [
  sampleOutcome({
    attempts: [
      round(1, false, "Halves are wrong."),
      { ...round(2, false, ""), rejected: "It does not parse." },
      round(3, true, "Right now."),
    ],
    comments: [settled],
  }),
  sampleOutcome({
    taskId: "t2",
    path: "src/invoice.js",
    status: "open",
    qaEngineer: QA,
    summary: "Discounts are rounded.",
    attempts: [round(1, false, "Taxes?"), round(2, false, "Taxes are still cut off.")],
    comments: [sampleComment({ id: "t2-r2-1", taskId: "t2", round: 2, path: "src/invoice.js" })],
  }),
  sampleOutcome({
    taskId: "t3",
    path: "test/money.test.js",
    status: "failed",
    qaEngineer: { title: "", description: "" },
    attempts: [],
    summary: "The model declined to answer.",
  }),
  sampleOutcome({ taskId: "t4", path: "src/old-money.js", summary: "Remove the old helper", qaEngineer: QA }),
];
const content: PullRequestContent = {
  marker: "<!-- magis:run ana/shop#7@delivery-1 -->",
  issue: 7,
  description: {
    problem: "Discounts lost up to a cent.",
    solution: "They are rounded, halves away from zero.",
    template: "",
  },
  plan: {
    tasks,
    order: { run: "t1" },
    source: 'run("t1");\nconcurrently(run("t2"), run("t3"), run("t4"));',
    meeting: [
      { speaker: "Manager", text: "Let us begin." },
      { speaker: "Money developer t1 (t1)", text: "I export `roundCents`." },
      { speaker: "Manager", text: "`roundCents(cents)` it is." },
    ],
  },
  outcomes,
  cost: {
    spend: { calls: 23, tokens: 84_210, money: 0.4123, elapsed: 130_400 },
    inAll: 0.4123,
    byRole: [
      { role: "Repository Custodian", calls: 11, tokens: 24_210, money: 0.0312 },
      { role: "Developer", calls: 12, tokens: 60_000, money: 0.3811 },
    ],
  },
  making: { models: ["claude-opus-5-5", "claude-haiku-5-5"], askedBy: "ana" },
  commitWay: "signed by GitHub",
  proof: proofBlock({ unproved: untested.noChecks, keep: false }),
};

describe("the pull request's body", () => {
  it("begins with the template, ends with the folded parts and keeps the reading order", () => {
    const description = { ...content.description, template: "## Checklist\n\n- [ ] tests: not done" };
    const plan = { ...content.plan, notes: ["Taxes are cut off too."] };
    const body = pullRequestBody({ ...content, plan, description, commitWay: "pushed, unsigned" });
    const headings = body.match(/^(?:## .*|<details>.*|\*\*(?:The plan|Who did what|What it cost)\*\*|Part of #7)$/gm);
    expect(headings).toEqual([
      "## Checklist",
      "Part of #7",
      "## What was wrong",
      "## What changed",
      "## Not tested",
      "## Not considered",
      "<details><summary>The plan, who did what, and what it cost: $0.41</summary>",
      "**The plan**",
      "**Who did what**",
      "**What it cost**",
      "<details><summary>The kick-off meeting</summary>",
    ]);
    expect(body).toContain("The commit is not signed");
  });

  it("says once what changed when the solution repeats the files' summaries", () => {
    const outcomes = [sampleOutcome(), sampleOutcome({ taskId: "t2", path: "src/invoice.js", summary: "It is used." })];
    const solution = outcomes.map(({ summary }) => summary).join("\n");
    const body = pullRequestBody({ ...content, outcomes, description: { ...content.description, solution } });
    expect(body).toContain("## What changed\n\n- `");
    expect(body.split("It is used.")).toHaveLength(2);
  });

  it("says when the Manager's plan was not followed", () => {
    const plan = { ...content.plan, fallback: "The model's answer could not be used: Missing: t2." };
    expect(pullRequestBody({ ...content, plan })).toContain(
      "The Manager's own order could not be used, so the tasks were done one after the other",
    );
  });

  it("calls a planned new file missing when it was not made", () => {
    expect(pullRequestBody(content)).toContain("- `test/money.test.js` (**missing**: no usable change was made): ");
  });
});
