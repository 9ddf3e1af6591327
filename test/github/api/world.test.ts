import { createHash } from "node:crypto";
import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import { createOpenCodeHost } from "../../../src/github/api/code-host.ts";
import type { CodeHost } from "../../../src/ports/code-host.ts";
import { startWorld } from "../../world/start-world.ts";
import type { World } from "../../world/world-handle.ts";

const MARKER = "<!-- magis:run 1 -->";
const AFTER = "one\ntwo and a half\nthree\n";

describe("a run's requests on the loopback GitHub", () => {
  let world: World;
  let host: CodeHost;
  let empty: CodeHost["readIssue"];
  let issue: number;
  let pull: number;
  let head: string;

  beforeAll(async () => {
    world = await startWorld({
      repositories: [
        {
          owner: "acme",
          name: "widget",
          private: true,
          files: { "src/a.txt": "one\ntwo\nthree\n", "src/gone.txt": "gone\n" },
          roles: { alice: "write", bob: "maintain", carol: "triage" },
          labels: ["magis"],
        },
      ],
    });
    const env = world.botEnvironment();
    const open = createOpenCodeHost({
      appId: env.APP_ID ?? "",
      privateKey: env.PRIVATE_KEY ?? "",
      apiUrl: `http://${env.GHE_HOST}/api/v3`,
      webUrl: `http://${env.GHE_HOST}`,
      log: { debug: () => undefined, warn: () => undefined },
    });
    host = await open({ owner: "acme", name: "widget", installationId: 100 });
    empty = (await open({ owner: "acme", name: "nothing", installationId: 100 })).readIssue;
    issue = await world.person("alice").openIssue({ title: "It breaks", body: "Badly.", labels: ["magis"] });
  });
  afterAll(() => world?.close());

  it("reads the issue and people's permissions", async () => {
    expect(await host.readIssue(issue)).toMatchObject({
      title: "It breaks",
      author: "alice",
      open: true,
      labels: ["magis"],
    });
    const roles = await Promise.all(["alice", "bob", "carol", "eve", "nobody"].map(host.permissionOf));
    expect(roles).toEqual(["write", "maintain", "triage", expect.stringMatching(/none|read/), "none"]);
    await expect(empty(1)).rejects.toMatchObject({ code: expect.stringMatching(/HOST_(NOT_FOUND|REFUSED)/) });
  });

  it("keeps one comment, and finds it among forged ones on several pages", async () => {
    const alice = world.person("alice");
    for (let count = 0; count < 101; count++) await alice.comment(issue, `${MARKER} forged ${count}`);
    const made = await host.createComment(issue, `Started.\n${MARKER}`);
    await host.updateComment(made.id, `Done.\n${MARKER}`);
    expect(await host.findOwnComment(issue, MARKER)).toMatchObject({ id: made.id, byBot: true, author: host.login });
    expect((await host.listComments(issue)).at(-1)?.body).toBe(`Done.\n${MARKER}`);
    await host.react({ issue }, "eyes");
    await host.react({ issue }, "eyes");
    await host.react({ comment: made.id }, "rocket");
  });

  it("commits to a new branch as the app, and only fast-forwards it", async () => {
    const main = await host.defaultBranch();
    const base = await host.readCommit(main.commit);
    const blob = await host.createBlob(new TextEncoder().encode(AFTER));
    expect(blob).toBe(createHash("sha1").update(`blob ${AFTER.length}\0${AFTER}`).digest("hex"));
    expect(new TextDecoder().decode(await host.readBlob(blob))).toBe(AFTER);
    expect(await host.readBlob("0".repeat(39).concat("1"))).toBeUndefined();
    const tree = await host.createTree(base.tree, [
      { path: "src/a.txt", mode: "100644", blob },
      { path: "src/gone.txt", mode: "100644", blob: null },
    ]);
    const commit = await host.createCommit("fix: it", tree, [main.commit]);
    expect(commit).toMatchObject({ tree, parents: [main.commit], author: host.login, verified: true });
    head = commit.id;
    expect(await host.branchTip("magis/issue-1-fix")).toBeUndefined();
    await host.createBranch("magis/issue-1-fix", main.commit);
    await host.createBranch("magis/issue-1-fix", main.commit);
    await expect(host.createBranch("magis/issue-1-fix", head)).rejects.toMatchObject({ code: "HOST_REFUSED" });
    await host.advanceBranch("magis/issue-1-fix", head);
    await expect(host.advanceBranch("magis/issue-1-fix", main.commit)).rejects.toMatchObject({ code: "HOST_REFUSED" });
    expect(await host.branchTip("magis/issue-1-fix")).toBe(head);
    await host.deleteRef("magis/staging/none");
  });

  it("opens a draft pull request and finds it again", async () => {
    const { name: base } = await host.defaultBranch();
    const wanted = { title: "fix: it", body: `Fixes #${issue}`, branch: "magis/issue-1-fix", base, draft: true };
    const made = await host.openPullRequest(wanted);
    pull = made.number;
    expect(made).toMatchObject({ open: true, draft: true, head, byApp: true, author: host.login });
    await expect(host.openPullRequest(wanted)).rejects.toMatchObject({ code: "HOST_REFUSED" });
    await host.updatePullRequest(pull, { body: "New body" });
    const found = await host.findOwnPullRequests("magis/issue-1-", "open");
    expect(found.map(({ number, title, body }) => [number, title, body])).toEqual([[pull, "fix: it", "New body"]]);
    expect(await host.findOwnPullRequests("magis/issue-2-", "all")).toEqual([]);
  });

  it("reviews, replies in a thread and resolves it", async () => {
    await host.createReview(pull, head, `Reviewed.\n${MARKER}`, [
      { path: "src/a.txt", line: 2, side: "RIGHT", body: "Why a half?" },
    ]);
    await host.createFileComment(pull, head, "src/gone.txt", "Was it used?");
    expect(await host.findOwnReview(pull, MARKER)).toEqual({ id: expect.any(Number) });
    const threads = await host.listThreads(pull);
    expect(threads.map(({ path, resolved }) => [path, resolved])).toEqual([
      ["src/a.txt", false],
      ["src/gone.txt", false],
    ]);
    const [thread] = threads;
    if (!thread) throw new Error("no thread");
    await host.replyToThread(pull, thread, "It was asked for.");
    await host.resolveThread(thread);
    expect((await host.listThreads(pull))[0]).toMatchObject({
      resolved: true,
      comments: [
        { author: host.login, body: "Why a half?" },
        { author: host.login, body: "It was asked for." },
      ],
    });
    const outside = { path: "src/a.txt", line: 99, side: "RIGHT", body: "x" } as const;
    await expect(host.createReview(pull, head, "x", [outside])).rejects.toMatchObject({ code: "HOST_REFUSED" });
  });

  it("finds what a request created although its answer was lost, and creates nothing twice", async () => {
    const marker = "<!-- magis:run 2 -->";
    world.fault({ method: "POST", path: /comments$/, reset: "after" });
    const lost = host.createComment(issue, `${"x".repeat(70_000)}\n${marker}`);
    await expect(lost).rejects.toMatchObject({ code: "HOST_UNREACHABLE" });
    expect(await host.findOwnComment(issue, marker)).toMatchObject({ author: host.login });
    const comments = await host.listComments(issue);
    expect(comments.filter(({ body }) => body.includes(marker))).toHaveLength(1);
  });

  it("goes on when its token has run out", async () => {
    world.expireTokens();
    expect((await host.readIssue(issue)).number).toBe(issue);
  });

  it("sends nothing that contradicts GitHub's description", () => {
    expect(world.journal.length).toBeGreaterThan(30);
    expect(world.contract.violations).toEqual([]);
  });
});
