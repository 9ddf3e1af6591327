import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import type { LogLine } from "../bot/start-bot.ts";
import { createScript } from "../scripted-model/script.ts";
import { DURABLE_FILES, expectMadeOnce, GREET } from "./durable-script.ts";
import { type Scene, startScene } from "./start-scene.ts";

const ENDLESS = "x".repeat(400_000);

describe("a run that is stopped, and goes on", () => {
  let scene: Scene;
  let broken: "endless" | "rejected" | undefined;
  beforeAll(async () => {
    scene = await startScene({
      repository: { files: { ...DURABLE_FILES, "first.txt": "one\ntwo\n", "second.txt": "one\n" } },
      environment: { MAGIS_BUDGET_MONEY: "0.9" },
      ownProcess: true,
      script: createScript({
        files: {
          "greet.txt": GREET,
          "first.txt": { rounds: [{ edits: [{ start: 2, end: 2, text: "TWO" }] }] },
          "second.txt": { rounds: [{ edits: [{ start: 1, end: 1, text: "ONE" }] }] },
        },
        answers: {
          "p09-change-file": ({ text }) => {
            if (!text.includes("# The file `second.txt`") || !broken) return undefined;
            return broken === "endless"
              ? { raw: ENDLESS }
              : { error: { status: 401, type: "authentication_error", message: "The key is wrong." } };
          },
        },
      }),
    });
  });
  afterAll(() => scene.close());

  it("ends with its process, which exits with 0 at SIGTERM although a model call does not end; the next one finishes it", async () => {
    const from = scene.model.journal.length;
    const hold = scene.model.hold(({ promptId }) => promptId === "p09-change-file");
    const issue = await scene.ask("greet.txt has a typo");
    await hold.reached;
    expect(await scene.bot().stop()).toBe(0);
    hold.release();
    await scene.startHere();
    await expectMadeOnce(scene, await scene.ended(issue), from, ["p09-change-file"]);
  });

  it("keeps its data directory from another process, which refuses to start and says so", async () => {
    const first = scene.bot();
    await expect(scene.start()).rejects.toThrow(
      new RegExp(
        `ended with 1:[^]*MAGIS cannot start\\.\\s+.* is in use by another MAGIS process \\(pid ${first.pid}\\)`,
      ),
    );
    expect((await fetch(`${first.url}/readyz`)).status).toBe(200);
  });

  /** Ends the run on `issue` with `order` and expects it to leave nothing behind. */
  async function expectCancelled(issue: number, order: () => Promise<unknown>): Promise<string> {
    const { world } = scene;
    await order();
    const { comment, pull } = await scene.ended(issue);
    expect(comment.body).toContain("### MAGIS was told to stop");
    expect(comment.body).toContain("`/magis retry` goes on from there.");
    expect(comment.body).not.toContain("It was interrupted");
    expect(await scene.comments(issue)).toHaveLength(1);
    expect(pull?.state ?? "closed").toBe("closed");
    const left = await world.git(
      "for-each-ref",
      "--format=%(refname)",
      `refs/heads/magis/issue-${issue}-*`,
      "refs/magis",
    );
    expect(left).toBe("");
    return comment.body;
  }
  /** Waits until the run has stopped working; it reports its end after that. */
  const cancelled = (issue: number) => {
    const isOf = ({ msg, runs }: LogLine) => msg === "runs cancelled" && JSON.stringify(runs).includes(`#${issue}@`);
    return scene.world.until(() => scene.bot().log.find(isOf), { what: "the cancel" });
  };
  const command = (issue: number) => () => scene.world.person("alice").comment(issue, "/magis cancel");

  it("stops although a model call does not end", async () => {
    const hold = scene.model.hold(({ promptId }) => promptId === "p09-change-file");
    const issue = await scene.ask("greet.txt has a typo");
    await hold.reached;
    const body = await expectCancelled(issue, command(issue));
    expect(body).toContain("alice cancelled this run. Nothing was written to the repository.");
    const calls = scene.model.journal.length;
    hold.release();
    expect(scene.model.journal).toHaveLength(calls);
  });

  it("takes back the pull request that it was about to open", async () => {
    const hold = scene.world.hold({ method: "POST", path: /\/pulls$/, when: "after" });
    const issue = await scene.ask("greet.txt has a typo (late)");
    await hold.reached;
    const body = await expectCancelled(issue, async () => {
      await command(issue)();
      await cancelled(issue);
      hold.release();
    });
    expect(body).toContain("Taken back: pull request #");
  });

  it("stops when the label is removed; `retry` goes on without paying again", async () => {
    const { world, model } = scene;
    const alice = world.person("alice");
    const from = model.journal.length;
    const hold = model.hold(({ promptId }) => promptId === "p11-review-work");
    const issue = await scene.ask("greet.txt has a typo (label)");
    await hold.reached;
    await expectCancelled(issue, () => alice.unlabel(issue, "magis"));
    hold.release();
    await alice.comment(issue, "/magis retry");
    const found = await world.until(
      async () => (await world.pullRequests()).find(({ head }) => head.ref.startsWith(`magis/issue-${issue}-`)),
      { what: "the pull request" },
    );
    expect(found.state).toBe("open");
    const texts = model.journal.slice(from).map(({ body }) => JSON.stringify(body));
    const again = model.journal.slice(from).filter(({ body }, at) => texts.indexOf(JSON.stringify(body)) < at);
    expect(again.map(({ call }) => call?.promptId)).toEqual(["p11-review-work"]);
    await world.until(async () => (await scene.ended(issue)).comment.body.includes("MAGIS opened pull request"), {});
    expect(await scene.comments(issue)).toHaveLength(1);
  });

  /** The prompts that the bot asked again, word for word, since the journal's entry `from`. */
  const repeated = (from: number) => {
    const calls = scene.model.journal.slice(from).flatMap(({ call }) => (call ? [call] : []));
    const texts = calls.map(({ text, earlier }) => JSON.stringify([text, earlier]));
    return calls.filter((_, at) => texts.indexOf(texts[at] ?? "") < at).map(({ promptId }) => promptId);
  };
  const published = (issue: number) =>
    scene.world.until(
      async () => (await scene.comments(issue)).find(({ body }) => body.includes("MAGIS opened pull request #")),
      { what: "the pull request" },
    );

  it("`continue` after the budget ran out asks only for the unfinished part", async () => {
    broken = "endless";
    const from = scene.model.journal.length;
    const issue = await scene.ask("Capitals in first.txt and second.txt");
    const { comment } = await scene.ended(issue);
    expect(comment.body).toContain("### MAGIS stopped: its budget is used up");
    expect(comment.body).toContain("Finished:\n\n- first.txt does what the issue asks for. (`first.txt`)");
    expect(comment.body).toContain("+TWO");
    expect(await scene.world.git("for-each-ref", `refs/heads/magis/issue-${issue}-*`)).toBe("");
    expect(comment.body).toContain("Commands that work now: `/magis continue`");
    broken = undefined;
    await scene.world.person("alice").comment(issue, "/magis continue +1.1");
    const { body } = await published(issue);
    expect(body).toContain("Added with `/magis continue`: $1.10 by alice.");
    expect(new Set(repeated(from))).toEqual(new Set(["p09-change-file"]));
    const first = ({ text }: { text: string }) => text.includes("# The file `first.txt`");
    expect(scene.calls("p09-change-file", from).filter(({ call }) => call && first(call))).toHaveLength(1);
    expect(await scene.comments(issue)).toHaveLength(1);
  });

  it("`retry` after a failure does not repeat finished calls", async () => {
    broken = "rejected";
    const from = scene.model.journal.length;
    const issue = await scene.ask("Capitals in first.txt and second.txt, please");
    await scene.world.until(
      async () => (await scene.comments(issue)).find(({ body }) => body.includes("### MAGIS had to stop")),
      { what: "the failure" },
    );
    broken = undefined;
    await scene.world.person("alice").comment(issue, "/magis retry");
    await published(issue);
    expect(repeated(from)).toEqual(["p09-change-file"]);
    expect(await scene.comments(issue)).toHaveLength(1);
  });
});
