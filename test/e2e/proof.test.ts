import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import { ownChecks } from "./check-scene.ts";
import { pushed, runChecks, startProofScene, title } from "./proof-scene.ts";
import type { Scene } from "./start-scene.ts";

/** For a busy machine: a test ends as soon as its condition holds. */
const WITHIN_MS = 240_000;

describe("a fix that the repository's checks prove", () => {
  let scene: Scene;
  let main = "";

  beforeAll(async () => {
    scene = await startProofScene({ ownProcess: true });
    main = await scene.world.git("rev-parse", "main");
    await runChecks(scene, main);
  }, WITHIN_MS);
  afterAll(() => scene.close(), WITHIN_MS);

  /** Another proof, already at its second test, which runs in the process that is killed. */
  let other: Awaited<ReturnType<typeof writtenAgain>>;

  /** Asks for a proof whose first test is wrong; gives its second, written by a call that says `said`. */
  async function writtenAgain(what: string, said: string) {
    const from = scene.model.journal.length;
    const issue = await scene.ask(title(what));
    const first = await pushed(scene, issue);
    await runChecks(scene, first.head.sha);
    const second = await pushed(scene, issue, first.head.sha);
    expect(await scene.world.git("diff", "--name-only", main, second.head.sha)).toBe("test/sum.test.js");
    expect(scene.calls("p09-change-file", from).some(({ call }) => call?.text.includes(said))).toBe(true);
    return { issue, second };
  }

  async function provedBySecond({ issue, second }: Awaited<ReturnType<typeof writtenAgain>>) {
    await runChecks(scene, second.head.sha);
    const green = await pushed(scene, issue, second.head.sha);
    await runChecks(scene, green.head.sha);
    const { pull } = await scene.ended(issue);
    expect(await scene.world.git("rev-parse", `${green.head.sha}^`)).toBe(second.head.sha);
    expect(pull?.body).toContain(`| without the fix, ${second.head.sha.slice(0, 10)} |`);
    expect(pull?.draft).toBe(false);
  }

  it(
    "has a test that is red without it and green with it, though the process is killed twice on the way",
    async () => {
      const { world } = scene;
      const issue = await scene.ask(title("bites"));
      const red = await pushed(scene, issue);
      expect(red.draft).toBe(true);
      expect(await world.git("diff", "--name-only", main, red.head.sha)).toBe("test/sum.test.js");
      expect(await world.git("log", "-1", "--format=%s", red.head.sha)).toMatch(/^test: /);
      expect(red.body).toContain("This commit holds the new test alone, which must fail first.");
      await world.until(async () => (scene.calls("p11-review-work").length >= 2 ? true : undefined), {
        what: "the fix is coded",
      });
      other = await writtenAgain("passes at first", "It passed on the code as it is");
      await scene.bot().kill();
      await scene.start();
      await runChecks(scene, red.head.sha);
      const green = await pushed(scene, issue, red.head.sha);
      expect(await world.git("diff", "--name-only", red.head.sha, green.head.sha)).toBe("src/sum.js");
      expect(await world.git("rev-parse", `${green.head.sha}^`)).toBe(red.head.sha);
      await scene.bot().kill();
      await scene.startHere();
      await runChecks(scene, green.head.sha);
      const { comment, pull } = await scene.ended(issue);
      expect(comment.body).toContain("Tested: its test failed without the fix and passes with it");
      expect(pull?.body).toContain(`| without the fix, ${red.head.sha.slice(0, 10)} |`);
      expect(pull?.body).toContain("| **red** in [");
      expect(pull?.body).toContain(`with the fix, ${green.head.sha.slice(0, 10)} |`);
      expect(pull?.body).toContain("| green in [");
      expect(pull?.body).toContain("Squash when you merge");
      expect(pull?.body).not.toContain("Not tested");
      expect(pull?.title).toMatch(/^fix: /);
      expect(pull?.draft).toBe(false);
      const [own] = await ownChecks(scene, green.head.sha);
      expect(own?.output.summary).not.toContain("| test |");
      expect(scene.calls("k01-plan-repair")).toHaveLength(0);
      expect(
        (await world.pullRequests()).filter(({ head }) => head.ref.startsWith(`magis/issue-${issue}-`)),
      ).toHaveLength(1);
    },
    WITHIN_MS,
  );

  it(
    "gets a second test when the first passes without the fix, though the process is killed after that",
    () => provedBySecond(other),
    WITHIN_MS,
  );

  it(
    "gets a second test when the first one crashes",
    async () => provedBySecond(await writtenAgain("breaks at first", "ReferenceError")),
    WITHIN_MS,
  );
});
