import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import type { ScriptedCall } from "../scripted-model/scripted-call.ts";
import { appClient } from "../world/app-client.ts";
import { reviewScript } from "./review-script.ts";
import { type ReviewScene, startReviewScene } from "./start-review-scene.ts";

const opens = reviewScript({ revisions: [] });

/** What the Developer makes of the place; one where the base says "riddle" is unclear. */
function resolve({ text }: ScriptedCall) {
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
  return { json: { hunks: [place] } };
}

describe("a base that moves on under the bot's pull request", () => {
  let scene: ReviewScene;

  beforeAll(async () => {
    scene = await startReviewScene((call) => {
      if (call.promptId === "x01-resolve-conflicts") return resolve(call);
      if (call.promptId === "x02-review-merge") return { json: { hunks: [{ id: "1", right: true }] } };
      return opens(call);
    });
  });
  afterAll(() => scene.close());

  const git = (...args: string[]) => scene.world.git(...args);
  /** A commit of a job that has the app's token: of a person's the bot would step back. */
  async function commitAsApp(branch: string, path: string, content: string): Promise<string> {
    const { rest } = (await appClient(scene.world)).octokit;
    const at = { owner: "acme", repo: "shop" };
    const parent = await git("rev-parse", branch);
    const file = { path, content, mode: "100644", type: "blob" } as const;
    const tree = await rest.git.createTree({ ...at, base_tree: parent, tree: [file] });
    const commit = await rest.git.createCommit({ ...at, message: "Lock", tree: tree.data.sha, parents: [parent] });
    await rest.git.updateRef({ ...at, ref: `heads/${branch}`, sha: commit.data.sha });
    return commit.data.sha;
  }

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

  it("takes the base's lock file where both changed it, and names the command that makes it anew", async () => {
    const { world } = scene;
    const alice = world.person("alice");
    const lock = (version: string) => `{ "name": "shop", "version": "${version}" }\n`;
    await alice.push("main", { "package-lock.json": lock("1.0.0") }, "Lock");
    const { number, pull } = await scene.opened("Locked");
    const own = await commitAsApp(pull.head.ref, "package-lock.json", lock("1.0.1"));
    const tip = await alice.push("main", { "package-lock.json": lock("1.1.0") }, "Lock again");
    const note = await scene.commentWith(number, "please make them anew");
    expect(note).toContain("They are now as on `main`: please make them anew; until somebody has, this stays a draft.");
    expect(note).toContain("- `package-lock.json`: `npm install`");
    const { head } = await scene.pull(number);
    expect(await git("show", "-s", "--format=%P", head.sha)).toBe(`${own} ${tip}`);
    expect(await git("diff", "--name-only", tip, head.sha)).toBe("docs/a.txt\ndocs/b.txt");
    await world.until(async () => (await scene.pull(number)).body?.includes("<!-- magis:resolved-conflicts -->"), {
      what: "the mark that keeps the draft",
    });
  });

  it("is left to people when the merge is in doubt", async () => {
    const { number, pull } = await scene.opened("Doubt");
    await scene.world.person("alice").push("main", { "docs/b.txt": "b1\nriddle\nb3\nb4\nb5\n" }, "A riddle");
    const note = await scene.commentWith(number, "This branch conflicts with `main`.");
    expect(note).toContain("- `docs/b.txt`: Somebody has to say which.");
    expect((await scene.pull(number)).head.sha).toBe(pull.head.sha);
  });

  it("is left alone once a person has pushed to the branch", async () => {
    const { number, pull } = await scene.opened("Taken over");
    const alice = scene.world.person("alice");
    const own = await alice.push(pull.head.ref, { "docs/mine.txt": "mine\n" }, "Mine");
    await alice.push("main", { "docs/a.txt": "a1\nbeta\na3\na4\na5\n", "docs/b.txt": "b1\nbeta\nb3\n" }, "Say beta");
    expect(await scene.commentWith(number, "has committed to this branch")).toContain("alice");
    expect((await scene.pull(number)).head.sha).toBe(own);
  });
});
