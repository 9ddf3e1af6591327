import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import { reviewScript } from "./review-script.ts";
import { type ReviewScene, startReviewScene } from "./start-review-scene.ts";

const WITHIN_MS = 240_000;

describe("comments on a pull request while the bot is stopped", () => {
  let scene: ReviewScene;

  beforeAll(async () => {
    const revisions = [{ when: "Spell it out", edits: { 2: "A TWO" }, reply: "Spelt out now." }];
    scene = await startReviewScene(reviewScript({ revisions }));
  }, WITHIN_MS);
  afterAll(() => scene.close(), WITHIN_MS);

  it(
    "are found and answered at the next start, and not again when their webhooks arrive late",
    async () => {
      const { world } = scene;
      const { number, pull } = await scene.opened("Missed");
      await scene.bot().stop();
      const missed = world.deliveries.length;
      const alice = world.person("alice");
      const inThread = await alice.commentOn(number, { path: "docs/a.txt", line: 2, body: "Spell it out, please." });
      await alice.comment(number, "/magis status");
      await world.person("rita").comment(number, "/magis cancel");
      await scene.startHere();

      expect(await scene.answered(number, inThread)).toContain("Spelt out now.");
      const status = async () => (await scene.comments(number)).filter(({ body }) => body.includes("magis:order"));
      await world.until(async () => (await status()).length > 0, { what: "the answer to the command" });
      await scene.ran(1);

      const head = (await scene.pull(number)).head.sha;
      expect(head).not.toBe(pull.head.sha);
      for (const delivery of world.deliveries.slice(missed)) await world.redeliver(delivery);
      await scene.ran(1);
      const known = () => scene.bot().log.filter(({ msg }) => msg === "delivery was known already").length;
      await world.until(() => known() >= 3, { what: "the webhooks to be known" });
      expect(await status()).toHaveLength(1);
      expect((await scene.pull(number)).head.sha).toBe(head);
      expect(scene.saidIn(number, inThread)).toHaveLength(1);
    },
    WITHIN_MS,
  );
});
