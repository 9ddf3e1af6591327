import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import { createScript } from "../scripted-model/script.ts";
import { type Scene, startScene } from "./start-scene.ts";

const NAMES = ["a.txt", "b.txt", "c.txt", "d.txt"];
const capital = { rounds: [{ edits: [{ start: 1, end: 1, text: "CAPITALS" }] }] };

describe("runs beyond one", () => {
  let scene: Scene;
  beforeAll(async () => {
    scene = await startScene({
      repository: { files: Object.fromEntries(NAMES.map((name) => [name, "small\n"])) },
      script: createScript({ files: Object.fromEntries(NAMES.map((name) => [name, capital])) }),
      // A run may cost as much as the day.
      environment: { MAGIS_BUDGET_MONEY: "5", MAGIS_BUDGET_DAY: "5", MAGIS_OPEN_PULL_REQUESTS: "4" },
    });
  });
  afterAll(() => scene.close());

  const say = (issue: number, text: string) => scene.world.person("alice").comment(issue, text);
  const saying = (issue: number, words: string) =>
    scene.world.until(async () => (await scene.comments(issue)).find(({ body }) => body.includes(words)), {
      what: words,
    });
  /** Has a plan made for an issue; gives the issue and the comment that shows the plan. */
  async function planned(title: string) {
    const issue = await scene.world.person("alice").openIssue({ title });
    await say(issue, "/magis plan");
    const { id, body } = await saying(issue, "waits for your approval");
    return { issue, body, now: async () => (await scene.comments(issue)).find((one) => one.id === id)?.body };
  }
  /** The tracking comments of an issue; there should be one. */
  const tracking = async (issue: number) =>
    (await scene.comments(issue)).map(({ body }) => body).filter((body) => body.includes("magis:run"));

  let last: Awaited<ReturnType<typeof planned>>;

  it("are refused until tomorrow when the day's budget does not cover them; a plan that was paid goes on", async () => {
    const { issue, body, now } = await planned("Capitals in a.txt");
    const calls = scene.model.journal.length;
    const { comment } = await scene.ended(await scene.ask("Capitals in b.txt"));
    expect(comment.body).toContain("### MAGIS did not start\n\nWhat is left of my budget for today does not cover");
    expect(comment.body).toMatch(/I can start again on \d{4}-\d\d-\d\d at 00:00 UTC/);
    expect(comment.body).not.toContain("$5");
    expect(scene.model.journal).toHaveLength(calls);
    expect(await now()).toBe(body);
    // The plan counts as the same run: what its paid calls cost is within the run's budget.
    await say(issue, "/magis approve");
    await saying(issue, "### MAGIS opened");
    await scene.bot().stop();
    await scene.startHere({ MAGIS_BUDGET_DAY: "100" });
    last = await planned("Capitals in d.txt");
  });

  it("of a repository take turns, and each comment shows its place in the queue and then its progress", async () => {
    const { world, model } = scene;
    const alice = world.person("alice");
    const hold = model.hold(({ promptId }) => promptId === "c02-locate-files");
    const issues: number[] = [];
    for (const one of ["one", "two", "three"])
      issues.push(await alice.openIssue({ title: `Capitals in c.txt (${one})` }));
    await Promise.all(issues.map((issue) => alice.label(issue, "magis")));
    await hold.reached;
    const posted = async () => {
      const texts = (await Promise.all(issues.map(tracking))).flat();
      return texts.length === issues.length ? texts : undefined;
    };
    const texts = await world.until(posted, { what: "a comment on each issue" });
    const numbers = texts.map((text) => /queued behind (\d+) runs? since/.exec(text)?.[1] ?? "none");
    expect(numbers.sort()).toEqual(["1", "2", "none"]);
    expect(texts.filter((text) => text.includes("### MAGIS is working on this issue"))).toHaveLength(1);
    const isQueued = (text: string) => text.includes("### MAGIS will work on this issue when its turn comes");
    expect(texts.filter(isQueued)).toHaveLength(2);
    hold.release();
    for (const issue of issues) {
      const { comment, pull } = await scene.ended(issue);
      expect(comment.body).toContain(`### MAGIS opened pull request #${pull?.number}`);
      expect(comment.body).not.toContain("It was interrupted");
      expect(await tracking(issue)).toHaveLength(1);
    }
  });

  it("wait while too many pull requests are open in the repository; the plan stays until one is closed", async () => {
    const { issue, body, now } = last;
    await say(issue, "/magis approve");
    await saying(issue, "I did not go on. I have 4 open pull requests in this repository, and my limit is 4.");
    expect(await now()).toBe(body);
    const [pull] = await scene.world.pullRequests();
    await scene.world.person("alice").closePull(pull?.number ?? 0);
    const noted = () => scene.bot().log.some(({ msg, trigger }) => msg === "delivery recorded" && trigger === "gone");
    await scene.world.until(noted, { what: "the end of the pull request" });
    await say(issue, "/magis approve");
    await saying(issue, "### MAGIS opened");
  });
});
