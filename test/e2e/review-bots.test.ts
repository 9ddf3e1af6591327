import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import { reviewScript } from "./review-script.ts";
import { type ReviewScene, startReviewScene } from "./start-review-scene.ts";

const WITHIN_MS = 240_000;

describe("reviews by bots", () => {
  let scene: ReviewScene;
  let number: number;
  /** the commit that the first review is about */
  let reviewed: string;
  let answered: string;

  beforeAll(async () => {
    const revisions = [
      { when: "Rename", path: "docs/a.txt", edits: { 2: "A two" }, reply: "Renamed." },
      { when: "Rename", path: "docs/b.txt", edits: { 2: "B two" }, reply: "Renamed, too." },
    ];
    const environment = { MAGIS_ALLOWED_BOTS: "linter" };
    scene = await startReviewScene(reviewScript({ revisions }), { environment, bots: ["linter", "scanner"] });
    const { pull } = await scene.opened("Names");
    number = pull.number;
    reviewed = pull.head.sha;
  }, WITHIN_MS);
  afterAll(() => scene.close(), WITHIN_MS);

  const headOf = async () => (await scene.pull(number)).head.sha;

  it(
    "with twelve comments get a reply in each thread and one push",
    async () => {
      const { world } = scene;
      const comments = Array.from({ length: 12 }, (_, at) => ({
        path: at < 6 ? "docs/a.txt" : "docs/b.txt",
        line: (at % 5) + 1,
        body: `Rename this (${at + 1}).`,
      }));
      await world.person("linter[bot]").review(number, { event: "COMMENT", comments });
      // The review and each comment come by a webhook of their own.
      const ends = await scene.ran(13);
      expect(ends.toSorted()).toEqual([...Array(12).fill("answered"), "published"]);
      answered = await headOf();
      expect(await world.git("rev-list", "--count", `${reviewed}..${answered}`)).toBe("1");
      expect(await world.git("show", `${answered}:docs/a.txt`)).toBe("a1\nA two\na3\na4\na5");
      const threads = world.threads(number).map((thread) => thread.comments);
      expect(threads.map(([first, ...replies]) => [first?.user, replies.length])).toEqual(
        Array(12).fill([expect.objectContaining({ login: "linter[bot]", type: "Bot" }), 1]),
      );
      for (const [, reply] of threads) expect(reply?.body).toMatch(/Renamed.*\n\nChanged in [0-9a-f]{40}\.$/s);
      expect((await scene.pull(number)).body).toContain("| Review by linter[bot]: 12 threads | commit ");
    },
    WITHIN_MS,
  );

  it(
    "end after one exchange: neither a bot's reply nor its next review of the same commit is answered",
    async () => {
      const { world, model } = scene;
      const calls = model.journal.length;
      const linter = world.person("linter[bot]");
      const [first = { comments: [] }] = world.threads(number);
      await linter.replyTo(Number(first.comments[0]?.id), "Are you sure? Rename it again.");
      await linter.review(number, { event: "COMMENT", body: "Rename the rest.", commit_id: reviewed });
      const ends = await scene.ran(13 + 3);
      expect(ends.slice(13)).toEqual(Array(3).fill("answered"));
      expect(model.journal).toHaveLength(calls);
      expect(await headOf()).toBe(answered);
      expect(await scene.comments(number)).toEqual([]);
    },
    WITHIN_MS,
  );

  it(
    "are refused when the settings do not name the bot",
    async () => {
      const { world, model } = scene;
      const calls = model.journal.length;
      const id = await world
        .person("scanner[bot]")
        .commentOn(number, { path: "docs/a.txt", line: 2, body: "Rename this." });
      const refusals = () => scene.bot().log.filter(({ msg }) => msg === "delivery refused");
      await world.until(() => refusals().length >= 2, { what: "two refusals" });
      const reason = "The sender is a bot that MAGIS_ALLOWED_BOTS does not name.";
      expect(refusals().map((line) => line.reason)).toEqual([reason, reason]);
      expect(model.journal).toHaveLength(calls);
      expect(scene.saidIn(number, id)).toEqual([]);
    },
    WITHIN_MS,
  );
});
