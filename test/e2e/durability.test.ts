import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import { DURABLE_FILES, durableScript } from "./durable-script.ts";
import { expectMadeOnce } from "./expect-made-once.ts";
import { type Scene, startScene } from "./start-scene.ts";

/** Limits are for a busy machine: a test ends when its condition holds. */
const WITHIN_MS = 240_000;

describe("a process that is killed in the middle of a run", () => {
  let scene: Scene;

  beforeAll(async () => {
    scene = await startScene({ repository: { files: DURABLE_FILES }, script: durableScript(), ownProcess: true });
  }, WITHIN_MS);
  afterAll(() => scene.close(), WITHIN_MS);

  it.each([
    ["locate", "c02-locate-files"],
    ["plan", "p04-plan-work"],
    ["code", "p11-review-work"],
  ])(
    "goes on from a model call in %s at the next start",
    async (_phase, prompt) => {
      const from = scene.model.journal.length;
      const hold = scene.model.hold(({ promptId }) => promptId === prompt);
      const issue = await scene.ask(`greet.txt has a typo (${prompt})`);
      await hold.reached;
      await scene.bot().kill();
      hold.release();
      await scene.start();
      await expectMadeOnce(scene, await scene.ended(issue), from, [prompt]);
    },
    WITHIN_MS,
  );

  it(
    "goes on in the middle of a conversation with tools, and pays for none of its turns again",
    async () => {
      const { model } = scene;
      const from = model.journal.length;
      const hold = model.hold(({ promptId, looked }) => promptId === "p09-change-file" && looked.length > 0);
      const issue = await scene.ask("greet.txt has a typo (look around)");
      await hold.reached;
      await scene.bot().kill();
      hold.release();
      await scene.start();
      await expectMadeOnce(scene, await scene.ended(issue), from, ["p09-change-file"]);
      const seen = (prompt: string) =>
        scene.calls(prompt, from).map(({ call }) => call?.looked.map(({ name, result }) => `${name}: ${result}`));
      expect(seen("p04-plan-work")).toEqual([
        [],
        [expect.stringMatching(/^search: [\s\S]*greet\.txt[\s\S]*helo/), expect.stringMatching(/^read: [\s\S]*helo\n/)],
      ]);
      expect(seen("p09-change-file")[1]).toEqual([expect.stringMatching(/^read: [\s\S]*helo\n/)]);
      // QA looks at the repository as the change leaves it.
      expect(seen("p11-review-work")[1]).toEqual([
        expect.stringMatching(/^find_references: [\s\S]*greet\.txt[\s\S]*Helo/),
      ]);
    },
    WITHIN_MS,
  );

  // Every write of a run, a revision and a repair: test/engine/write-crashes.test.ts.
  it.each([
    ["the push of the objects", "POST", /git-receive-pack$/],
    ["the pull request", "POST", /\/pulls$/],
  ])(
    "makes nothing twice when it is killed between %s and the answer to it",
    async (what, method, path) => {
      const from = scene.model.journal.length;
      const hold = scene.world.hold({ method, path, when: "after" });
      const issue = await scene.ask(`greet.txt has a typo (${what})`);
      await hold.reached;
      await scene.bot().kill();
      hold.release();
      await scene.start();
      await expectMadeOnce(scene, await scene.ended(issue), from, []);
    },
    WITHIN_MS,
  );

  it("is followed by one that has nothing left to do", async () => {
    const from = scene.model.journal.length;
    await scene.bot().stop();
    const bot = await scene.start();
    expect((await fetch(`${bot.url}/readyz`)).status).toBe(200);
    expect(scene.model.journal).toHaveLength(from);
  });
});
