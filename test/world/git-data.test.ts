import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import { RequestError } from "@octokit/request-error";
import { type AppClient, appClient } from "./app-client.ts";
import { startWorld } from "./start-world.ts";
import type { World } from "./world-handle.ts";

const at = { owner: "acme", repo: "widget" };

describe("git data by REST and GraphQL", () => {
  let world: World;
  let app: AppClient;

  beforeAll(async () => {
    world = await startWorld();
    app = await appClient(world);
    const alice = world.person("alice");
    await alice.push("feature", { "n.txt": "1\n" });
    await alice.openPull({ title: "One", head: "feature" });
    await alice.commentOn(1, { path: "n.txt", line: 1, body: "Why?" });
  });

  afterAll(() => world.close());

  const outcome = async (work: Promise<unknown>): Promise<[number, string]> => {
    try {
      await work;
      return [200, ""];
    } catch (error) {
      if (!(error instanceof RequestError)) throw error;
      return [error.status, JSON.stringify(error.response?.data)];
    }
  };
  it("refuses an update that is no fast-forward, and a new ref that exists", async () => {
    const { rest } = app.octokit;
    const main = await world.git("rev-parse", "main");
    const update = (force: boolean) => outcome(rest.git.updateRef({ ...at, ref: "heads/feature", sha: main, force }));
    expect(await update(false)).toEqual([422, expect.stringContaining("not a fast forward")]);
    expect((await outcome(rest.git.createRef({ ...at, ref: "refs/heads/feature", sha: main })))[0]).toBe(422);
    const tip = await world.git("rev-parse", "feature");
    expect((await outcome(rest.git.createRef({ ...at, ref: "refs/heads/copy", sha: tip })))[0]).toBe(200);
    await rest.git.deleteRef({ ...at, ref: "heads/copy" });
    expect((await outcome(rest.git.getRef({ ...at, ref: "heads/copy" })))[0]).toBe(404);
  });

  it("signs a commit of the app only when it names no author", async () => {
    const { rest } = app.octokit;
    const parent = await world.git("rev-parse", "main");
    const tree = await world.git("rev-parse", "main^{tree}");
    const plain = await rest.git.createCommit({ ...at, message: "m", tree, parents: [parent] });
    const author = { name: "N", email: "n@example.test" };
    const named = await rest.git.createCommit({ ...at, message: "m", tree, parents: [parent], author });
    expect([plain.data.verification.verified, named.data.verification.verified]).toEqual([true, false]);
    expect(plain.data.author.name).toBe("magis[bot]");
  });

  it("commits with createCommitOnBranch only on the expected head", async () => {
    const mutation =
      "mutation($input: CreateCommitOnBranchInput!) { createCommitOnBranch(input: $input) { commit { oid } } }";
    const commit = async (expectedHeadOid: string) =>
      app.octokit.graphql<{ createCommitOnBranch: { commit: { oid: string } } }>(mutation, {
        input: {
          branch: { repositoryNameWithOwner: "acme/widget", branchName: "feature" },
          message: { headline: "By GraphQL" },
          expectedHeadOid,
          fileChanges: { additions: [{ path: "a/b.txt", contents: Buffer.from("b\n").toString("base64") }] },
        },
      });
    await expect(commit(await world.git("rev-parse", "main"))).rejects.toThrow("Expected branch to point to");
    const { oid } = (await commit(await world.git("rev-parse", "feature"))).createCommitOnBranch.commit;
    expect(await world.git("show", "feature:a/b.txt")).toBe("b");
    expect((await world.pullRequests())[0]?.head.sha).toBe(oid);
  });

  it("checks the permissions of GraphQL mutations, and hides comments", async () => {
    const reader = await appClient(world, { pull_requests: "read" });
    const id = world.threads(1)[0]?.id;
    const resolve = "mutation($id: ID!) { resolveReviewThread(input: {threadId: $id}) { thread { isResolved } } }";
    await expect(reader.octokit.graphql(resolve, { id })).rejects.toThrow("not accessible by integration");
    await expect(app.octokit.graphql(resolve, { id: "PRRT_none" })).rejects.toThrow("Could not resolve to a node");
    const comment = await app.octokit.rest.issues.createComment({ ...at, issue_number: 1, body: "Old news" });
    const hide =
      "mutation($id: ID!) { minimizeComment(input: {subjectId: $id, classifier: OUTDATED}) { minimizedComment { isMinimized } } }";
    await app.octokit.graphql(hide, { id: comment.data.node_id });
    expect(world.isMinimized(comment.data.node_id)).toBe(true);
  });

  it("makes a verified commit in the real repository through the git data API", async () => {
    const { rest } = app.octokit;
    const base = (await rest.git.getRef({ ...at, ref: "heads/main" })).data.object.sha;
    const blob = (await rest.git.createBlob({ ...at, content: "two\n", encoding: "utf-8" })).data.sha;
    const { data: tree } = await rest.git.createTree({
      ...at,
      base_tree: base,
      tree: [
        { path: "n.txt", mode: "100644", type: "blob", sha: blob },
        { path: "src/two.js", mode: "100755", type: "blob", content: "2;\n" },
        { path: "README.md", mode: "100644", type: "blob", sha: null },
      ],
    });
    const { data: commit } = await rest.git.createCommit({
      ...at,
      message: "Add two",
      tree: tree.sha,
      parents: [base],
    });
    expect(commit.verification.verified).toBe(true);
    await rest.git.createRef({ ...at, ref: "refs/heads/api", sha: commit.sha });
    expect(await world.git("rev-parse", "api")).toBe(commit.sha);
    expect(await world.git("ls-tree", "-r", "--format=%(objectmode) %(path)", "api")).toBe(
      "100644 n.txt\n100755 src/two.js",
    );
    await world.git("fsck", "--strict");
  });

  it("follows GitHub's published description", () => {
    expect(world.contract.violations).toEqual([]);
    expect(world.contract.contradictions).toEqual([]);
  });
});
