import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import type { LogLine } from "../bot/start-bot.ts";
import { DURABLE_FILES, durableScript } from "./durable-script.ts";
import { type Scene, startScene } from "./start-scene.ts";

/** The bot should take less than 5 s; the rest is for a busy machine. */
const CANCELLED_WITHIN_MS = 50_000;
const WITHIN_MS = 240_000;

describe("cancelling a run", () => {
  let scene: Scene;
  beforeAll(async () => {
    scene = await startScene({ repository: { files: DURABLE_FILES }, script: durableScript() });
  });
  afterAll(() => scene.close());

  /** Ends the run on `issue` with `order` and expects it to stop in time and leave nothing behind. */
  async function expectCancelled(issue: number, order: () => Promise<unknown>): Promise<string> {
    const { world } = scene;
    const began = performance.now();
    await order();
    const { comment, pull } = await scene.ended(issue);
    expect(performance.now() - began).toBeLessThan(CANCELLED_WITHIN_MS);
    expect(comment.body).toContain("### MAGIS was told to stop");
    expect(comment.body).toContain("`/magis retry` goes on from there.");
    expect(comment.body).not.toContain("It was interrupted");
    expect(await scene.comments(issue)).toHaveLength(1);
    expect(pull?.state ?? "closed").toBe("closed");
    const left = await world.git(
      "for-each-ref",
      "--format=%(refname)",
      `refs/heads/magis/issue-${issue}-*`,
      "refs/magis",
    );
    expect(left).toBe("");
    return comment.body;
  }
  /** Waits until the run has stopped working; it reports its end after that. */
  const cancelled = (issue: number) => {
    const isOf = ({ msg, runs }: LogLine) => msg === "runs cancelled" && JSON.stringify(runs).includes(`#${issue}@`);
    return scene.world.until(() => scene.bot().log.find(isOf), { what: "the cancel" });
  };
  const command = (issue: number) => () => scene.world.person("alice").comment(issue, "/magis cancel");

  it.each([
    ["locate", "c02-locate-files"],
    ["plan", "p04-plan-work"],
    ["code", "p09-change-file"],
  ])(
    "stops within five seconds during a model call in %s",
    async (phase, prompt) => {
      const hold = scene.model.hold(({ promptId }) => promptId === prompt);
      const issue = await scene.ask(`greet.txt has a typo (${phase})`);
      await hold.reached;
      const body = await expectCancelled(issue, command(issue));
      expect(body).toContain("alice cancelled this run. Nothing was written to the repository.");
      const calls = scene.model.journal.length;
      hold.release();
      expect(scene.model.journal).toHaveLength(calls);
    },
    WITHIN_MS,
  );

  it.each([
    ["the commit", "POST", /\/git\/commits$/, "Nothing was written"],
    ["the branch and the pull request", "POST", /\/git\/refs$/, "Taken back: the branch"],
    ["the pull request and its review", "POST", /\/pulls$/, "Taken back: pull request #"],
    ["the pull request and a slow answer", "GET", /\/pulls\/\d+\/reviews/, "Taken back: pull request #"],
  ])(
    "stops within five seconds after %s, and takes back what it published",
    async (what, method, path, words) => {
      const hold = scene.world.hold({ method, path, when: "after" });
      const issue = await scene.ask(`greet.txt has a typo (${what})`);
      await hold.reached;
      const body = await expectCancelled(issue, async () => {
        await command(issue)();
        await cancelled(issue);
        hold.release();
      });
      expect(body).toContain(words);
    },
    WITHIN_MS,
  );

  it(
    "stops when the label is removed; `retry` goes on without paying again",
    async () => {
      const { world, model } = scene;
      const alice = world.person("alice");
      const from = model.journal.length;
      const hold = model.hold(({ promptId }) => promptId === "p11-review-work");
      const issue = await scene.ask("greet.txt has a typo (label)");
      await hold.reached;
      await expectCancelled(issue, () => alice.unlabel(issue, "magis"));
      hold.release();
      await alice.comment(issue, "/magis retry");
      const found = await world.until(
        async () => (await world.pullRequests()).find(({ head }) => head.ref.startsWith(`magis/issue-${issue}-`)),
        { what: "the pull request" },
      );
      expect(found.state).toBe("open");
      const texts = model.journal.slice(from).map(({ body }) => JSON.stringify(body));
      const again = model.journal.slice(from).filter(({ body }, at) => texts.indexOf(JSON.stringify(body)) < at);
      expect(again.map(({ call }) => call?.promptId)).toEqual(["p11-review-work"]);
      await world.until(async () => (await scene.ended(issue)).comment.body.includes("MAGIS opened pull request"), {});
      expect(await scene.comments(issue)).toHaveLength(1);
    },
    WITHIN_MS,
  );

  it(
    "`retry` opens a new pull request after the first was taken back",
    async () => {
      const { world } = scene;
      const hold = world.hold({ method: "POST", path: /\/pulls$/, when: "after" });
      const issue = await scene.ask("greet.txt has a typo (again)");
      await hold.reached;
      await expectCancelled(issue, async () => {
        await command(issue)();
        await cancelled(issue);
        hold.release();
      });
      await world.person("alice").comment(issue, "/magis retry");
      const pulls = async () =>
        (await world.pullRequests()).filter(({ head }) => head.ref.startsWith(`magis/issue-${issue}-`));
      await world.until(async () => (await pulls()).length === 2, { what: "the second pull request" });
      expect((await pulls()).map(({ state }) => state)).toEqual(["closed", "open"]);
      await world.until(async () => (await scene.comments(issue))[0]?.body.includes("MAGIS opened pull request"), {});
    },
    WITHIN_MS,
  );
});
