import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import { reviewScript } from "./review-script.ts";
import { type ReviewScene, startReviewScene } from "./start-review-scene.ts";

describe("a pull request of the bot", () => {
  let scene: ReviewScene;

  beforeAll(async () => {
    const revisions = [{ when: "Spell it out", edits: { 2: "A TWO" }, reply: "Spelt out now." }];
    scene = await startReviewScene(reviewScript({ revisions }));
  });
  afterAll(() => scene.close());

  it("commented on while the bot is stopped is answered at the next start, and not again by late webhooks", async () => {
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
    await scene.ran(number, 1);

    const head = (await scene.pull(number)).head.sha;
    expect(head).not.toBe(pull.head.sha);
    for (const delivery of world.deliveries.slice(missed)) await world.redeliver(delivery);
    await scene.ran(number, 1);
    const known = () => scene.bot().log.filter(({ msg }) => msg === "delivery was known already").length;
    await world.until(() => known() >= 3, { what: "the webhooks to be known" });
    expect(await status()).toHaveLength(1);
    expect((await scene.pull(number)).head.sha).toBe(head);
    expect(scene.saidIn(number, inThread)).toHaveLength(1);
  });

  /** The bot looks at its pull requests as it starts. */
  async function startAfter(days: number): Promise<void> {
    await scene.bot().stop();
    scene.world.passDays(days);
    await scene.startHere();
  }

  const ABOUT = "Is this draft still wanted?";

  it("on which nobody says anything is asked about once, then closed with its branch, unless somebody answers", async () => {
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
  });
});
