import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import { reviewScript } from "./review-script.ts";
import { type ReviewScene, startReviewScene } from "./start-review-scene.ts";

const WITHIN_MS = 240_000;

describe("drafts of the bot that nobody looks at", () => {
  let scene: ReviewScene;

  beforeAll(async () => {
    scene = await startReviewScene(reviewScript({ revisions: [] }));
  }, WITHIN_MS);
  afterAll(() => scene.close(), WITHIN_MS);

  /** The bot looks at its pull requests as it starts. */
  async function startAfter(days: number): Promise<void> {
    await scene.bot().stop();
    scene.world.passDays(days);
    await scene.startHere();
  }

  const ABOUT = "Is this draft still wanted?";

  it(
    "are asked about once, then closed with their branch and a note on the issue, unless somebody answers",
    async () => {
      const { world } = scene;
      // In this order, as the bot looks at the oldest first: the end of one shows that it has looked at the other.
      const wanted = await scene.opened("Wanted");
      const quiet = await scene.opened("Quiet");
      expect([quiet.pull.draft, wanted.pull.draft]).toEqual([true, true]);
      const before = scene.model.journal.length;

      await startAfter(31);
      expect(await scene.commentWith(quiet.number, ABOUT)).toContain("Nobody has said anything here for 31 days.");
      await scene.commentWith(wanted.number, ABOUT);
      // Any answer counts, also that of a person who may not write.
      await world.person("tom").comment(wanted.number, "I still wait for this.");

      await startAfter(31);
      const note = await scene.commentWith(quiet.issue, `I am closing my draft #${quiet.number}`);
      expect(note).toContain("Comment `/magis resolve` here");
      await world.until(async () => (await scene.pull(quiet.number)).state === "closed", { what: "the draft's end" });
      expect(await world.git("branch", "--list", quiet.pull.head.ref)).toBe("");
      expect((await world.issue(quiet.issue)).state).toBe("open");
      expect(await scene.pull(wanted.number)).toMatchObject({ state: "open", draft: true });
      for (const { number } of [quiet, wanted])
        expect((await scene.comments(number)).filter(({ body }) => body.includes(ABOUT))).toHaveLength(1);
      expect(scene.model.journal).toHaveLength(before);
    },
    WITHIN_MS,
  );
});
