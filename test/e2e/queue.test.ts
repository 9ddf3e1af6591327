import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import { DURABLE_FILES, durableScript } from "./durable-script.ts";
import { type Scene, startScene } from "./start-scene.ts";

const WITHIN_MS = 400_000;

const FIRST = "c02-locate-files";

describe("issues labelled while the bot works on others", () => {
  let scene: Scene;
  beforeAll(async () => {
    scene = await startScene({ repository: { files: DURABLE_FILES }, script: durableScript() });
  }, WITHIN_MS);
  afterAll(() => scene.close(), WITHIN_MS);

  /** The tracking comments of an issue; there should be one. */
  const tracking = async (issue: number) =>
    (await scene.comments(issue)).map(({ body }) => body).filter((body) => body.includes("magis:run"));

  it(
    "show their place in the queue in the comment that later reports their progress",
    async () => {
      const { world, model } = scene;
      const alice = world.person("alice");
      const hold = model.hold(({ promptId }) => promptId === FIRST);
      const issues: number[] = [];
      for (const one of ["one", "two", "three", "four"])
        issues.push(await alice.openIssue({ title: `greet.txt has a typo (${one})` }));
      await Promise.all(issues.map((issue) => alice.label(issue, "magis")));
      await hold.reached;
      const posted = async () => {
        const texts = (await Promise.all(issues.map(tracking))).flat();
        return texts.length === issues.length ? texts : undefined;
      };
      const texts = await world.until(posted, { what: "a comment on each issue" });
      const numbers = texts.map((text) => /queued behind (\d+) runs? since/.exec(text)?.[1] ?? "none");
      expect(numbers.sort()).toEqual(["1", "2", "3", "none"]);
      expect(texts.filter((text) => text.includes("### MAGIS is working on this issue"))).toHaveLength(1);
      const isQueued = (text: string) => text.includes("### MAGIS will work on this issue when its turn comes");
      expect(texts.filter(isQueued)).toHaveLength(3);
      hold.release();
      for (const issue of issues) {
        const { comment, pull } = await scene.ended(issue);
        expect(comment.body).toContain(`### MAGIS opened pull request #${pull?.number}`);
        expect(comment.body).not.toContain("It was interrupted");
        expect(await tracking(issue)).toHaveLength(1);
      }
    },
    WITHIN_MS,
  );
});
