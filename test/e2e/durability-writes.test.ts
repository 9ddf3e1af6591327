import { afterAll, beforeAll, describe, it } from "@jest/globals";
import { DURABLE_FILES, durableScript } from "./durable-script.ts";
import { expectMadeOnce } from "./expect-made-once.ts";
import { type Scene, startScene } from "./start-scene.ts";

/** Limits are for a busy machine: a test ends when its condition holds. */
const WITHIN_MS = 120_000;

describe("a process that is killed between a write and the answer to it", () => {
  let scene: Scene;

  beforeAll(async () => {
    scene = await startScene({ repository: { files: DURABLE_FILES }, script: durableScript() });
  }, WITHIN_MS);
  afterAll(() => scene.close(), WITHIN_MS);

  it.each([
    ["the first comment", "POST", /\/issues\/\d+\/comments$/],
    ["the clone", "POST", /git-upload-pack$/],
    ["the push of the objects", "POST", /git-receive-pack$/],
    ["the commit", "POST", /\/git\/commits$/],
    ["the branch", "POST", /\/git\/refs$/],
    ["the pull request", "POST", /\/pulls$/],
    ["the review", "POST", /\/pulls\/\d+\/reviews$/],
    ["the reply in a thread", "POST", /\/pulls\/\d+\/comments$/],
    ["the last word in the comment", "PATCH", /\/issues\/comments\/\d+$/],
  ])(
    "makes nothing twice when it is killed between %s and the answer to it",
    async (what, method, path) => {
      const { world, model } = scene;
      const from = model.journal.length;
      const last = what.startsWith("the last word");
      // The comment is written all along; its last change comes after the answer that describes the pull request.
      const early = last ? world.hold({ method: "POST", path: /\/pulls\/\d+\/comments$/, when: "after" }) : undefined;
      const first = early ?? world.hold({ method, path, when: "after" });
      const issue = await scene.ask(`greet.txt has a typo (${what})`);
      await first.reached;
      const hold = last ? world.hold({ method, path, when: "after" }) : first;
      early?.release();
      await hold.reached;
      await scene.bot().kill();
      hold.release();
      await scene.start();
      await expectMadeOnce(scene, await scene.ended(issue), from, []);
    },
    WITHIN_MS,
  );
});
