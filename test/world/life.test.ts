import { rm, writeFile } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import { verify } from "@octokit/webhooks-methods";
import { type AppClient, appClient } from "./app-client.ts";
import { runGit } from "./git/run-program.ts";
import { startWorld } from "./start-world.ts";
import type { World } from "./world-handle.ts";

const lines = (text: (n: number) => string) => Array.from({ length: 40 }, (_, i) => `${text(i + 1)}\n`).join("");
const at = { owner: "acme", repo: "widget" };

describe("the life of an issue and its pull request", () => {
  let world: World;
  let app: AppClient;
  let bot: Listener;

  beforeAll(async () => {
    bot = await startListener("a secret");
    world = await startWorld({
      webhookUrl: () => bot.url,
      webhookSecret: "a secret",
      repositories: [
        {
          owner: "acme",
          name: "widget",
          private: true,
          files: {
            "lines.txt": lines((n) => `line ${n}`),
            "src/one.js": "1;\n",
          },
          roles: { alice: "maintain", bob: "write" },
          labels: ["magis"],
        },
      ],
    });
    app = await appClient(world);
  });

  afterAll(async () => {
    await world.close();
    await bot.close();
  });

  const hooked = (event: string, action?: string) =>
    world.until(() => bot.heard.find((one) => one.event === event && one.payload.action === action), {
      what: `${event}.${action}`,
    });

  it("starts when a person opens and labels an issue", async () => {
    const alice = world.person("alice");
    expect(await alice.openIssue({ title: "Add two", body: "Please add two." })).toBe(1);
    await alice.label(1, "magis");
    await hooked("issues", "opened");
    const { genuine, guid, payload } = await hooked("issues", "labeled");
    expect(genuine).toBe(true);
    expect(guid).toMatch(/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/);
    expect(payload).toMatchObject({ label: { name: "magis" }, sender: { login: "alice" }, installation: { id: 100 } });
  });

  it("lets the app comment, edit its comment, react and label", async () => {
    const { rest } = app.octokit;
    await rest.reactions.createForIssue({ ...at, issue_number: 1, content: "eyes" });
    const { data } = await rest.issues.createComment({ ...at, issue_number: 1, body: "Planning" });
    await rest.issues.updateComment({ ...at, comment_id: data.id, body: "Coding" });
    await rest.issues.addLabels({ ...at, issue_number: 1, labels: ["magis:working"] });
    await rest.issues.removeLabel({ ...at, issue_number: 1, name: "magis:working" });
    expect((await world.issueComments(1)).map(({ body, user }) => [user.login, body])).toEqual([
      ["magis[bot]", "Coding"],
    ]);
    expect(world.reactions("issues/1")).toEqual([{ content: "eyes", login: "magis[bot]" }]);
    await hooked("issue_comment", "created");
    await hooked("issue_comment", "edited");
    await hooked("issues", "unlabeled");
  });

  it("accepts a branch that the app pushes with plain git", async () => {
    const folder = await world.checkout("main");
    const remote = `${world.url.replace("//", `//x-access-token:${app.token}@`)}/acme/widget.git`;
    await writeFile(
      join(folder, "lines.txt"),
      lines((n) => (n === 20 ? "twenty" : `line ${n}`)),
    );
    await writeFile(join(folder, "src/two.js"), "2;\n");
    await rm(join(folder, "src/one.js"));
    await runGit(["add", "--all"], { cwd: folder });
    await runGit(["commit", "--quiet", "--message=Add two"], { cwd: folder });
    await runGit(["push", "--quiet", remote, "HEAD:refs/heads/magis/issue-1"], { cwd: folder });
    await hooked("push");
    const changed = await world.git("diff", "--name-status", "main", "magis/issue-1");
    expect(changed.split("\n")).toEqual(["M\tlines.txt", "D\tsrc/one.js", "A\tsrc/two.js"]);
  });

  it("opens a draft pull request with files and diff from git", async () => {
    const { rest } = app.octokit;
    const fields = { ...at, title: "Add two", head: "magis/issue-1", base: "main", body: "Closes #1", draft: true };
    const { data: pull } = await rest.pulls.create(fields);
    expect(pull).toMatchObject({ number: 2, draft: true, changed_files: 3, commits: 1 });
    await hooked("pull_request", "opened");
    const { data: files } = await rest.pulls.listFiles({ ...at, pull_number: 2 });
    expect(files.find(({ filename }) => filename === "lines.txt")?.patch).toContain("-line 20\n+twenty");
    const { data: diff } = await rest.pulls.get({ ...at, pull_number: 2, mediaType: { format: "diff" } });
    expect(String(diff)).toContain("diff --git a/lines.txt b/lines.txt");
    await rest.issues.addLabels({ ...at, issue_number: 2, labels: ["magis"] });
    await hooked("pull_request", "labeled");
    expect((await world.pullRequests())[0]).toMatchObject({ draft: true, labels: [{ name: "magis" }] });
    const id = pull.node_id;
    await app.octokit.graphql(
      "mutation($id: ID!) { markPullRequestReadyForReview(input: {pullRequestId: $id}) { pullRequest { isDraft } } }",
      { id },
    );
    await hooked("pull_request", "ready_for_review");
  });

  it("continues with review threads, replies, a resolved thread and a push that moves the head", async () => {
    const [alice, bob] = [world.person("alice"), world.person("bob")];
    await alice.review(2, {
      event: "REQUEST_CHANGES",
      body: "Not yet",
      comments: [
        { path: "lines.txt", line: 20, side: "RIGHT", body: "Why?" },
        { path: "lines.txt", start_line: 21, start_side: "RIGHT", line: 22, side: "RIGHT", body: "And these?" },
      ],
    });
    await alice.commentOn(2, { path: "src/two.js", subject_type: "file", body: "A file comment" });
    await hooked("pull_request_review", "submitted");
    await hooked("pull_request_review_comment", "created");
    const [first, second] = world.threads(2);
    expect(world.threads(2).map(({ path, line }) => [path, line])).toEqual([
      ["lines.txt", 20],
      ["lines.txt", 22],
      ["src/two.js", null],
    ]);
    const reply = await app.octokit.rest.pulls.createReviewComment({
      ...at,
      pull_number: 2,
      commit_id: await world.git("rev-parse", "magis/issue-1"),
      path: "lines.txt",
      body: "Because.",
      in_reply_to: first?.comments[0]?.id,
    });
    expect(reply.data.in_reply_to_id).toBe(first?.comments[0]?.id);
    await app.octokit.graphql(
      "mutation($t: ID!) { resolveReviewThread(input: {threadId: $t}) { thread { isResolved } } }",
      { t: first?.id },
    );
    await hooked("pull_request_review_thread", "resolved");
    const sha = await bob.push("magis/issue-1", {
      "lines.txt": (await fileAt("magis/issue-1", "lines.txt")).replace("line 22", "line XXII"),
    });
    await hooked("pull_request", "synchronize");
    expect((await app.octokit.rest.pulls.get({ ...at, pull_number: 2 })).data.head.sha).toBe(sha);
    expect((await app.octokit.rest.git.getCommit({ ...at, commit_sha: sha })).data.verification.verified).toBe(false);
    expect(world.threads(2).map(({ resolved, outdated }) => [resolved, outdated])).toEqual([
      [true, false],
      [false, true],
      [false, false],
    ]);
    expect(world.threads(2)[1]?.id).toBe(second?.id);
  });

  it("ends with a merge that closes the issue", async () => {
    await world.person("bob").merge(2);
    await hooked("pull_request", "closed");
    await hooked("issues", "closed");
    expect((await world.issue(1)).state).toBe("closed");
    expect((await world.pullRequests())[0]).toMatchObject({ merged: true, state: "closed" });
    expect(await world.git("show", "main:src/two.js")).toBe("2;");
    await world.person("bob").deleteBranch("magis/issue-1");
  });

  it("follows GitHub's published description throughout", () => {
    expect(world.contract.violations).toEqual([]);
    expect(world.contract.contradictions).toEqual([]);
    expect([...world.contract.missing()]).toEqual([]);
  });

  it("redelivers the same text with the same GUID", async () => {
    const [first] = world.deliveries;
    if (first === undefined) throw new Error("nothing was delivered");
    const again = await world.redeliver(first);
    expect([again.guid, again.body, again.status]).toEqual([first.guid, first.body, 200]);
  });

  const fileAt = async (ref: string, path: string) => `${await world.git("show", `${ref}:${path}`)}\n`;
});

interface HeardHook {
  event: string;
  guid: string;
  /** Whether the signature is valid. */
  genuine: boolean;
  payload: { action?: string };
}

interface Listener {
  url: string;
  heard: HeardHook[];
  close(): Promise<void>;
}

/** Listens in place of a bot, and records the webhooks. */
async function startListener(secret: string): Promise<Listener> {
  const heard: HeardHook[] = [];
  const server = createServer(async (request, response) => {
    let body = "";
    for await (const chunk of request) body += String(chunk);
    const { "x-github-event": event, "x-github-delivery": guid, "x-hub-signature-256": signature } = request.headers;
    const genuine = await verify(secret, body, String(signature));
    const payload = JSON.parse(body) as HeardHook["payload"];
    heard.push({ event: String(event), guid: String(guid), genuine, payload });
    response.end("ok");
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
    heard,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
