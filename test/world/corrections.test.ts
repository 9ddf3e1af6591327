import { createSign } from "node:crypto";
import { mkdir, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import { RequestError } from "@octokit/request-error";
import { type AppClient, appClient } from "./app-client.ts";
import { runGit } from "./git/run-program.ts";
import { startWorld } from "./start-world.ts";
import type { World } from "./world-handle.ts";

const at = { owner: "acme", repo: "widget" };
const lines = (change: (n: number) => string) => Array.from({ length: 40 }, (_, i) => `${change(i + 1)}\n`).join("");

describe("the world where emulate differs from GitHub", () => {
  let world: World;
  let app: AppClient;

  beforeAll(async () => {
    world = await startWorld({
      repositories: [
        {
          owner: "acme",
          name: "widget",
          private: true,
          files: { "n.txt": lines(String) },
          roles: { alice: "maintain", tess: "triage", rita: "read" },
          labels: ["magis"],
        },
        { owner: "acme", name: "open", private: false, roles: { alice: "admin" } },
      ],
    });
    app = await appClient(world);
    const alice = world.person("alice");
    await alice.openIssue({ title: "One" });
    await alice.push("feature", { "n.txt": lines((n) => (n === 20 ? "twenty" : String(n))) });
    await app.octokit.rest.pulls.create({ ...at, title: "Two", head: "feature", base: "main" });
  });

  afterAll(() => world.close());

  const get = async (path: string, token: string) =>
    (await fetch(`${world.url}/api/v3${path}`, { headers: { authorization: `Bearer ${token}` } })).status;
  const outcome = async (work: Promise<unknown>): Promise<[number, string]> => {
    try {
      await work;
      return [200, ""];
    } catch (error) {
      if (!(error instanceof RequestError)) throw error;
      return [error.status, JSON.stringify(error.response?.data)];
    }
  };
  const jwt = (iat: number, exp: number, key = world.privateKey) => {
    const part = (value: object) => Buffer.from(JSON.stringify(value)).toString("base64url");
    const claims = `${part({ alg: "RS256", typ: "JWT" })}.${part({ iat, exp, iss: "12345" })}`;
    return `${claims}.${createSign("RSA-SHA256").update(claims).sign(key, "base64url")}`;
  };

  it("answers unknown tokens and bad JWTs with 401", async () => {
    const now = Math.floor(Date.now() / 1000);
    expect(await get("/repos/acme/widget", "ghp_nobody")).toBe(401);
    expect(await get("/app", jwt(now - 30, now + 300))).toBe(200);
    expect(await get("/repos/acme/widget/installation", jwt(now - 30, now + 300))).toBe(200);
    expect(await get("/app", jwt(now - 900, now - 300))).toBe(401);
    expect(await get("/app", jwt(now, now + 3600))).toBe(401);
    expect(await get("/app", `${jwt(now, now + 60).slice(0, -8)}AAAAAAAA`)).toBe(401);
  });

  it("hides a private repository from a stranger, and uses GitHub's names of roles", async () => {
    expect(await get("/repos/acme/widget", world.tokenOf("rita"))).toBe(200);
    expect(await get("/repos/acme/widget", world.tokenOf("eve"))).toBe(404);
    expect(await get("/repos/acme/open", world.tokenOf("eve"))).toBe(200);
    const octokit = app.octokit.rest.repos;
    const roles = await Promise.all(
      ["alice", "tess", "rita", "eve"].map(async (username) => {
        const { data } = await octokit.getCollaboratorPermissionLevel({ ...at, username });
        return [data.permission, data.role_name];
      }),
    );
    expect(roles).toEqual([
      ["write", "maintain"],
      ["read", "triage"],
      ["read", "read"],
      ["none", "none"],
    ]);
    expect((await outcome(octokit.getCollaboratorPermissionLevel({ ...at, username: "no-such-user" })))[0]).toBe(404);
    await expect(world.person("rita").label(1, "magis")).rejects.toThrow("403");
    await world.person("tess").label(1, "magis");
  });

  it("gives long tokens with dots that are scoped and expire", async () => {
    expect(app.token).toMatch(/^ghs_12345_[^.]+\.[^.]+\.[^.]+$/);
    const reader = await appClient(world, { contents: "read" });
    const [status] = await outcome(reader.octokit.rest.issues.createComment({ ...at, issue_number: 1, body: "x" }));
    expect(status).toBe(403);
    expect(await push(reader.token)).toMatch(/403/);
    expect(await push(app.token)).toBe("pushed");
    expect(await push("ghs_unknown")).toMatch(/Authentication failed/);
    expect(await push(app.token, ".github/workflows/ci.yml")).toMatch(/without `workflows` permission/);
    const old = await appClient(world);
    world.expireTokens();
    expect(await get("/repos/acme/widget", old.token)).toBe(401);
    expect(await push(old.token)).toMatch(/Authentication failed/);
    app = await appClient(world);
  });

  it("refuses a second pull request, one without commits and one from an unknown branch", async () => {
    const create = (head: string) =>
      outcome(app.octokit.rest.pulls.create({ ...at, title: "Again", head, base: "main" }));
    expect(await create("feature")).toEqual([
      422,
      expect.stringContaining("A pull request already exists for acme:feature."),
    ]);
    expect(await create("main")).toEqual([422, expect.stringContaining("No commits between main and main")]);
    expect((await create("nowhere"))[0]).toBe(422);
  });

  it("lets nobody approve their own pull request", async () => {
    const review = (event: "APPROVE" | "REQUEST_CHANGES") =>
      outcome(app.octokit.rest.pulls.createReview({ ...at, pull_number: 2, event, body: "x" }));
    expect(await review("APPROVE")).toEqual([422, expect.stringContaining("approve your own")]);
    expect(await review("REQUEST_CHANGES")).toEqual([422, expect.stringContaining("own pull request")]);
  });

  it("accepts comments only on lines of the diff, all or none", async () => {
    const review = (comment: object) =>
      outcome(
        app.octokit.rest.pulls.createReview({
          ...at,
          pull_number: 2,
          event: "COMMENT",
          body: "x",
          comments: [
            { path: "n.txt", line: 20, body: "in it" },
            { path: "n.txt", body: "or not", ...comment },
          ],
        }),
      );
    expect((await review({ line: 2 }))[0]).toBe(422);
    expect((await review({ path: "other.txt", line: 20 }))[0]).toBe(422);
    expect((await review({ start_line: 22, line: 21 }))[0]).toBe(422);
    expect([world.reviews(2), world.threads(2)]).toEqual([[], []]);
    expect((await review({ start_line: 19, start_side: "RIGHT", line: 21, side: "RIGHT" }))[0]).toBe(200);
    expect(world.threads(2).map(({ line }) => line)).toEqual([20, 21]);
  });

  it("keeps a reply in its thread with in_reply_to, and a comment on a whole file", async () => {
    const { octokit } = app;
    const first = world.threads(2)[0]?.comments[0]?.id ?? 0;
    const head = (await world.pullRequests())[0]?.head.sha ?? "";
    await octokit.request("POST /repos/{owner}/{repo}/pulls/{pull_number}/comments", {
      ...at,
      pull_number: 2,
      body: "re",
      commit_id: head,
      path: "n.txt",
      in_reply_to: first,
    });
    await octokit.rest.pulls.createReviewComment({
      ...at,
      pull_number: 2,
      body: "file",
      commit_id: head,
      path: "n.txt",
      subject_type: "file",
    });
    expect(world.threads(2).map(({ comments }) => comments.length)).toEqual([2, 1, 1]);
    expect(world.threads(2)[0]?.comments[1]).toMatchObject({ body: "re", in_reply_to_id: first });
  });

  it("moves a branch by force only, and signs the app's commits only when they name no author", async () => {
    const { rest } = app.octokit;
    const main = await world.git("rev-parse", "main");
    const update = outcome(rest.git.updateRef({ ...at, ref: "heads/feature", sha: main, force: false }));
    expect(await update).toEqual([422, expect.stringContaining("not a fast forward")]);
    expect((await outcome(rest.git.createRef({ ...at, ref: "refs/heads/feature", sha: main })))[0]).toBe(422);
    const commit = { ...at, message: "m", tree: await world.git("rev-parse", "main^{tree}"), parents: [main] };
    const plain = await rest.git.createCommit(commit);
    const named = await rest.git.createCommit({ ...commit, author: { name: "N", email: "n@example.test" } });
    expect([plain.data.verification.verified, named.data.verification.verified]).toEqual([true, false]);
  });

  it("checks permissions in GraphQL, too", async () => {
    const reader = await appClient(world, { pull_requests: "read" });
    const resolve = "mutation($id: ID!) { resolveReviewThread(input: {threadId: $id}) { thread { isResolved } } }";
    const denied = reader.octokit.graphql(resolve, { id: world.threads(2)[0]?.id });
    await expect(denied).rejects.toThrow("not accessible by integration");
  });

  it("lets only people with write permission comment on a locked issue", async () => {
    await world.person("alice").lockIssue(1);
    await expect(world.person("rita").comment(1, "hello")).rejects.toThrow("locked");
    await world.person("alice").comment(1, "still here");
  });

  it("follows GitHub's published description", () => {
    expect(world.contract.violations).toEqual([]);
    expect(world.contract.contradictions).toEqual([]);
  });

  const push = async (token: string, file = "pushed.txt"): Promise<string> => {
    const folder = await world.checkout("feature");
    const remote = `${world.url.replace("//", `//x-access-token:${token}@`)}/acme/widget.git`;
    await mkdir(dirname(join(folder, file)), { recursive: true });
    await writeFile(join(folder, file), "text\n");
    await runGit(["add", "--all"], { cwd: folder });
    await runGit(["commit", "--quiet", "--message=A file"], { cwd: folder });
    return runGit(["push", "--quiet", remote, "HEAD:refs/heads/pushed", "--force"], { cwd: folder }).then(
      () => "pushed",
      (error: unknown) => String(error),
    );
  };
});
