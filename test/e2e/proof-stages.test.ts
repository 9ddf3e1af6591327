import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import { pushed, runChecks, startProofScene, title } from "./proof-scene.ts";
import type { Scene } from "./start-scene.ts";

describe("a fix whose checks run in two stages", () => {
  let scene: Scene;

  beforeAll(async () => {
    scene = await startProofScene();
    const main = await scene.world.git("rev-parse", "main");
    await firstStage(main);
    await runChecks(scene, main);
  });
  afterAll(() => scene.close());

  /** Ends the first job; the workflow goes on, and the job that runs the tests has not started. */
  const firstStage = (commit: string) => scene.world.ci(commit, [{ name: "lint", conclusion: "success", log: "" }]);

  /** Waits until the bot has looked at a commit's workflow again since `from`. */
  const looked = (commit: string, from: number) =>
    scene.world.until(
      async () =>
        scene.world.journal.slice(from).find(({ path }) => /\/actions\/runs\?/.test(path) && path.includes(commit)),
      { what: `a look at ${commit}` },
    );

  it("is judged only after the second stage, and its test is written once", async () => {
    const issue = await scene.ask(title("bites"));
    const from = scene.model.journal.length;
    const red = await pushed(scene, issue);
    await scene.world.until(async () => (scene.calls("p11-review-work").length >= 2 ? true : undefined), {
      what: "the fix is coded",
    });
    const at = scene.world.journal.length;
    await firstStage(red.head.sha);
    await looked(red.head.sha, at);
    await runChecks(scene, red.head.sha);
    const green = await pushed(scene, issue, red.head.sha);
    const then = scene.world.journal.length;
    await firstStage(green.head.sha);
    await looked(green.head.sha, then);
    await runChecks(scene, green.head.sha);
    const { pull, comment } = await scene.ended(issue);
    expect(comment.body).toContain("Tested: its test failed without the fix and passes with it");
    expect(pull?.body).toContain(
      'By "Run tests" of test, 1 test ran before, 2 with the test alone and 2 with the fix.',
    );
    expect(pull?.draft).toBe(false);
    const again = scene
      .calls("p09-change-file", from)
      .filter(({ call }) => call?.text.includes("was written and run already"));
    expect(again).toHaveLength(0);
  });
});
