import { describe, expect, it } from "@jest/globals";
import { createPaperDeveloper } from "../../../src/agents/paper/agents.ts";
import { openPrompts } from "../../fakes/open-prompts.ts";
import { sampleIssue } from "../../fakes/sample-issue.ts";
import { sampleTask } from "../../fakes/sample-task.ts";

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
