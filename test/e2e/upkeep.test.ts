import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import type { LogLine } from "../bot/start-bot.ts";
import type { PullRow } from "../world/create-reader.ts";
import { commentWith, FAILING_LOG, nextHead, openedBy, ownChecks, RIGHT, startCheckScene } from "./check-scene.ts";
import type { Scene } from "./start-scene.ts";

const RED = { name: "test", conclusion: "failure", log: "not ok 1 - sum adds\n" } as const;

const SUM = "src/sum.js is wrong";
const DOCS = "Capitals in docs/a.txt and docs/b.txt";

describe("the bot's pull request", () => {
  let scene: Scene;
  beforeAll(async () => {
    scene = await startCheckScene({ MAGIS_CI_ROUNDS: "1" });
  });
  afterAll(() => scene.close());

  describe("whose base moves on", () => {
    const git = (...args: string[]) => scene.world.git(...args);
    const now = async ({ number }: PullRow) => {
      const found = (await scene.world.pullRequests()).find((one) => one.number === number);
      if (!found) throw new Error(`there is no pull request ${number}`);
      return found;
    };

    it("is merged by a commit with two parents when it conflicts, with a log of what was kept", async () => {
      const { world } = scene;
      const pull = await openedBy(scene, DOCS);
      const alice = world.person("alice");
      await alice.push("main", { "docs/other.txt": "others\n" }, "Something else");
      const tip = await alice.push("main", { "docs/a.txt": "a1\nalpha\na3\na4\na5\n" }, "Say alpha");
      const { body: note } = await commentWith(scene, pull, "I merged `main` into this branch");
      expect(note).toContain("- `docs/a.txt:2`\n  - Differed: The base says alpha, the change A2.");
      const { head } = await now(pull);
      expect(await git("show", "-s", "--format=%P", head.sha)).toBe(`${pull.head.sha} ${tip}`);
      expect(await git("show", "-s", "--format=%s", head.sha)).toBe(`Merge branch 'main' into ${head.ref}`);
      expect(await git("show", `${head.sha}:docs/a.txt`)).toBe("a1\nA2 and alpha\na3\na4\na5");
      expect(await git("diff", "--name-only", tip, head.sha)).toBe("docs/a.txt\ndocs/b.txt");
      const line = async () => (await now(pull)).body?.includes("| Base main merged | commit ");
      await world.until(line, { what: "the line in the pull request's body" });
      expect(scene.calls("x01-resolve-conflicts")).toHaveLength(1);
    });

    it("is left to people when the merge is in doubt", async () => {
      const pull = await openedBy(scene, DOCS);
      await scene.world.person("alice").push("main", { "docs/b.txt": "b1\nriddle\nb3\nb4\nb5\n" }, "A riddle");
      const { body: note } = await commentWith(scene, pull, "This branch conflicts with `main`.");
      expect(note).toContain("- `docs/b.txt`: Somebody has to say which.");
      expect((await now(pull)).head.sha).toBe(pull.head.sha);
    });
  });

  describe("whose checks fail", () => {
    beforeAll(async () => {
      const main = await scene.world.git("rev-parse", "main");
      await scene.world.ci(main, [
        { name: "test", conclusion: "success" },
        { name: "lint", conclusion: "failure" },
      ]);
      await scene.world.status(main, "ci/old", "failure");
    });

    /** Waits until the bot has dealt with the suite of checks that ended last. */
    const dealtWith = () => {
      const suite = scene.world.deliveries.findLast(({ event }) => event === "check_suite");
      const isEnd = ({ msg, run }: LogLine) => msg === "the run ended" && String(run).endsWith(`@${suite?.guid}`);
      return scene.world.until(() => scene.bot().log.find(isEnd), {
        what: `the end of the work on suite ${suite?.guid}`,
      });
    };

    it("repairs the failures of its own change in one commit, and marks the draft ready once it is green", async () => {
      const { world } = scene;
      const pull = await openedBy(scene, SUM);
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
      const pull = await openedBy(scene, SUM);
      await world.status(pull.head.sha, "ci/old", "pending");
      await world.ci(pull.head.sha, [{ name: "lint", conclusion: "failure", log: "error: old\n" }], { suite: true });
      await world.status(pull.head.sha, "ci/old", "failure");
      const comment = await commentWith(scene, pull, "Failing checks: not caused by this change");
      expect(comment.body).toContain("- ci/old\n- lint");
      await world.ci(pull.head.sha, [{ name: "lint", conclusion: "failure" }], { suite: true });
      expect(await dealtWith()).toMatchObject({ outcome: "nothing-to-change" });
      expect(await scene.comments(pull.number)).toHaveLength(1);
      expect(scene.calls("k01-plan-repair")).toHaveLength(before);
    });

    it("reports once what it tried when the rounds are used up, and hides its earlier comment", async () => {
      const { world } = scene;
      const before = scene.calls("k01-plan-repair").length;
      const pull = await openedBy(scene, SUM);
      await world.ci(pull.head.sha, [RED], { suite: true });
      const head = await nextHead(scene, pull);
      const repaired = await commentWith(scene, pull, "a new commit repairs them");
      await world.ci(head, [RED], { suite: true });
      const comment = await commentWith(scene, pull, "Failing checks: I could not repair them");
      expect(comment.body).toContain(`- ${head}: add b, not c`);
      await world.until(() => world.isMinimized(String(repaired.node_id)), { what: "the folded comment" });
      await world.ci(head, [RED], { suite: true });
      expect(await dealtWith()).toMatchObject({ outcome: "nothing-to-change" });
      expect(await scene.comments(pull.number)).toHaveLength(2);
      expect(scene.calls("k01-plan-repair")).toHaveLength(before + 1);
    });

    it("leaves a commit alone that no change can repair, and does not try it again", async () => {
      const { world } = scene;
      const before = scene.calls("k01-plan-repair").length;
      const pull = await openedBy(scene, SUM);
      await world.ci(pull.head.sha, [{ ...RED, log: "write failed: no space left on device\n" }], { suite: true });
      const comment = await commentWith(scene, pull, "Failing checks: not repaired");
      expect(comment.body).toContain("> The machine's disk was full.");
      await world.ci(pull.head.sha, [RED], { suite: true });
      expect(await dealtWith()).toMatchObject({ outcome: "nothing-to-change" });
      expect(scene.calls("k01-plan-repair")).toHaveLength(before + 1);
      expect(await scene.comments(pull.number)).toHaveLength(1);
      expect((await world.pullRequests()).find(({ number }) => number === pull.number)?.head.sha).toBe(pull.head.sha);
    });
  });
});
