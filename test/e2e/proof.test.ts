import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import { ownChecks, told } from "./check-scene.ts";
import { pushed, runChecks, startProofScene, title } from "./proof-scene.ts";
import type { Scene } from "./start-scene.ts";

/** For a busy machine: each ends when its condition holds. */
const WITHIN_MS = 240_000;

describe("a fix that the repository's checks prove", () => {
  let scene: Scene;
  let main = "";

  beforeAll(async () => {
    scene = await startProofScene();
    main = await scene.world.git("rev-parse", "main");
    await runChecks(scene, main);
  }, WITHIN_MS);
  afterAll(() => scene.close(), WITHIN_MS);

  it(
    "shows its test red without the fix, then green with it, whenever its process is killed",
    async () => {
      const { world } = scene;
      const issue = await scene.ask(title("bites"));
      const red = await pushed(scene, issue);
      expect(red.draft).toBe(true);
      expect(await world.git("diff", "--name-only", main, red.head.sha)).toBe("test/sum.test.js");
      expect(await world.git("log", "-1", "--format=%s", red.head.sha)).toMatch(/^test: /);
      expect(red.body).toContain("**is to fail** in the checks of this commit");
      await world.until(async () => (scene.calls("p11-review-work").length >= 2 ? true : undefined), {
        what: "the fix is coded",
      });
      await scene.bot().kill();
      await scene.start();
      await runChecks(scene, red.head.sha);
      const green = await pushed(scene, issue, red.head.sha);
      expect(await world.git("diff", "--name-only", red.head.sha, green.head.sha)).toBe("src/sum.js");
      expect(await world.git("rev-parse", `${green.head.sha}^`)).toBe(red.head.sha);
      await scene.bot().kill();
      await scene.start();
      await runChecks(scene, green.head.sha);
      const { comment, pull } = await scene.ended(issue);
      expect(comment.body).toContain("Its test failed in the repository's checks without the fix, and passes with it.");
      expect(pull?.body).toContain(`| ${red.head.sha.slice(0, 10)}, the test alone | [test](`);
      expect(pull?.body).toContain("| **fails**: ");
      expect(pull?.body).toContain(`| ${green.head.sha.slice(0, 10)}, with the fix | [test](`);
      expect(pull?.body).toContain("Squash when you merge");
      expect(pull?.body).not.toContain("No test, build or linter was run.");
      expect(pull?.title).toMatch(/^fix: /);
      expect(pull?.draft).toBe(false);
      const [own] = await ownChecks(scene, green.head.sha);
      expect(own?.output.summary).toContain("the test alone");
      expect(scene.calls("k01-plan-repair")).toHaveLength(0);
      expect(
        (await world.pullRequests()).filter(({ head }) => head.ref.startsWith(`magis/issue-${issue}-`)),
      ).toHaveLength(1);
    },
    WITHIN_MS,
  );

  it.each([
    ["bites not at first", "It passed on the code as it is"],
    ["breaks at first", "ReferenceError"],
  ])(
    "has its test written again, once, when it %s",
    async (what, said) => {
      const from = scene.model.journal.length;
      const issue = await scene.ask(title(what));
      const first = await pushed(scene, issue);
      await runChecks(scene, first.head.sha);
      const second = await pushed(scene, issue, first.head.sha);
      expect(await scene.world.git("diff", "--name-only", main, second.head.sha)).toBe("test/sum.test.js");
      expect(scene.calls("p09-change-file", from).some(({ call }) => call?.text.includes(said))).toBe(true);
      await runChecks(scene, second.head.sha);
      const green = await pushed(scene, issue, second.head.sha);
      await runChecks(scene, green.head.sha);
      const { pull } = await scene.ended(issue);
      expect(pull?.body).toContain(`| ${second.head.sha.slice(0, 10)}, the test alone |`);
      expect(pull?.draft).toBe(false);
      await scene.refresh();
    },
    WITHIN_MS,
  );

  it(
    "is said not to be shown when its test passes twice without it, and stays a draft",
    async () => {
      const issue = await scene.ask(title("never bites"));
      const first = await pushed(scene, issue);
      await runChecks(scene, first.head.sha);
      const second = await pushed(scene, issue, first.head.sha).catch(() => undefined);
      if (
        second &&
        (await scene.world.git("diff", "--name-only", first.head.sha, second.head.sha)) === "test/sum.test.js"
      )
        await runChecks(scene, second.head.sha);
      const { pull, comment } = await scene.ended(issue);
      expect(pull?.body).toContain("the fault could not be shown");
      expect(comment.body).toContain("the fault could not be shown. Is it still there");
      await runChecks(scene, pull?.head.sha ?? "");
      expect((await scene.ended(issue)).pull?.draft).toBe(true);
    },
    WITHIN_MS,
  );

  it(
    "is not proved by a check that was cancelled",
    async () => {
      await scene.refresh();
      const issue = await scene.ask(title("cancelled"));
      const red = await pushed(scene, issue);
      await scene.world.ci(red.head.sha, [{ name: "test", conclusion: "cancelled" }], { suite: true });
      const { pull } = await scene.ended(issue);
      expect(pull?.body).toContain("the checks of the test alone say nothing: they were cancelled.");
      expect(pull?.draft).toBe(true);
    },
    WITHIN_MS,
  );

  it(
    "is left to a person who pushes in between",
    async () => {
      const issue = await scene.ask(title("a person"));
      const red = await pushed(scene, issue);
      await scene.world.person("alice").push(red.head.ref, { "notes.txt": "mine\n" });
      await runChecks(scene, red.head.sha);
      const now = await pushed(scene, issue, red.head.sha);
      await runChecks(scene, now.head.sha);
      const { comment, pull } = await scene.ended(issue);
      expect(comment.body).toContain("A person has committed to its branch.");
      expect(pull?.head.sha).toBe(now.head.sha);
      await told(scene, now, "has committed to this branch");
    },
    WITHIN_MS,
  );

  it(
    "is not for features, which is said",
    async () => {
      await scene.refresh();
      const issue = await scene.ask(title("a feature"));
      const { pull } = await scene.ended(issue);
      expect(pull?.body).toContain("No proof by red and green checks: the change is no bug fix.");
      expect(await scene.world.git("rev-parse", `${pull?.head.sha}^`)).toBe(main);
    },
    WITHIN_MS,
  );

  it.each([
    ["wait for a person", "action_required", "The checks of this draft wait for a person"],
    ["do not come", undefined, "No check has come for this draft so far."],
  ] as const)(
    "is published without a proof when its checks %s, which is said once",
    async (_what, conclusion, said) => {
      await scene.bot().stop();
      await scene.start({ MAGIS_CHECKS_WAIT: "0.05" });
      const issue = await scene.ask(title(`checks ${conclusion}`));
      const red = await pushed(scene, issue);
      if (conclusion) await scene.world.ci(red.head.sha, [{ name: "test", conclusion }]);
      const { pull } = await scene.ended(issue);
      await told(scene, red, said);
      expect(pull?.body).toContain("the checks of the test alone say nothing");
      expect(pull?.draft).toBe(true);
    },
    WITHIN_MS,
  );

  it(
    "is not tried on a base that is red",
    async () => {
      await scene.refresh();
      await scene.world.ci(main, [{ name: "test", conclusion: "failure", log: "" }], { suite: true });
      const { pull } = await scene.ended(await scene.ask(title("base red")));
      expect(pull?.body).toContain("the commit that it begins from is red already (test).");
    },
    WITHIN_MS,
  );
});
