import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import { commentWith, nextHead, openedBy, startCheckScene } from "./check-scene.ts";
import type { Scene } from "./start-scene.ts";

const WITHIN_MS = 240_000;
const RED = [{ name: "test", conclusion: "failure" as const, log: "not ok 1 - sum adds\n" }];

describe("limits on repairing checks", () => {
  let scene: Scene;

  beforeAll(async () => {
    scene = await startCheckScene({ environment: { MAGIS_CI_ROUNDS: "1" } }, ({ text }) =>
      text.includes("no space left on device")
        ? { json: { repairable: false, reason: "The machine's disk was full.", title: "", tasks: [] } }
        : {
            json: {
              repairable: true,
              reason: "`c` is not defined.",
              title: "add b -- not c",
              tasks: [{ path: "src/sum.js", action: "modify", title: "Add b", description: "Return `a + b`." }],
            },
          },
    );
  }, WITHIN_MS);
  afterAll(() => scene.close(), WITHIN_MS);

  it(
    "reports once what it tried when the rounds are used up, and hides its earlier comment",
    async () => {
      const { world } = scene;
      const pull = await openedBy(scene, "Rounds");
      await world.ci(pull.head.sha, RED, { suite: true });
      const head = await nextHead(scene, pull);
      const repaired = await commentWith(scene, pull, "a new commit repairs them");
      expect(repaired.body).toContain("- test (did not run on the base commit)");
      await world.ci(head, RED, { suite: true });
      const comment = await commentWith(scene, pull, "Failing checks: I could not repair them");
      expect(comment.body).toContain(`- ${head}: add b -- not c`);
      await world.until(() => world.isMinimized(String(repaired.node_id)), { what: "the folded comment" });
      await world.ci(head, RED, { suite: true });
      await openedBy(scene, "After the last round");
      expect(await scene.comments(pull.number)).toHaveLength(2);
      expect(scene.calls("k01-plan-repair")).toHaveLength(1);
    },
    WITHIN_MS,
  );

  it(
    "leaves a commit alone that no change can repair, and does not try it again",
    async () => {
      const { world } = scene;
      const before = scene.calls("k01-plan-repair").length;
      const pull = await openedBy(scene, "Disk");
      await world.ci(
        pull.head.sha,
        [{ ...RED[0], log: "write failed: no space left on device\n" } as (typeof RED)[0]],
        {
          suite: true,
        },
      );
      const comment = await commentWith(scene, pull, "Failing checks: not repaired");
      expect(comment.body).toContain("> The machine's disk was full.");
      await world.ci(pull.head.sha, RED, { suite: true });
      const next = await openedBy(scene, "After it");
      expect(next.number).toBeGreaterThan(pull.number);
      expect(scene.calls("k01-plan-repair")).toHaveLength(before + 1);
      expect(await scene.comments(pull.number)).toHaveLength(1);
      expect((await world.pullRequests()).find(({ number }) => number === pull.number)?.head.sha).toBe(pull.head.sha);
    },
    WITHIN_MS,
  );

  it(
    "steps back when a person has committed to the branch",
    async () => {
      const { world } = scene;
      const before = scene.calls("k01-plan-repair").length;
      const pull = await openedBy(scene, "Person");
      const head = await world.person("alice").push(pull.head.ref, { "notes.txt": "mine\n" });
      await world.ci(head, RED, { suite: true });
      const note = await commentWith(scene, pull, "magis:stepped-back");
      expect(note.body).toContain("alice has committed to this branch");
      expect(scene.calls("k01-plan-repair")).toHaveLength(before);
      expect((await world.pullRequests()).find(({ number }) => number === pull.number)?.head.sha).toBe(head);
    },
    WITHIN_MS,
  );

  it(
    "repairs nothing with 0 rounds, and keeps a pull request with a cancelled check a draft",
    async () => {
      const { world } = scene;
      await scene.bot().stop();
      await scene.start({ MAGIS_CI_ROUNDS: "0" });
      const before = scene.calls("k01-plan-repair").length;
      const pull = await openedBy(scene, "Off");
      await world.ci(pull.head.sha, RED, { suite: true });
      const other = await openedBy(scene, "Stopped");
      const checks = [
        { name: "test", conclusion: "success" as const },
        { name: "slow", conclusion: "cancelled" as const },
      ];
      await world.ci(other.head.sha, checks, { suite: true });
      await openedBy(scene, "Last");
      expect(scene.calls("k01-plan-repair")).toHaveLength(before);
      expect(await scene.comments(pull.number)).toEqual([]);
      expect((await world.pullRequests()).map(({ draft }) => draft)).not.toContain(false);
    },
    WITHIN_MS,
  );
});
