import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import type { ScriptedCall } from "../scripted-model/scripted-call.ts";
import { reviewScript } from "./review-script.ts";
import { type ReviewScene, startReviewScene } from "./start-review-scene.ts";

const WITHIN_MS = 240_000;

describe("comments and pushes during a revision", () => {
  let scene: ReviewScene;

  beforeAll(async () => {
    const revisions = [
      { when: "Shout more", edits: { 2: "A2!!" }, reply: "Louder now." },
      { when: "Shout", edits: { 2: "A2!" }, reply: "Loud now." },
      { when: "Whisper", edits: { 2: "b2..." }, reply: "Quiet now." },
    ];
    scene = await startReviewScene(reviewScript({ revisions }));
  }, WITHIN_MS);
  afterAll(() => scene.close(), WITHIN_MS);

  const located = ({ promptId, text }: ScriptedCall) =>
    promptId === "p09-change-file" && text.includes("Maintainers have reviewed");
  const onA = { path: "docs/a.txt", line: 2 };

  it(
    "answers comments that arrive during a revision, in the same thread too, in the next one",
    async () => {
      const { world, model } = scene;
      const { number, pull } = await scene.opened("Comments meanwhile");
      const alice = world.person("alice");
      const hold = model.hold(located);
      const first = await alice.commentOn(number, { ...onA, body: "Shout." });
      await hold.reached;
      const second = await alice.replyTo(first, "Shout more.");
      const other = await alice.commentOn(number, { path: "docs/b.txt", line: 2, body: "Whisper." });
      hold.release();
      expect(await scene.answered(number, first)).toContain("Loud now.");
      expect(await scene.answered(number, second)).toContain("Louder now.");
      expect(await scene.answered(number, other)).toContain("Quiet now.");
      const ends = await scene.ran(3);
      expect(ends).toEqual(["published", "published", "answered"]);
      const { sha } = (await scene.pull(number)).head;
      expect(await world.git("rev-list", "--count", `${pull.head.sha}..${sha}`)).toBe("2");
      expect(scene.saidIn(number, first)).toHaveLength(2);
    },
    WITHIN_MS,
  );

  it(
    "never overwrites a person's push, steps back once, and works on when asked to",
    async () => {
      const { world, model } = scene;
      const { number, pull } = await scene.opened("A push meanwhile");
      const alice = world.person("alice");
      const hold = model.hold(located);
      const comment = await alice.commentOn(number, { ...onA, body: "Shout." });
      await hold.reached;
      const pushed = await alice.push(pull.head.ref, { "docs/other.txt": "hers\n" });
      hold.release();
      await scene.commentWith(number, "alice has committed to this branch");
      expect((await scene.pull(number)).head.sha).toBe(pushed);
      expect(scene.saidIn(number, comment)).toEqual([]);

      const before = model.journal.length;
      const more = await alice.commentOn(number, { path: "docs/b.txt", line: 2, body: "Whisper." });
      const ended = () => scene.bot().log.filter(({ reason }) => reason === "stepped-back").length;
      await world.until(() => ended() >= 2, { what: "stepping back again" });
      expect(scene.model.journal).toHaveLength(before);
      expect(await scene.comments(number)).toHaveLength(1);

      const advance = world.hold({ method: "PATCH", path: /\/git\/refs\/heads%2F/ });
      await alice.comment(number, "/magis resolve");
      await advance.reached;
      const again = await alice.push(pull.head.ref, { "docs/other.txt": "hers again\n" });
      advance.release();
      expect(await scene.answered(number, comment)).toContain("Loud now.");
      expect(await scene.answered(number, more)).toContain("Quiet now.");
      const { sha } = (await scene.pull(number)).head;
      expect(await world.git("rev-parse", `${sha}^`)).toBe(again);
      expect(await world.git("show", `${sha}:docs/other.txt`)).toBe("hers again");
      expect(await world.git("show", `${sha}:docs/a.txt`)).toBe("a1\nA2!\na3\na4\na5");
      expect(await world.git("for-each-ref", "refs/magis")).toBe("");
    },
    WITHIN_MS,
  );
});
