import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import { createScript } from "../scripted-model/script.ts";
import { type Scene, startScene } from "./start-scene.ts";

const FILE = ".github/magis.yml";
const OWN = [
  "label: robot",
  "branch: magis/fix-{issue}-{slug}",
  'commit: "[#{issue}] {type}: {title}"',
  "sign-off: true",
  "co-author: true",
  "draft: false",
  "ignore:",
  "  - /old/",
  "protect:",
  "  - /b.txt",
  "instructions: Mind the tabs.",
  "language: French",
  "",
].join("\n");

describe("a repository's configuration", () => {
  let scene: Scene;
  const change = (text: string) => ({ rounds: [{ edits: [{ start: 1, end: 1, text }] }] });
  const configure = (text: string | null) => scene.world.person("alice").push("main", { [FILE]: text }, "Configure");

  beforeAll(async () => {
    scene = await startScene({
      repository: {
        files: { "a.txt": "a\n", "b.txt": "b\n", "old/c.txt": "c\n", LICENSE: "Mine.\n", "AGENTS.md": "Be brief.\n" },
      },
      script: createScript({
        files: { "a.txt": change("A"), "b.txt": change("B"), "old/c.txt": change("C"), LICENSE: change("Yours.") },
      }),
    });
  });
  afterAll(() => scene.close());

  it("starts nothing when it has errors, and says where they are and how to fix them", async () => {
    const { world, model } = scene;
    await configure("candidates: 8\nreviewRounds: 2\n");
    const asked = model.journal.length;
    const issue = await world.person("alice").openIssue({ title: "Change a.txt" });
    await world.person("alice").comment(issue, "/magis resolve");
    const [comment] = await world.until(async () => {
      const comments = await scene.comments(issue);
      return comments.length > 0 ? comments : undefined;
    });
    expect(comment?.body).toContain("In `.github/magis.yml`:");
    expect(comment?.body).toMatch(/line 1\b.*`candidates` is no longer a setting/is);
    expect(comment?.body).toMatch(/line 2\b.*reviewRounds/is);
    expect(model.journal).toHaveLength(asked);
    expect(await scene.comments(issue)).toHaveLength(1);
  });

  it("sets label, branch, commit, draft, language and instructions, and keeps files from the bot", async () => {
    const { world } = scene;
    await configure(OWN);
    const alice = world.person("alice");
    const issue = await alice.openIssue({ title: "Change a.txt, b.txt and old/c.txt" });
    await alice.label(issue, "magis");
    await alice.request("POST", "/labels", { name: "robot", color: "ededed" });
    await alice.label(issue, "robot");
    const { comment } = await scene.ended(issue);
    expect(comment.body).toContain("with the label `robot`");
    const [pull] = (await world.pullRequests()).filter(({ head }) => head.ref.startsWith(`magis/fix-${issue}-`));
    expect(pull).toMatchObject({ draft: false, title: expect.stringMatching(new RegExp(`^\\[#${issue}\\] \\w+: `)) });
    expect(await world.git("log", "-1", "--format=%B", pull?.head.sha ?? "")).toMatch(
      /Co-authored-by: magis\[bot\] <.*\nSigned-off-by: magis\[bot\] </,
    );
    expect((await world.diff(pull?.number ?? 0)).match(/^[+-]\w.*$/gm)).toEqual(["-a", "+A"]);
    const [define] = scene.calls("p04-plan-work").slice(-1);
    expect(define?.call?.system).toMatch(/Mind the tabs\.[\s\S]*in this language: `French`/);
    expect(define?.call?.text).toContain("Be brief.");
    const judged = scene.calls("c02-locate-files").at(-1)?.call?.text ?? "";
    expect(judged).not.toContain("## `old/c.txt`");

    await alice.comment(issue, "/magis resolve");
    const words = `My pull request #${pull?.number} for this issue is still open.`;
    const answer = async () => (await scene.comments(issue)).find(({ body }) => body.includes(words));
    await world.until(answer, { what: "the comment about the open pull request" });
  });

  it("waits for approval before it writes anything", async () => {
    await configure("approval: required\n");
    const issue = await scene.ask("Change a.txt again");
    const { comment, pull } = await scene.ended(issue);
    expect(comment.body).toContain("waits for your approval");
    expect(pull).toBeUndefined();
    await scene.world.person("alice").comment(issue, "/magis approve");
    await scene.world.until(async () => (await scene.comments(issue))[0]?.body.includes("opened pull request"), {
      what: "the pull request after the approval",
    });
  });

  it("protects LICENSE by default, and says so instead of changing it", async () => {
    await configure(null);
    const { comment, pull } = await scene.ended(await scene.ask("Change LICENSE"));
    expect(pull).toBeUndefined();
    expect(comment.body).toMatch(/MAGIS could not resolve this issue[\s\S]*LICENSE`: left alone, it is protected \(/);
  });
});
