import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import { type QuotedRevision, reviewScript } from "./review-script.ts";
import { type ReviewScene, startReviewScene } from "./start-review-scene.ts";

const WITHIN_MS = 240_000;

describe("reviews of the bot's pull request", () => {
  let scene: ReviewScene;

  beforeAll(async () => {
    const revisions: QuotedRevision[] = [
      {
        when: "Write three exclamation marks",
        path: "docs/a.txt",
        edits: { 2: "A2!!!", 3: "a3!" },
        reply: "It shouts now.",
      },
      { when: "And here one", edits: { 2: "B2!" }, reply: "One mark, as you say." },
      { when: "Why upper case?", reply: "Because the issue asks for it." },
      { when: "do not argue again", reply: "I leave the decision to you." },
      { when: "Make it lower case", reply: "I would keep it: the issue asks for upper case." },
    ];
    scene = await startReviewScene(reviewScript({ revisions }));
  }, WITHIN_MS);
  afterAll(() => scene.close(), WITHIN_MS);

  it(
    "answers three threads in two files with one run, one commit and three replies, and leaves the threads open",
    async () => {
      const { world } = scene;
      const { number, pull } = await scene.opened("A review");
      const described = scene.calls("p04-plan-work").length;
      await world.person("alice").review(number, {
        event: "REQUEST_CHANGES",
        comments: [
          { path: "docs/a.txt", line: 2, body: "Write three exclamation marks." },
          { path: "docs/a.txt", line: 3, body: "And one in the next line." },
          { path: "docs/b.txt", line: 2, body: "And here one." },
        ],
      });
      const ends = await scene.ran(4);
      expect(ends.toSorted()).toEqual(["answered", "answered", "answered", "published"]);
      const { sha } = (await scene.pull(number)).head;
      expect(await world.git("rev-list", "--count", `${pull.head.sha}..${sha}`)).toBe("1");
      expect(await world.git("show", `${sha}:docs/a.txt`)).toBe("a1\nA2!!!\na3!\na4\na5");
      expect(await world.git("show", `${sha}:docs/b.txt`)).toBe("b1\nB2!\nb3\nb4\nb5");

      const threads = world.threads(number);
      expect(threads.map(({ resolved, comments }) => [resolved, comments.length])).toEqual(Array(3).fill([false, 2]));
      for (const { comments } of threads) expect(comments[1]?.body).toContain(`Changed in ${sha}.`);
      expect(threads[0]?.comments[1]?.body).toContain("**Developer for docs/a.txt**\n\nIt shouts now.");
      expect(scene.calls("p04-plan-work")).toHaveLength(described);
      const reviewed = scene.calls("p11-review-work").at(-1)?.call?.text;
      expect(reviewed).toContain("QA Engineer for docs/a.txt");
      expect(reviewed).not.toContain("Another QA Engineer");
      expect(await scene.comments(number)).toEqual([]);

      const message = await world.git("log", "-1", "--format=%B", sha);
      expect(message).toMatch(/^fix: do what the issue asks for\n/);
      expect(message).toContain("The review asked for:\n- docs/a.txt, alice: Write three exclamation marks.");
      const line = `| Review by alice: 3 threads | commit ${sha.slice(0, 7)}, 3 answers |`;
      const body = (await scene.pull(number)).body ?? "";
      expect(body).toContain(line);
      expect(body).toContain("3 review threads are unresolved.");
      expect(body.startsWith(pull.body ?? "no body")).toBe(true);
    },
    WITHIN_MS,
  );

  it(
    "answers a question without a commit, and disagrees only once",
    async () => {
      const { world } = scene;
      const { number, pull } = await scene.opened("A question");
      const alice = world.person("alice");
      const question = await alice.commentOn(number, { path: "docs/a.txt", line: 2, body: "Why upper case?" });
      const answer = await scene.answered(number, question);
      expect(answer).toContain("Because the issue asks for it.\n\nNothing was changed for this.");

      const wish = await alice.commentOn(number, { path: "docs/b.txt", line: 2, body: "Make it lower case." });
      expect(await scene.answered(number, wish)).toContain("I would keep it");
      const again = await alice.replyTo(wish, "Still.");
      expect(await scene.answered(number, again)).toContain("I leave the decision to you.");
      expect((await scene.pull(number)).head.sha).toBe(pull.head.sha);
      expect(world.threads(number).map(({ resolved }) => resolved)).toEqual([false, false]);
      const line = /\| Review by alice: 1 thread \| 1 answer, no change \|/g;
      const bodyOf = async () => (await scene.pull(number)).body ?? "";
      await world.until(async () => (await bodyOf()).match(line)?.length === 3, { what: "three lines in the body" });
      expect((await bodyOf()).match(/magis:follow-ups/g)).toHaveLength(2);
    },
    WITHIN_MS,
  );

  it(
    "ignores people without write permission, and everybody on a closed pull request",
    async () => {
      const { world, model } = scene;
      const { number } = await scene.opened("Strangers");
      const calls = model.journal.length;
      const tom = world.person("tom");
      await tom.comment(number, "I am only tom.");
      const thread = await tom.commentOn(number, { path: "docs/a.txt", line: 2, body: "Why upper case?" });
      const refused = () => scene.bot().log.filter(({ msg }) => msg === "delivery refused").length;
      await world.until(() => refused() >= 3, { what: "three refusals" });
      const alice = world.person("alice");
      await alice.closePull(number);
      await alice.replyTo(thread, "Why upper case?");
      await alice.comment(number, "And why closed?");
      const { number: other } = await scene.opened("Afterwards");
      expect(other).not.toBe(number);
      const since = model.journal.slice(calls).map(({ call }) => call?.text ?? "");
      expect(since.filter((text) => text.includes("Maintainers have"))).toEqual([]);
      expect(scene.saidIn(number, thread)).toEqual([]);
      expect(await scene.comments(number)).toEqual([]);
    },
    WITHIN_MS,
  );
});
