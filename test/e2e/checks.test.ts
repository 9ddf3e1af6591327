import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import { commentWith, FAILING_LOG, nextHead, openedBy, ownChecks, RIGHT, startCheckScene } from "./check-scene.ts";
import type { Scene } from "./start-scene.ts";

const RED = { name: "test", conclusion: "failure", log: "not ok 1 - sum adds\n" } as const;

describe("failing checks on the bot's pull request", () => {
  let scene: Scene;

  beforeAll(async () => {
    scene = await startCheckScene({ MAGIS_CI_ROUNDS: "1" });
    const main = await scene.world.git("rev-parse", "main");
    await scene.world.ci(main, [
      { name: "test", conclusion: "success" },
      { name: "lint", conclusion: "failure" },
    ]);
    await scene.world.status(main, "ci/old", "failure");
  });
  afterAll(() => scene.close());

  it("repairs the failures of its own change in one commit, and marks the draft ready once it is green", async () => {
    const { world } = scene;
    const pull = await openedBy(scene, "Sum");
    expect(pull.draft).toBe(true);
    const first = await ownChecks(scene, pull.head.sha);
    expect(first).toMatchObject([{ status: "completed", conclusion: "success" }]);
    expect(first[0]?.output.title).toMatch(/^For #\d+: reviewed, no open comment$/);
    expect(first[0]?.output.summary).toContain("They run nothing.");

    const annotation = { path: "src/sum.js", line: 2, message: "c is not defined" };
    await world.ci(
      pull.head.sha,
      [
        { name: "lint", conclusion: "failure" },
        { name: "test", conclusion: "failure", annotations: [annotation], log: FAILING_LOG },
      ],
      { suite: true },
    );
    const head = await nextHead(scene, pull);
    expect(await world.git("show", `${head}:src/sum.js`)).toContain(RIGHT);
    expect(await world.git("rev-parse", `${head}^`)).toBe(pull.head.sha);
    const asked = scene.calls("k01-plan-repair");
    expect(asked).toHaveLength(1);
    expect(asked[0]?.call?.text).toContain("Lines of the repository that it names: src/sum.js:2\n");
    expect(asked[0]?.call?.text).toContain("\nnot ok 1 - sum adds\n");
    expect(asked[0]?.call?.text).not.toContain("##[group]");

    const comment = await commentWith(scene, pull, "Failing checks: a new commit repairs them");
    expect(comment.body).toContain(`**What changed** in ${head}:\n\n- \`src/sum.js\`: It adds b now.`);
    expect(comment.body).toContain("Repair 1 of at most 1 on this pull request. Cost: ");
    expect(comment.body).toContain("on the commit this pull request starts from too:\n\n- lint");
    const own = () => ownChecks(scene, head).then((all) => all.filter(({ status }) => status === "completed"));
    expect(await world.until(async () => (await own())[0], { what: "the repair's check run" })).toMatchObject({
      conclusion: "success",
      output: { title: expect.stringMatching(/^Repairs one failing check: /) },
    });

    const row = "| Failing check: test | repair 1; its checks will tell | $";
    const lined = async () => (await world.pullRequests()).find(({ body }) => body?.includes(row));
    await world.until(lined, { what: "the repair's line in the pull request" });

    await world.ci(head, [{ name: "test", conclusion: "success" }], { suite: true });
    const ready = async () => (await world.pullRequests()).find((one) => one.number === pull.number && !one.draft);
    await world.until(ready, { what: "the pull request that is ready" });
    expect(scene.calls("k01-plan-repair")).toHaveLength(1);
    expect(await scene.comments(pull.number)).toHaveLength(1);
  });

  it("leaves checks that already fail on the base commit, and says so once", async () => {
    const { world } = scene;
    const before = scene.calls("k01-plan-repair").length;
    const pull = await openedBy(scene, "Sum again");
    await world.status(pull.head.sha, "ci/old", "pending");
    await world.ci(pull.head.sha, [{ name: "lint", conclusion: "failure", log: "error: old\n" }], { suite: true });
    await world.status(pull.head.sha, "ci/old", "failure");
    const comment = await commentWith(scene, pull, "Failing checks: not caused by this change");
    expect(comment.body).toContain("- ci/old\n- lint");
    await world.ci(pull.head.sha, [{ name: "lint", conclusion: "failure" }], { suite: true });
    expect(await scene.comments(pull.number)).toHaveLength(1);
    expect(scene.calls("k01-plan-repair")).toHaveLength(before);
  });

  it("reports once what it tried when the rounds are used up, and hides its earlier comment", async () => {
    const { world } = scene;
    const before = scene.calls("k01-plan-repair").length;
    const pull = await openedBy(scene, "Rounds");
    await world.ci(pull.head.sha, [RED], { suite: true });
    const head = await nextHead(scene, pull);
    const repaired = await commentWith(scene, pull, "a new commit repairs them");
    await world.ci(head, [RED], { suite: true });
    const comment = await commentWith(scene, pull, "Failing checks: I could not repair them");
    expect(comment.body).toContain(`- ${head}: add b, not c`);
    await world.until(() => world.isMinimized(String(repaired.node_id)), { what: "the folded comment" });
    await world.ci(head, [RED], { suite: true });
    await openedBy(scene, "After the last round");
    expect(await scene.comments(pull.number)).toHaveLength(2);
    expect(scene.calls("k01-plan-repair")).toHaveLength(before + 1);
  });

  it("leaves a commit alone that no change can repair, and does not try it again", async () => {
    const { world } = scene;
    const before = scene.calls("k01-plan-repair").length;
    const pull = await openedBy(scene, "Disk");
    await world.ci(pull.head.sha, [{ ...RED, log: "write failed: no space left on device\n" }], { suite: true });
    const comment = await commentWith(scene, pull, "Failing checks: not repaired");
    expect(comment.body).toContain("> The machine's disk was full.");
    await world.ci(pull.head.sha, [RED], { suite: true });
    await openedBy(scene, "After it");
    expect(scene.calls("k01-plan-repair")).toHaveLength(before + 1);
    expect(await scene.comments(pull.number)).toHaveLength(1);
    expect((await world.pullRequests()).find(({ number }) => number === pull.number)?.head.sha).toBe(pull.head.sha);
  });
});
