import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import type { ScriptedCall } from "../scripted-model/scripted-call.ts";
import { reviewScript } from "./review-script.ts";
import { type ReviewScene, startReviewScene } from "./start-review-scene.ts";

/** The Manager wants a change of docs/b.txt for each comment on the pull request. */
function assign({ text }: ScriptedCall) {
  const asked = text.split("have made these comments").at(-1) ?? "";
  const comments = [...asked.matchAll(/^(re\d+), by /gm)].map(([, id = ""]) => id);
  const replies = comments.map((comment) => ({ comment, reply: "As you say." }));
  const task = { path: "docs/b.txt", action: "modify", title: "Change b", description: "Make line 2 upper case." };
  return { json: { replies, tasks: [{ ...task, comments }] } };
}

describe("the options of a request", () => {
  let scene: ReviewScene;
  beforeAll(async () => {
    const revisions = [{ when: "Upper, please", path: "docs/a.txt", edits: { 3: "A3" }, reply: "Done." }];
    scene = await startReviewScene(reviewScript({ revisions, comments: assign }));
  });
  afterAll(() => scene.close());

  it("are answered with all that work when one is unknown, and nothing is spent", async () => {
    const alice = scene.world.person("alice");
    const issue = await alice.openIssue({ title: "Change docs/a.txt" });
    const command = await alice.comment(issue, "/magis resolve bose:main budget:1");
    const note = await scene.commentWith(issue, "I did not start:");
    expect(note).toContain("- `bose:main` is not an option.");
    const listed = [...note.matchAll(/^- `([a-z]+)[:`]/gm)].map(([, name]) => name);
    expect(listed).toEqual(["bose", "base", "draft", "budget", "proof", "files", "anyway"]);
    expect(scene.model.journal).toEqual([]);
    expect(scene.world.reactions(`issues/comments/${command}`)).toEqual([{ content: "confused", login: "magis[bot]" }]);
  });

  it("stack the pull request on a person's branch", async () => {
    const { world } = scene;
    const alice = world.person("alice");
    const tip = await alice.push("feature/net", { "docs/other.txt": "others\n" }, "Begin the feature");
    const issue = await alice.openIssue({ title: "Change docs/a.txt and docs/b.txt" });
    await alice.comment(issue, "/magis resolve base:feature/net");
    const { pull, comment } = await scene.ended(issue);
    expect(pull?.base.ref).toBe("feature/net");
    expect(await world.git("show", "-s", "--format=%P", pull?.head.sha ?? "")).toBe(tip);
    expect(await world.git("diff", "--name-only", tip, pull?.head.sha ?? "")).toBe("docs/a.txt\ndocs/b.txt");
    expect(comment.body).toContain("`/magis resolve base:feature/net`");
  });

  it("also hold for what follows on the pull request", async () => {
    const { world } = scene;
    const alice = world.person("alice");
    const issue = await alice.openIssue({ title: "Change docs/a.txt" });
    await alice.comment(issue, "/magis resolve files:docs/a.txt draft:false");
    const { pull } = await scene.ended(issue);
    const number = pull?.number ?? 0;
    expect(pull?.draft).toBe(false);
    await alice.comment(number, "Change docs/b.txt too.");
    const left = await scene.commentWith(number, "> alice: Change docs/b.txt too.");
    expect(left).toContain("`docs/b.txt`: only files that `files:` or `only` names may be changed.");
    const upper = await alice.commentOn(number, { path: "docs/a.txt", line: 3, body: "Upper, please" });
    await scene.answered(number, upper);
    const { head } = await scene.pull(number);
    expect(await world.git("diff", "--name-only", "main", head.sha)).toBe("docs/a.txt");
    expect(await world.git("show", `${head.sha}:docs/a.txt`)).toBe("a1\nA2\nA3\na4\na5");
  });
});
