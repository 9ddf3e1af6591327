import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import { commentWith } from "./check-scene.ts";
import { pushed, runChecks, startProofScene, title } from "./proof-scene.ts";
import type { Scene } from "./start-scene.ts";

/** For a busy machine: a test ends as soon as its condition holds. */
const WITHIN_MS = 240_000;

describe("a fix that the checks do not prove at first", () => {
  let scene: Scene;
  let main = "";

  beforeAll(async () => {
    scene = await startProofScene();
    main = await scene.world.git("rev-parse", "main");
    await runChecks(scene, main);
  }, WITHIN_MS);
  afterAll(() => scene.close(), WITHIN_MS);

  it(
    "stays a draft when its test passes twice without the fix, and the pull request says so",
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
      expect(pull?.body).toContain("so it does not show the fault");
      expect(comment.body).toContain("so it does not show the fault. Is the fault still there");
      await runChecks(scene, pull?.head.sha ?? "");
      expect((await scene.ended(issue)).pull?.draft).toBe(true);
    },
    WITHIN_MS,
  );

  it(
    "stays a draft after a cancelled check; other runs go on meanwhile, and a feature needs no proof",
    async () => {
      const issue = await scene.ask(title("cancelled"));
      const red = await pushed(scene, issue);
      const feature = (await scene.ended(await scene.ask(title("a feature")))).pull;
      expect(feature?.body).toContain("## Not tested\n\nIt is not a bug fix, so no test of it can fail first.");
      expect(await scene.world.git("rev-parse", `${feature?.head.sha}^`)).toBe(main);
      await scene.world.ci(red.head.sha, [{ name: "test", conclusion: "cancelled" }], { suite: true });
      const { pull } = await scene.ended(issue);
      expect(pull?.body).toContain("the test alone, the checks gave no result: they were cancelled.");
      expect(pull?.draft).toBe(true);
    },
    WITHIN_MS,
  );

  it(
    "is repaired when the checks fail with it, without touching the test that was red",
    async () => {
      const { world } = scene;
      const issue = await scene.ask(title("wrong at first"));
      const red = await pushed(scene, issue);
      await runChecks(scene, red.head.sha);
      const wrong = await pushed(scene, issue, red.head.sha);
      await runChecks(scene, wrong.head.sha);
      const { comment, pull } = await scene.ended(issue);
      const why = 'with the fix, "test" fails: an existing test fails.';
      expect(comment.body).toContain(`Tested, and failing: ${why}`);
      expect(pull?.body).toContain(`## Tested, and failing\n\nW${why.slice(1)}`);
      const right = await pushed(scene, issue, wrong.head.sha);
      expect(await world.git("diff", "--name-only", wrong.head.sha, right.head.sha)).toBe("src/sum.js");
      expect(await world.git("rev-parse", `${right.head.sha}^`)).toBe(wrong.head.sha);
      await runChecks(scene, right.head.sha);
      const proved = await world.until(
        async () => (await world.pullRequests()).find(({ number, draft }) => number === right.number && !draft),
        { what: "the pull request is ready" },
      );
      expect(proved.body).toContain(`| without the fix, ${red.head.sha.slice(0, 10)} |`);
      expect(proved.body).toContain(`with the fix, ${right.head.sha.slice(0, 10)} |`);
      expect(proved.body).toContain("The fix was red at first and was repaired since; the test is unchanged.");
      expect(proved.body).toContain("| Proof | tested: its test failed without the fix and passes with it |");
      expect(proved.body).not.toMatch(/## (?:Not tested|Not proved|Tested, and failing)/);
    },
    WITHIN_MS,
  );

  it(
    "is left to a person who pushes to its branch",
    async () => {
      const issue = await scene.ask(title("a person"));
      const red = await pushed(scene, issue);
      await scene.world.person("alice").push(red.head.ref, { "notes.txt": "mine\n" });
      await runChecks(scene, red.head.sha);
      const now = await pushed(scene, issue, red.head.sha);
      await runChecks(scene, now.head.sha);
      const { comment, pull } = await scene.ended(issue);
      expect(comment.body).toContain("a person committed to its branch");
      expect(comment.body).toContain("Only the test of the change is in [the pull request]");
      expect(comment.body).toContain("+  return a + b;");
      expect(pull?.head.sha).toBe(now.head.sha);
      await commentWith(scene, now, "has committed to this branch");
    },
    WITHIN_MS,
  );

  it(
    "is not tested when the base commit is already red",
    async () => {
      await scene.world.ci(main, [{ name: "test", conclusion: "failure", log: "" }], { suite: true });
      const { pull } = await scene.ended(await scene.ask(title("base red")));
      expect(pull?.body).toContain('he commit it starts from is already red, in "test".');
    },
    WITHIN_MS,
  );
});
