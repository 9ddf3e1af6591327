import { describe, expect, it } from "@jest/globals";
import {
  createPaperCustodian,
  createPaperDeveloper,
  createPaperManager,
  createPaperQaEngineer,
} from "../../../src/agents/paper/agents.ts";
import { openPrompts } from "../../fakes/open-prompts.ts";
import { sampleComment } from "../../fakes/sample-comment.ts";
import { sampleIssue } from "../../fakes/sample-issue.ts";
import { sampleTask } from "../../fakes/sample-task.ts";

const FILES = ["a.js", "b.js"].map((path) => ({ path, summary: `About ${path}.`, reasons: ["one", "two"] }));
const judged = (...paths: string[]) => ({ files: paths.map((path) => ({ path, reason: "So.", relevant: true })) });

async function judging(...answers: object[]) {
  const fake = await openPrompts({ "p03-judge-relevance": ({ nth }) => answers[nth - 1] ?? "" });
  return { ...fake, judgements: createPaperCustodian(fake.prompts).judgeRelevance(sampleIssue(), FILES) };
}

describe("P3", () => {
  it("judges every file, in the given order", async () => {
    const { judgements, calls } = await judging(judged("b.js", "a.js"));
    expect((await judgements).map(({ path }) => path)).toEqual(["a.js", "b.js"]);
    expect(calls[0]?.text).toContain("Why it was found: `one; two`");
  });

  it("is asked again, by name, for files that it left out", async () => {
    const { judgements, calls } = await judging(judged("a.js"), judged("a.js", "b.js"));
    expect(await judgements).toHaveLength(2);
    expect(calls[1]?.reply).toBe("These files were not judged: b.js. Judge every file, by its path as given.");
  });

  it("adds no path, and counts the first judgement of a path", async () => {
    const twice = {
      files: [...judged("a.js", "evil.js", "b.js").files, { path: "a.js", reason: "Not so.", relevant: false }],
    };
    const { judgements } = await judging(twice);
    expect((await judgements).map(({ path, relevant }) => [path, relevant])).toEqual([
      ["a.js", true],
      ["b.js", true],
    ]);
  });
});

describe("P1 and P2", () => {
  it("return the text trimmed, and send back an empty one once", async () => {
    const fake = await openPrompts({ "p02-summarise-file": ({ nth }) => (nth === 1 ? " \n" : "\nA file.\n") });
    expect(await createPaperCustodian(fake.prompts).summariseFile("a.js", "a();")).toBe("A file.");
    expect(fake.calls[1]?.reply).toContain("The answer is empty");
  });
});

const team = { tasks: [sampleTask(), sampleTask({ id: "t2", path: "b.js" })], agreed: "", finished: [] };
const close = { summary: "Agreed.", revised: [], dropped: [], added: [] };

describe("the end of the kick-off meeting", () => {
  it.each([
    [{ ...close, dropped: ["t3"] }, "There are no tasks t3; the tasks are t1, t2."],
    [
      { ...close, revised: [{ id: "T1", description: "Other." }], dropped: ["x"] },
      "There are no tasks T1, x; the tasks are t1, t2.",
    ],
  ])("accepts only ids of the meeting's tasks, and sends others back", async (wrong, reason) => {
    const fake = await openPrompts({ "m03-close-meeting": ({ nth }) => (nth === 1 ? wrong : close) });
    expect(await createPaperManager(fake.prompts).closeMeeting(sampleIssue(), team, [])).toEqual(close);
    expect(fake.calls[1]?.reply).toBe(reason);
  });

  it("needs a summary", async () => {
    const fake = await openPrompts({ "m03-close-meeting": { ...close, summary: " " } });
    await expect(createPaperManager(fake.prompts).closeMeeting(sampleIssue(), team, [])).rejects.toMatchObject({
      code: "ANSWER_INVALID",
    });
  });
});

describe("P4", () => {
  it("cannot name another file or another action", async () => {
    const answer = { needed: true, reason: "So.", title: "T", description: "D", newFiles: [], path: "/etc/passwd" };
    const fake = await openPrompts({
      "p04-define-task": ({ nth }) => ({ ...answer, action: nth === 1 ? "rename" : "modify" }),
    });
    const definition = await createPaperManager(fake.prompts).defineTask(
      sampleIssue(),
      { path: "a.js", content: "1 | a" },
      [],
    );
    expect(definition).not.toHaveProperty("path");
    expect(fake.calls).toHaveLength(2);
  });
});

const task = sampleTask();
const work = { issue: sampleIssue(), task, team: { tasks: [task], agreed: "", finished: [] }, previous: null };
const file = { path: task.path, content: "1 | a" };

describe("the Developer", () => {
  it("may answer with nothing, which deletes the lines (P10)", async () => {
    const fake = await openPrompts({ "p10-write-code": "" });
    const interval = { start: 1, end: 1, change: "Remove it." };
    const part = { interval, oldPart: "a\n", intervals: [interval], written: [] };
    expect(await createPaperDeveloper(fake.prompts).writeCode(work, file, part)).toBe("");
    expect(fake.calls).toHaveLength(1);
  });

  it("may not leave a new file empty", async () => {
    const fake = await openPrompts({ "p10-write-new-file": ({ nth }) => (nth === 1 ? " \n" : "a();\n") });
    expect(await createPaperDeveloper(fake.prompts).writeNewFile(work, [])).toBe("a();\n");
    expect(fake.calls[1]?.reply).toContain("The answer is empty");
  });

  it("has to give its QA Engineer a title and a description (P8)", async () => {
    const fake = await openPrompts({ "p08-describe-qa-engineer": { title: "QA", description: "" } });
    await expect(createPaperDeveloper(fake.prompts).describeQaEngineer(work.issue, task, file)).rejects.toMatchObject({
      code: "ANSWER_INVALID",
    });
  });
});

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
