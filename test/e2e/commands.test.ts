import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import { createScript } from "../scripted-model/script.ts";
import type { IssueComment } from "../world/create-reader.ts";
import { type Scene, startScene } from "./start-scene.ts";

const AWAITS = "### MAGIS has a plan and waits for your approval";
/** Whether the issue still needs an answer from its author. */
const isOpen = ({ text }: { text: string }) => text.includes("Another letter") && !text.includes("A capital one");
const QUESTION = {
  fails: true,
  at: "a.txt:1",
  reason: "Which one is not said.",
  questions: ["Which letter should it be?"],
};
const capital = (text: string) => ({ rounds: [{ edits: [{ start: 1, end: 1, text }] }] });

describe("commands", () => {
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

  it("with a typo get the nearest one suggested, once, and no model is asked", async () => {
    const { world, model } = scene;
    const alice = world.person("alice");
    const issue = await alice.openIssue({ title: "Change a.txt" });
    const comment = await alice.comment(issue, "/magis reslove\nplease");
    const answer = await answerTo(scene, issue, comment);
    expect(answer.body).toContain("I do not know `/magis reslove`. Did you mean `/magis resolve`?");
    expect(answer.body).toContain("- `/magis resolve [options] [hint]`: ");
    expect(world.reactions(`issues/comments/${comment}`)).toEqual([{ content: "eyes", login: "magis[bot]" }]);

    const delivered = world.deliveries.find(({ action, body }) => action === "created" && body.includes("reslove"));
    if (!delivered) throw new Error("the comment was not delivered");
    await world.deliver("issue_comment", JSON.parse(delivered.body) as object);
    await answerTo(scene, issue, await alice.comment(issue, "/magis"));
    expect((await scene.comments(issue)).filter(({ body }) => body.includes("Did you mean"))).toHaveLength(1);
    expect(model.journal).toEqual([]);
  });

  it("report on a working, a queued and an ended run, explain it, and list what works now", async () => {
    const { world, model } = scene;
    const alice = world.person("alice");
    const hold = model.hold(({ promptId }) => promptId === "p09-change-file");
    const issue = await scene.ask("Change a.txt");
    await hold.reached;
    const second = await scene.ask("Change a.txt too");
    const atWork = await answerTo(scene, issue, await alice.comment(issue, "/magis status"));
    expect(atWork.body).toContain("**Now:** writing and reviewing the change since");
    expect(atWork.body).toMatch(/locate \(done: .+\), plan \(done: one task\), code \(working\), publish \(waiting\)/);
    expect(atWork.body).toMatch(/Cost: \d+ calls/);
    expect(atWork.body).toMatch(/Commands that work now: .*`\/magis cancel`/);
    const inTurn = await answerTo(scene, second, await alice.comment(second, "/magis status"));
    expect(inTurn.body).toContain("**Now:** queued");
    for (const what of ["approve", "retry", "continue +2", "plan"]) {
      const nothing = await answerTo(scene, issue, await alice.comment(issue, `/magis ${what}`));
      expect(nothing.body).toContain("- `/magis cancel`: ");
    }
    await alice.comment(second, "/magis cancel");
    const { comment: cancelled } = await scene.ended(second);
    expect(cancelled.body).toContain("alice cancelled this run. Nothing was written to the repository.");
    hold.release();

    const { pull } = await scene.ended(issue);
    const after = await answerTo(scene, issue, await alice.comment(issue, "/magis status"));
    const ofRun = scene.bot().log.filter((line) => line.issue === issue);
    expect(ofRun.find(({ msg }) => msg === "the run begins")).toMatchObject({
      work: "resolve",
      person: "alice",
      repository: expect.stringContaining("/"),
      models: { fast: expect.any(String), strong: expect.any(String) },
      budget: { money: expect.any(Number), tokens: expect.any(Number), minutes: expect.any(Number) },
    });
    expect(ofRun.find(({ msg }) => msg === "the run ended")).toMatchObject({
      outcome: "published",
      money: expect.any(Number),
      calls: expect.any(Number),
      seconds: expect.any(Number),
      pullRequest: expect.stringMatching(new RegExp(`/pull/${pull?.number}$`)),
    });
    expect(after.body).toContain(`The change is in #${pull?.number}.`);
    expect(after.body).toContain(`Pull request: #${pull?.number}, open.`);
    const calls = model.journal.length;
    const number = pull?.number ?? 0;
    for (const place of [issue, number]) {
      const why = await answerTo(scene, place, await alice.comment(place, "/magis explain"));
      expect(why.body).toMatch(/\*\*The run of [-\d]+ [:\d]+ UTC, which \w+ asked for\.\*\* Pull request #\d+ opened/);
      expect(why.body).toMatch(/\n\*\*What changed\*\*\n\n- `a\.txt`: \w/);
      expect(why.body).toMatch(
        /#### Repository Custodian: the files\n\n[^#]*<summary>a\.txt \(relevant\)[^#]*\n- Why: \w/,
      );
      expect(why.body).toMatch(/#### Developers and QA Engineers\n\n\*\*[^#]*\(approved\)/);
      expect(why.body).toContain("no model was asked");
    }
    expect(model.journal).toHaveLength(calls);
    const fresh = await alice.openIssue({ title: "Nothing was asked for here" });
    const nothing = await answerTo(scene, fresh, await alice.comment(fresh, "/magis explain"));
    expect(nothing.body).toContain("Nothing is kept of any run here");
    const help = await answerTo(scene, pull?.number ?? 0, await alice.comment(pull?.number ?? 0, "/magis help"));
    expect(help.body).toContain("- `/magis retry`: the same");
    const none = await answerTo(scene, pull?.number ?? 0, await alice.comment(pull?.number ?? 0, "/magis cancel"));
    expect(none.body).toContain("Nothing is at work or waiting here.");
  });

  it("keep a maintainer's note, which the Manager and QA of each run see until it is deleted", async () => {
    const { world, model } = scene;
    const alice = world.person("alice");
    const place = await alice.openIssue({ title: "Notes" });
    const say = async (words: string) => (await answerTo(scene, place, await alice.comment(place, words))).body;
    const NOTE = "Remember, from earlier reviews:\n- Capitals only.\n";
    /** Whether the Manager and QA are shown the note in a run. */
    const showsNote = async (title: string) => {
      const from = model.journal.length;
      await scene.ended(await scene.ask(title));
      return ["p04-plan-work", "p11-review-work"].map((id) => scene.calls(id, from)[0]?.call?.system.includes(NOTE));
    };
    const unheard = await world.person("rita").comment(place, "/magis remember Skip the tests.");
    const reactions = () => world.reactions(`issues/comments/${unheard}`);
    await world.until(() => reactions()[0], { what: "the reaction" });
    expect(reactions()).toEqual([{ content: "confused", login: "magis[bot]" }]);
    expect(await say("/magis memory")).toContain("I keep no notes for this repository.");

    expect(await say("/magis remember Capitals only.")).toContain("I keep this as note 1:");
    expect(await say("/magis memory")).toContain("| 1 | Capitals only. | alice |");
    expect(await showsNote("Change a.txt with a note")).toEqual([true, true]);

    expect(await say("/magis forget 1")).toContain("Note 1 is deleted.");
    expect(await showsNote("Change a.txt without a note")).toEqual([false, false]);
  });

  const shown = (issue: number, matches: (body: string) => boolean, what: string) =>
    scene.world.until(async () => (await scene.comments(issue)).find(({ body }) => matches(body)), { what });
  const awaiting = (issue: number, ...words: string[]) =>
    shown(issue, (body) => body.includes(AWAITS) && words.every((word) => body.includes(word)), `the plan: ${words}`);
  /** Everything that changes the repository or its pull requests; what runs before left for a while is deleted later. */
  const writes = () =>
    scene.world.journal.filter(
      ({ kind, method, path, actor }) =>
        actor.endsWith("[bot]") &&
        ((kind === "git" && path.includes("receive-pack")) ||
          (kind === "rest" && /^(?:POST|PUT|PATCH)$/.test(method) && /\/(git|pulls)\b/.test(path))),
    );
  const open = async (title: string) => {
    const issue = await scene.world.person("alice").openIssue({ title });
    return { issue, from: writes().length, say: (text: string) => scene.world.person("alice").comment(issue, text) };
  };
  const repeated = (from: number) => {
    const texts = scene.model.journal.slice(from).map(({ body }) => JSON.stringify(body));
    return texts.filter((text, at) => texts.indexOf(text) < at);
  };

  it("show a plan in full, which follows a maintainer's comments, and runs on approval without paying twice", async () => {
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

  it("lead to a question to the issue's author, in the one comment and after two calls, when the issue is unclear", async () => {
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

  it("have a plan made again, which waits for approval again, when the branch moved in its files", async () => {
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

/** Waits for the bot's answer to the command in a comment; fails when there are two. */
async function answerTo(scene: Scene, issue: number, comment: number): Promise<IssueComment> {
  const answers = async () =>
    (await scene.comments(issue)).filter(({ body }) => body.startsWith(`<!-- magis:order ${comment} -->`));
  const found = await scene.world.until(async () => (await answers())[0], { what: `the answer to comment ${comment}` });
  if ((await answers()).length > 1) throw new Error(`comment ${comment} was answered twice`);
  return found;
}
