import { describe, expect, it } from "@jest/globals";
import { createPaperQaEngineer } from "../../../src/agents/paper/agents.ts";
import { openPrompts } from "../../fakes/open-prompts.ts";
import { sampleComment } from "../../fakes/sample-comment.ts";
import { sampleIssue } from "../../fakes/sample-issue.ts";
import { sampleTask } from "../../fakes/sample-task.ts";

const approve = { comments: [], settled: [], verdict: "Good.", approved: true };
const commentOn = (line: number | null) => ({ ...approve, approved: false, comments: [{ line, body: "Wrong." }] });
const sulk = { ...approve, approved: false };

/** Reviews a file of 5 lines; gives the review and the reason that went back to the model. */
async function reviewing(answer: object, { earlier = [sampleComment()].slice(1), lineCount = 5 } = {}) {
  const fake = await openPrompts({ "p11-review-change": ({ nth }) => (nth === 1 ? answer : approve) });
  const team = { tasks: [sampleTask()], agreed: "", finished: [] };
  const change = { round: 1, lastRound: 3, diff: "+a\n", excerpt: "1 | a", lineCount, earlier };
  const qaEngineer = { title: "QA", description: "Checks." };
  const review = await createPaperQaEngineer(fake.prompts).review({
    issue: sampleIssue(),
    task: sampleTask(),
    team,
    qaEngineer,
    ...change,
  });
  return { review, wentBack: fake.calls[1]?.reply };
}

describe("P11", () => {
  it.each([
    ["an approval", approve, {}],
    ["a comment on the last line", commentOn(5), {}],
    ["a comment on the whole file", commentOn(null), {}],
    ["a refusal without a new comment while an earlier one is open", sulk, { earlier: [sampleComment()] }],
    ["a comment on a line of a deleted file", commentOn(3), { lineCount: 0 }],
  ])("accepts %s", async (_, answer, change) => {
    const { review, wentBack } = await reviewing(answer, change);
    expect(wentBack).toBeUndefined();
    expect(review).toEqual(answer);
  });

  const comment = "A change that is not approved needs at least one comment that says what must be put right.";
  it.each([
    ["a refusal without a comment", sulk, {}, comment],
    [
      "a refusal with all earlier comments settled",
      { ...sulk, settled: ["t1-r1-1"] },
      { earlier: [sampleComment()] },
      comment,
    ],
    ["a line beyond the last", commentOn(6), {}, "Line 6 is not in the file, which has 5 lines."],
    ["line 0", commentOn(0), {}, "Line 0 is not in the file, which has 5 lines."],
  ])("sends back %s", async (_, answer, change, reason) => {
    expect(await reviewing(answer, change)).toEqual({ review: approve, wentBack: reason });
  });
});
