import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import { type AppClient, appClient } from "./app-client.ts";
import { startWorld } from "./start-world.ts";
import type { World } from "./world-handle.ts";

const at = { owner: "acme", repo: "widget" };

interface Threads {
  viewer: { login: string };
  repository: {
    pullRequest: { reviewThreads: { totalCount: number; pageInfo: { endCursor: string }; nodes: object[] } };
  };
}

describe("a world that the app reads", () => {
  let world: World;
  let app: AppClient;

  beforeAll(async () => {
    const files = { "README.md": "# widget\n", "src/one.js": "1;\n" };
    const roles = { alice: "write" } as const;
    world = await startWorld({ repositories: [{ owner: "acme", name: "widget", private: true, files, roles }] });
    app = await appClient(world);
    await world.person("alice").push("feature", { "src/two.js": "2;\n" });
    await world.person("alice").openPull({ title: "Two", head: "feature" });
  });

  afterAll(() => world.close());

  it("stores checks and statuses", async () => {
    const { rest } = app.octokit;
    const sha = await world.git("rev-parse", "feature");
    const { data: run } = await rest.checks.create({ ...at, name: "MAGIS", head_sha: sha, status: "in_progress" });
    const output = { title: "MAGIS", summary: "Done" };
    await rest.checks.update({ ...at, check_run_id: run.id, status: "completed", conclusion: "success", output });
    const { data: runs } = await rest.checks.listForRef({ ...at, ref: "feature" });
    expect(runs.check_runs.map(({ name, conclusion }) => [name, conclusion])).toEqual([["MAGIS", "success"]]);
    await rest.repos.createCommitStatus({ ...at, sha, state: "success", context: "ci" });
    expect((await rest.repos.getCombinedStatusForRef({ ...at, ref: sha })).data.state).toBe("success");
    await world.until(() => world.deliveries.find(({ event }) => event === "status"));
    world.setJobLog(7, "the log\n");
    expect((await rest.actions.downloadJobLogsForWorkflowRun({ ...at, job_id: 7 })).data).toBe("the log\n");
  });

  it("reads history and contents from git", async () => {
    const { rest } = app.octokit;
    expect((await rest.repos.compareCommitsWithBasehead({ ...at, basehead: "main...feature" })).data.ahead_by).toBe(1);
    expect((await rest.repos.listCommits({ ...at, sha: "feature" })).data.length).toBe(2);
    expect((await rest.pulls.listCommits({ ...at, pull_number: 1 })).data.length).toBe(1);
    expect((await rest.repos.getContent({ ...at, path: "src" })).data).toMatchObject([{ name: "one.js" }]);
    expect((await rest.repos.getBranch({ ...at, branch: "feature" })).data.commit.sha).toHaveLength(40);
    expect((await rest.git.listMatchingRefs({ ...at, ref: "heads/fe" })).data).toHaveLength(1);
    expect((await rest.git.getTree({ ...at, tree_sha: "main", recursive: "1" })).data.tree).toHaveLength(3);
    expect((await rest.repos.get(at)).data.default_branch).toBe("main");
    expect((await rest.apps.listReposAccessibleToInstallation()).data.total_count).toBe(1);
    expect(await readFile(join(await world.checkout("feature"), "src/two.js"), "utf8")).toBe("2;\n");
  });

  it("stores assignees and requested reviewers, and shows a raw file", async () => {
    const { rest } = app.octokit;
    const issue_number = await world.person("alice").openIssue({ title: "One" });
    await rest.issues.addAssignees({ ...at, issue_number, assignees: ["alice"] });
    expect((await rest.issues.get({ ...at, issue_number })).data.assignee?.login).toBe("alice");
    await rest.issues.removeAssignees({ ...at, issue_number, assignees: ["alice"] });
    expect((await rest.issues.get({ ...at, issue_number })).data.assignee).toBeNull();
    expect((await rest.pulls.listRequestedReviewers({ ...at, pull_number: 1 })).data.users).toEqual([]);
    const raw = await rest.repos.getContent({ ...at, path: "README.md", mediaType: { format: "raw" } });
    expect(raw.data).toBe("# widget\n");
    const { data: all } = await rest.issues.listForRepo({ ...at, state: "all" });
    expect(all.map(({ number, pull_request }) => [number, pull_request !== undefined])).toEqual([
      [2, false],
      [1, true],
    ]);
  });

  it("shows threads through GraphQL page by page", async () => {
    const alice = world.person("alice");
    const asked = await alice.commentOn(1, { path: "src/two.js", line: 1, body: "Why?" });
    await alice.commentOn(1, { path: "src/two.js", subject_type: "file", body: "Really?" });
    const commit_id = (await world.pullRequests())[0]?.head.sha ?? "";
    await app.octokit.rest.pulls.createReplyForReviewComment({ ...at, pull_number: 1, comment_id: asked, body: "So." });
    const resolve = "mutation($t: ID!) { resolveReviewThread(input: {threadId: $t}) { thread { isResolved } } }";
    await app.octokit.graphql(resolve, { t: world.threads(1)[0]?.id });
    const query = `query($after: String) { viewer { login } repository(owner: "acme", name: "widget") {
      pullRequest(number: 1) { id number isDraft headRefOid state body
        reviewThreads(first: 1, after: $after) { totalCount pageInfo { hasNextPage endCursor } nodes {
          id isResolved isOutdated path line subjectType resolvedBy { login }
          comments(first: 10) { nodes { id databaseId fullDatabaseId body path author { __typename login } } } } } } } }`;
    const first = await app.octokit.graphql<Threads>(query);
    expect(first.viewer.login).toBe("magis[bot]");
    expect(first.repository.pullRequest).toMatchObject({ state: "OPEN", headRefOid: commit_id });
    const page = first.repository.pullRequest.reviewThreads;
    expect(page).toMatchObject({ totalCount: 2, pageInfo: { hasNextPage: true } });
    expect(page.nodes).toMatchObject([
      {
        isResolved: true,
        subjectType: "LINE",
        line: 1,
        resolvedBy: { login: "magis" },
        comments: {
          nodes: [
            { databaseId: asked, author: { __typename: "User" } },
            { author: { __typename: "Bot", login: "magis" } },
          ],
        },
      },
    ]);
    const second = await app.octokit.graphql<Threads>(query, { after: page.pageInfo.endCursor });
    expect(second.repository.pullRequest.reviewThreads).toMatchObject({
      pageInfo: { hasNextPage: false },
      nodes: [{ isResolved: false, subjectType: "FILE", line: null }],
    });
  });

  it("follows GitHub's published description", () => {
    expect(world.contract.violations).toEqual([]);
    expect(world.contract.contradictions).toEqual([]);
    expect([...world.contract.missing()]).toEqual([]);
  });
});
