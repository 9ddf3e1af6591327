import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import { scriptFor } from "./script-for.ts";
import { type Scene, startScene } from "./start-scene.ts";

const WITHIN_MS = 240_000;
const ENDLESS = "x".repeat(400_000);

describe("resuming a run", () => {
  let scene: Scene;
  let broken: "endless" | "rejected" | undefined;
  beforeAll(async () => {
    scene = await startScene({
      repository: { files: { "first.txt": "one\ntwo\n", "second.txt": "one\n" } },
      script: scriptFor({
        files: {
          "first.txt": { rounds: [{ edits: [{ start: 2, end: 2, text: "TWO" }] }] },
          "second.txt": { rounds: [{ edits: [{ start: 1, end: 1, text: "ONE" }] }] },
        },
        plan: (id) => `run("${id("first.txt")}"); run("${id("second.txt")}");`,
        answers: {
          "p09-change-file": ({ text }) => {
            if (!text.includes("# The file `second.txt`") || !broken) return undefined;
            return broken === "endless"
              ? { text: ENDLESS, raw: true }
              : { error: { status: 401, type: "authentication_error", message: "The key is wrong." } };
          },
        },
      }),
    });
  }, WITHIN_MS);
  afterAll(() => scene.close(), WITHIN_MS);

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

  it(
    "`continue` after the budget ran out asks only for the unfinished part",
    async () => {
      broken = "endless";
      await scene.bot().stop();
      await scene.start({ MAGIS_BUDGET_MONEY: "0.9" });
      const from = scene.model.journal.length;
      const issue = await scene.ask("Capitals in first.txt and second.txt");
      const { comment } = await scene.ended(issue);
      expect(comment.body).toContain("### MAGIS stopped: its budget is used up");
      expect(comment.body).toContain("Commands that work now: `/magis continue`");
      broken = undefined;
      await scene.world.person("alice").comment(issue, "/magis continue +1.1");
      const { body } = await published(issue);
      expect(body).toContain("Added with `/magis continue`: $1.10 by alice.");
      expect(new Set(repeated(from))).toEqual(new Set(["p09-change-file"]));
      const first = ({ text }: { text: string }) => text.includes("# The file `first.txt`");
      expect(scene.calls("p09-change-file", from).filter(({ call }) => call && first(call))).toHaveLength(1);
      expect(await scene.comments(issue)).toHaveLength(1);
    },
    WITHIN_MS,
  );

  it(
    "`retry` after a failure does not repeat finished calls",
    async () => {
      broken = "rejected";
      await scene.bot().stop();
      await scene.start();
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
    },
    WITHIN_MS,
  );
});
