import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import { reviewScript } from "./review-script.ts";
import { type ReviewScene, startReviewScene } from "./start-review-scene.ts";

const WITHIN_MS = 240_000;

describe("answering a review", () => {
  let scene: ReviewScene;
  let modelIsAway = false;

  beforeAll(async () => {
    const script = reviewScript({
      revisions: [{ when: "Shout", edits: { 2: "A2!" }, reply: "Loud now." }],
      comments: ({ text }) => {
        const ids = [...(text.split("have made these comments")[1] ?? "").matchAll(/^(re\d+), by /gm)];
        return { json: { replies: ids.map(([, comment]) => ({ comment, reply: "So it is." })), tasks: [] } };
      },
    });
    const away = { error: { status: 401, type: "authentication_error", message: "The key is not known." } } as const;
    scene = await startReviewScene((call) => (modelIsAway ? away : script(call)), { ownProcess: true });
  }, WITHIN_MS);
  afterAll(() => scene.close(), WITHIN_MS);

  it(
    "makes nothing twice when the process is killed after GitHub moved the branch and before it answered",
    async () => {
      const { world } = scene;
      const { number, pull } = await scene.opened("Killed after the advance");
      const alice = world.person("alice");
      const from = scene.model.journal.length;
      const hold = world.hold({ method: "PATCH", path: /\/git\/refs\/heads%2F/, when: "after" });
      const body = "A review of it.";
      const comments = [{ path: "docs/a.txt", line: 2, body: "Shout." }];
      const review = await alice.review(number, { event: "COMMENT", body, comments });
      await hold.reached;
      await scene.bot().kill();
      hold.release();
      await scene.startHere();
      const ends = await scene.ran(2);
      expect(ends.filter((end) => end === "published")).toHaveLength(1);

      const { sha } = (await scene.pull(number)).head;
      expect(await world.git("rev-list", "--count", `${pull.head.sha}..${sha}`)).toBe("1");
      expect(await world.git("for-each-ref", "refs/magis")).toBe("");
      const [thread] = world.threads(number);
      expect(thread?.comments).toHaveLength(2);
      expect(thread?.comments[1]?.body).toContain(sha);
      const answers = await scene.comments(number);
      expect(answers.map((one) => one.body.includes(`magis:answer review-${review}`))).toEqual([true]);
      expect((await scene.pull(number)).body?.match(/\| Review by alice/g)).toHaveLength(1);
      const bodies = scene.model.journal.slice(from).map((entry) => JSON.stringify(entry.body));
      expect(new Set(bodies).size).toBe(bodies.length);
    },
    WITHIN_MS,
  );

  it(
    "reports a failing model in one comment, and tries again on the next reply",
    async () => {
      const { world } = scene;
      await scene.bot().stop();
      await scene.startHere();
      const { number } = await scene.opened("The model is away");
      const alice = world.person("alice");
      modelIsAway = true;
      const comments = [{ path: "docs/a.txt", line: 2, body: "Shout." }];
      await alice.review(number, { event: "COMMENT", comments });
      const note = await scene.commentWith(number, "The work on your review had to stop:");
      expect(note).toContain("For what is still unanswered, comment");
      const ends = await scene.ran(2);
      expect(ends.toSorted()).toEqual(["failed", "given-up"]);
      expect(await scene.comments(number)).toHaveLength(1);
      expect((await scene.pull(number)).body).toContain("| Review by alice: 1 thread | stopped; ");
      modelIsAway = false;
      const first = world.threads(number)[0]?.comments[0]?.id ?? 0;
      const again = await alice.replyTo(first, "Shout, please.");
      expect(await scene.answered(number, again)).toContain("Loud now.");
    },
    WITHIN_MS,
  );
});
