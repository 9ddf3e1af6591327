import { describe, expect, it } from "@jest/globals";
import { createPaperManager } from "../../../src/agents/paper/agents.ts";
import { openPrompts } from "../../fakes/open-prompts.ts";
import { sampleIssue } from "../../fakes/sample-issue.ts";
import { sampleTask } from "../../fakes/sample-task.ts";

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
