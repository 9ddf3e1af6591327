import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import { commentWith, nextHead, openedBy, ownChecks, startCheckScene } from "./check-scene.ts";
import type { Scene } from "./start-scene.ts";

const WITHIN_MS = 240_000;
const RED = [{ name: "test", conclusion: "failure" as const, log: "not ok 1 - sum adds\n" }];

describe("a repair of failing checks", () => {
  let scene: Scene;

  beforeAll(async () => {
    scene = await startCheckScene({ ownProcess: true });
  }, WITHIN_MS);
  afterAll(() => scene.close(), WITHIN_MS);

  it(
    "makes nothing twice when the process is killed after GitHub moved the branch and before it answered",
    async () => {
      const { world } = scene;
      const pull = await openedBy(scene, "Killed at the step");
      const calls = scene.calls("p09-change-file").length;
      const hold = world.hold({ method: "PATCH", path: /\/git\/refs\/heads/, when: "after" });
      await world.ci(pull.head.sha, RED, { suite: true });
      await hold.reached;
      await scene.bot().kill();
      hold.release();
      await scene.startHere();
      const head = await nextHead(scene, pull);
      const comment = await commentWith(scene, pull, "a new commit repairs them");
      const done = async () => (await ownChecks(scene, head)).filter(({ status }) => status === "completed");
      await world.until(async () => (await done())[0], { what: "the repair's check run" });
      expect(comment.body).toContain(head);
      expect(await scene.comments(pull.number)).toHaveLength(1);
      expect(await ownChecks(scene, head)).toHaveLength(1);
      expect(await world.git("rev-list", "--count", `main..${head}`)).toBe("2");
      expect(await world.git("for-each-ref", "refs/magis")).toBe("");
      expect(scene.calls("p09-change-file")).toHaveLength(calls + 1);
    },
    WITHIN_MS,
  );
});
