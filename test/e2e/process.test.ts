import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import { DURABLE_FILES, durableScript, expectMadeOnce } from "./durable-script.ts";
import { type Scene, startScene } from "./start-scene.ts";

describe("the process", () => {
  let scene: Scene;

  beforeAll(async () => {
    scene = await startScene({ repository: { files: DURABLE_FILES }, script: durableScript(), ownProcess: true });
  });
  afterAll(() => scene.close());

  it("exits with 0 at SIGTERM, although a model call does not end; the next one finishes the run", async () => {
    const from = scene.model.journal.length;
    const hold = scene.model.hold(({ promptId }) => promptId === "p09-change-file");
    const issue = await scene.ask("greet.txt has a typo");
    await hold.reached;
    expect(await scene.bot().stop()).toBe(0);
    hold.release();
    await scene.startHere();
    await expectMadeOnce(scene, await scene.ended(issue), from, ["p09-change-file"]);
  });

  it("refuses to start on a data directory that another process uses, and says so", async () => {
    const first = scene.bot();
    await expect(scene.start()).rejects.toThrow(
      new RegExp(
        `ended with 1:[^]*MAGIS cannot start\\.\\s+.* is in use by another MAGIS process \\(pid ${first.pid}\\)`,
      ),
    );
    expect((await fetch(`${first.url}/readyz`)).status).toBe(200);
  });
});
