import { describe, expect, it } from "@jest/globals";
import { createPaperCustodian } from "../../../src/agents/paper/agents.ts";
import { openPrompts } from "../../fakes/open-prompts.ts";
import { sampleIssue } from "../../fakes/sample-issue.ts";

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
