import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import type { Call } from "../scripted-model/script.ts";
import { reviewScript } from "./review-script.ts";
import { type ReviewScene, startReviewScene } from "./start-review-scene.ts";

/** What the Developer makes of the place; one where the base says "riddle" is unclear. */
function resolve({ text }: Call) {
  const unclear = text.includes("riddle");
  const place = {
    id: "1",
    lines: unclear ? "" : "A2 and alpha\n",
    left: ["A2", "alpha"],
    differed: "The base says alpha, the change A2.",
    kept: "Both.",
    why: unclear ? "Somebody has to say which." : "Both are meant.",
    unclear,
  };
  return { hunks: [place] };
}

describe("a base that moves on under the bot's pull request", () => {
  let scene: ReviewScene;

  beforeAll(async () => {
    const answers = { "x01-resolve-conflicts": resolve, "x02-review-merge": { hunks: [{ id: "1", right: true }] } };
    scene = await startReviewScene(reviewScript({ revisions: [], answers }));
  });
  afterAll(() => scene.close());

  const git = (...args: string[]) => scene.world.git(...args);

  it("is merged by a commit with two parents when it conflicts, with a log of what was kept", async () => {
    const { world } = scene;
    const { number, pull } = await scene.opened("Upper");
    const alice = world.person("alice");
    await alice.push("main", { "docs/other.txt": "others\n" }, "Something else");
    const tip = await alice.push("main", { "docs/a.txt": "a1\nalpha\na3\na4\na5\n" }, "Say alpha");
    const note = await scene.commentWith(number, "I merged `main` into this branch");
    expect(note).toContain("- `docs/a.txt:2`\n  - Differed: The base says alpha, the change A2.");
    const { head } = await scene.pull(number);
    expect(await git("show", "-s", "--format=%P", head.sha)).toBe(`${pull.head.sha} ${tip}`);
    expect(await git("show", "-s", "--format=%s", head.sha)).toBe(`Merge branch 'main' into ${head.ref}`);
    expect(await git("show", `${head.sha}:docs/a.txt`)).toBe("a1\nA2 and alpha\na3\na4\na5");
    expect(await git("diff", "--name-only", tip, head.sha)).toBe("docs/a.txt\ndocs/b.txt");
    const body = async () => (await scene.pull(number)).body?.includes("| Base main merged | commit ");
    await world.until(body, { what: "the line in the pull request's body" });
    expect(scene.calls("x01-resolve-conflicts")).toHaveLength(1);
  });

  it("is left to people when the merge is in doubt", async () => {
    const { number, pull } = await scene.opened("Doubt");
    await scene.world.person("alice").push("main", { "docs/b.txt": "b1\nriddle\nb3\nb4\nb5\n" }, "A riddle");
    const note = await scene.commentWith(number, "This branch conflicts with `main`.");
    expect(note).toContain("- `docs/b.txt`: Somebody has to say which.");
    expect((await scene.pull(number)).head.sha).toBe(pull.head.sha);
  });
});
