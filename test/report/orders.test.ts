import { describe, expect, it } from "@jest/globals";
import { paper } from "../../src/agents/paper/paper.ts";
import { lean } from "../../src/agents/phases.ts";
import { initialState } from "../../src/data/run-state.ts";
import { estimateCost } from "../../src/data/spend.ts";
import { proposedPlanText } from "../../src/report/end-of-run.ts";
import { trackingComment } from "../../src/report/tracking-comment.ts";
import { cutText } from "../../src/text/compose-markdown.ts";
import { samplePlan } from "../fakes/sample-plan.ts";
import { sampleRequest } from "../fakes/sample-request.ts";
import { sampleTask } from "../fakes/sample-task.ts";

describe("a plan that waits for approval", () => {
  it("shows no order and no meeting for a single task", () => {
    const text = proposedPlanText(samplePlan({ tasks: [sampleTask()], order: { run: "t1" }, meeting: [] }));
    expect(text).not.toContain("Order");
    expect(text).not.toContain("kick-off");
  });

  it("stays below GitHub's limit, with a note where it is cut", () => {
    const description = "A long line of words.\n".repeat(1_000);
    const tasks = Array.from({ length: 30 }, (_, at) => sampleTask({ id: `t${at + 1}`, description }));
    const meeting = tasks.map(({ id }) => ({ speaker: id, text: description }));
    const text = proposedPlanText(samplePlan({ tasks, meeting }));
    expect(text.length).toBeLessThan(60_000);
    expect(text.match(/The rest is not shown here/g)).toHaveLength(2);
  });

  it("estimates the cost of one round of review up to all of them, at the mean cost per call so far", () => {
    expect(estimateCost({ calls: 10, money: 1 }, { tasks: 2, rounds: 3, form: paper.form })).toEqual({
      perCall: 0.1,
      calls: [4, 10],
      tasks: 2,
      least: expect.closeTo(0.9),
      most: expect.closeTo(2.1),
    });
    expect(estimateCost({ calls: 0, money: 0 }, { tasks: 2, rounds: 3, form: lean.form })).toMatchObject({
      least: 0,
      most: 0,
    });
  });
});

describe("answers to commands", () => {
  it("say nothing in a queued run's tracking comment about the run that it continues", () => {
    const phases = initialState().phases.map((phase) => ({ ...phase, status: "done" as const }));
    const result = { kind: "failed", code: "UNEXPECTED", message: "It broke." } as const;
    const state = { ...initialState(), phases, result, resumed: 2, note: "A note.", queued: { ahead: 9 } };
    const comment = trackingComment(sampleRequest(), state, { money: 5, tokens: 1, minutes: 30 });
    expect(comment).toContain("### MAGIS will work on this issue when its turn comes");
    expect(comment).toContain("**Now:** queued behind 9 runs since");
    expect(comment).toContain("`/magis cancel`");
    expect(comment).not.toMatch(/broke|\[x\]|stopped|A note/);
  });
});

it("cutText cuts at a line, and never within a character", () => {
  expect(cutText("short", 10)).toBe("short");
  expect(cutText(`${"a".repeat(8)}\n${"b".repeat(8)}`, 12)).toMatch(/^a{8}\n\n_The rest/);
  expect(cutText(`aaa😀😀`, 4)).toMatch(/^aaa\n\n_The rest/);
});
