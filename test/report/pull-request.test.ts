import { describe, expect, it } from "@jest/globals";
import { type PullRequestContent, pullRequestBody } from "../../src/report/pull-request-body.ts";
import { reviewText } from "../../src/report/review-text.ts";
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
    ...{ taskId: "t2", path: "src/invoice.js", status: "open", qaEngineer: QA, summary: "Discounts are rounded." },
    attempts: [round(1, false, "Taxes?"), round(2, false, "Taxes are still cut off.")],
    comments: [sampleComment({ id: "t2-r2-1", taskId: "t2", round: 2, path: "src/invoice.js" })],
  }),
  sampleOutcome({
    ...{ taskId: "t3", path: "test/money.test.js", status: "failed", qaEngineer: { title: "", description: "" } },
    ...{ attempts: [], summary: "The model declined to answer p10-write-new-file." },
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
    ...{ tasks, order: { run: "t1" }, source: 'run("t1");\nconcurrently(run("t2"), run("t3"), run("t4"));' },
    meeting: [
      { speaker: "Manager", text: "Let us begin." },
      { speaker: "Money developer t1 (t1)", text: "I export `roundCents`." },
      { speaker: "Manager", text: "`roundCents(cents)` it is." },
    ],
  },
  outcomes,
  spend: { calls: 23, tokens: 84_210, money: 0.4123, elapsed: 130_400 },
  callsByRole: [
    { role: "Repository Custodian", calls: 11, tokens: 24_210, money: 0.0312 },
    { role: "Developer", calls: 12, tokens: 60_000, money: 0.3811 },
  ],
  commitWay: "signed by GitHub",
};

describe("the pull request's body", () => {
  it("with an approved, an open, a failed and a deleted file", () => {
    expect(pullRequestBody(content)).toMatchSnapshot();
  });

  it("of one file, without a meeting, in the repository's template", () => {
    const description = { ...content.description, template: "## Checklist\n\n- [ ] tests: not done" };
    const plan = { ...content.plan, tasks: tasks.slice(0, 1), source: 'run("t1");', meeting: [] };
    const outcomes = [sampleOutcome()];
    expect(
      pullRequestBody({ ...content, description, plan, outcomes, commitWay: "pushed, unsigned" }),
    ).toMatchSnapshot();
  });

  it("says once what changed when its words are those of the files", () => {
    const outcomes = [sampleOutcome(), sampleOutcome({ taskId: "t2", path: "src/invoice.js", summary: "It is used." })];
    const solution = outcomes.map(({ summary }) => summary).join("\n");
    const body = pullRequestBody({ ...content, outcomes, description: { ...content.description, solution } });
    expect(body).toContain("## What changed\n\n- `");
    expect(body.split("It is used.")).toHaveLength(2);
  });

  it("says when the Manager's plan was not followed", () => {
    const plan = { ...content.plan, fallback: "The model's answer to p07-write-plan could not be used: Missing: t2." };
    expect(pullRequestBody({ ...content, plan })).toContain(
      "The Manager's plan was not used: the tasks ran one after the other.",
    );
  });

  it("a file that was to be created and was not is not called created", () => {
    expect(pullRequestBody(content)).toContain("- `test/money.test.js` (**failed**, not changed): ");
  });
});

describe("the review", () => {
  it("its body, with a comment on a file that is not part of the change", () => {
    const stray = sampleComment({ path: "src/old-money.js", body: "Who\nuses it?" });
    expect(reviewText.body("<!-- magis:review x -->", outcomes, { homeless: [stray], further: [] })).toMatchSnapshot();
  });

  it("a comment, and the Developer's reply with and without words", () => {
    const outcome = sampleOutcome();
    expect(reviewText.comment(sampleComment(), outcome)).toMatchSnapshot();
    expect(reviewText.reply(settled, "Money developer")).toMatchSnapshot();
    expect(reviewText.reply(sampleComment({ status: "settled" }), "Money developer")).toMatchSnapshot();
  });
});
