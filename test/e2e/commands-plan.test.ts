import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import { createScript } from "../scripted-model/script.ts";
import { type Scene, startScene } from "./start-scene.ts";

const AWAITS = "### MAGIS has a plan and waits for your approval";
/** Whether the issue still needs an answer from its author. */
const isOpen = ({ text }: { text: string }) => text.includes("Another letter") && !text.includes("A capital one");
const QUESTION = {
  example: "a.txt has a letter.",
  fails: true,
  at: "a.txt:1",
  reason: "Which one is not said.",
  questions: ["Which letter should it be?"],
};
const capital = (text: string) => ({ rounds: [{ edits: [{ start: 1, end: 1, text }] }] });

describe("a plan that waits for approval", () => {
  let scene: Scene;
  beforeAll(async () => {
    scene = await startScene({
      // Pull requests of other tests here would follow when the base moves on.
      repository: {
        files: { "a.txt": "a\n", "b.txt": "b\n", "c.txt": "c\n", ".github/magis.yml": "update: never\n" },
      },
      script: createScript({
        files: { "a.txt": capital("A"), "b.txt": capital("B"), "c.txt": capital("C") },
        answers: { "p04-plan-work": (call) => (isOpen(call) ? QUESTION : undefined) },
      }),
    });
  });
  afterAll(() => scene.close());

  const shown = (issue: number, matches: (body: string) => boolean, what: string) =>
    scene.world.until(async () => (await scene.comments(issue)).find(({ body }) => matches(body)), { what });
  const awaiting = (issue: number, ...words: string[]) =>
    shown(issue, (body) => body.includes(AWAITS) && words.every((word) => body.includes(word)), `the plan: ${words}`);
  /** Everything that changes the repository or its pull requests. */
  const writes = () =>
    scene.world.journal.filter(
      ({ kind, method, path, actor }) =>
        actor.endsWith("[bot]") &&
        ((kind === "git" && path.includes("receive-pack")) ||
          (kind === "rest" && method !== "GET" && /\/(git|pulls)\b/.test(path))),
    );
  const open = async (title: string) => {
    const issue = await scene.world.person("alice").openIssue({ title });
    return { issue, from: writes().length, say: (text: string) => scene.world.person("alice").comment(issue, text) };
  };
  const repeated = (from: number) => {
    const texts = scene.model.journal.slice(from).map(({ body }) => JSON.stringify(body));
    return texts.filter((text, at) => texts.indexOf(text) < at);
  };

  it("is shown in full, follows a maintainer's comments, and runs on approval without paying twice", async () => {
    const calls = scene.model.journal.length;
    const { issue, from, say } = await open("Capitals in a.txt and b.txt");
    await say("/magis plan carefully");
    const { body } = await awaiting(issue);
    expect(body).toMatch(/\| t1 \| `a.txt` \| modify \| Change a.txt \|\n\| t2 \| `b.txt` \| modify \|/);
    expect(body).toContain("**Order:** t1, then t2.");
    expect(body).toMatch(/\*\*Estimate:\*\* \$[\d.]+ to \$[\d.]+ more\. That is 2 tasks of \d+ to \d+ calls each/);
    expect(body).not.toContain("The kick-off meeting");
    expect(body).toContain("Commands that work now: `/magis approve`, `/magis plan`");

    await scene.world.person("rita").comment(issue, "Leave b.txt alone!");
    await say("Please take c.txt in as well.");
    await awaiting(issue, "`c.txt`");
    const p04 = scene.calls("p04-plan-work", calls).at(-1)?.call?.text ?? "";
    expect(p04).toContain("carefully\n\nPlease take c.txt in as well.");
    expect(p04).not.toContain("Leave b.txt alone!");
    expect(writes()).toHaveLength(from);
    expect(scene.calls("p09-change-file", calls)).toEqual([]);

    await say("/magis approve");
    await shown(issue, (text) => text.includes("MAGIS opened pull request #"), "the pull request");
    const { pull } = await scene.ended(issue);
    expect(await scene.world.diff(pull?.number ?? 0)).toContain("+C");
    expect(repeated(calls)).toEqual([]);
    expect(await scene.comments(issue)).toHaveLength(1);
  });

  it("follows a question to the issue's author, asked in its one comment after two calls, when the issue is unclear", async () => {
    const calls = scene.model.journal.length;
    const issue = await scene.world.person("rita").openIssue({ title: "Another letter in a.txt" });
    const from = writes().length;
    await scene.world.person("alice").comment(issue, "/magis resolve");
    const { body } = await shown(issue, (text) => text.includes("MAGIS has a question about this issue"), "a question");
    expect(body).toContain("1. Which letter should it be?");
    expect(scene.model.journal).toHaveLength(calls + 2);
    expect(writes()).toHaveLength(from);
    await scene.world.person("rita").comment(issue, "A capital one.");
    await shown(issue, (text) => text.includes("MAGIS opened pull request #"), "the pull request");
    const p04 = scene.calls("p04-plan-work", calls).at(-1)?.call?.text ?? "";
    expect(p04).toMatch(/1\. Which letter should it be\?[\s\S]*text from (?:author|maintainer)\nA capital one\./);
    expect((await scene.comments(issue)).filter(({ body: text }) => text.includes("MAGIS"))).toHaveLength(1);
  });

  it("is made again, and waits for approval again, when the branch moved in its files", async () => {
    const { issue, from, say } = await open("A capital in b.txt");
    await say("/magis plan");
    await awaiting(issue);
    const tip = await scene.world.person("alice").push("main", { "b.txt": `b\nfor ${issue}\n` });
    await say("/magis approve");
    const { body } = await awaiting(issue, "have touched `b.txt`. The plan was made again.");
    expect(body).toContain(`The plan is made for commit \`${tip.slice(0, 10)}\` of \`main\`.`);
    expect(writes()).toHaveLength(from);
    await say("/magis approve");
    await shown(issue, (text) => text.includes("MAGIS opened pull request #"), "the pull request");
    const { pull } = await scene.ended(issue);
    expect(await scene.world.git("rev-parse", `${pull?.head.sha}^`)).toBe(tip);
  });
});
