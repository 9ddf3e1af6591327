import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import { type AppClient, appClient } from "./app-client.ts";
import { type Listener, startListener } from "./start-listener.ts";
import { startWorld } from "./start-world.ts";
import type { World } from "./world-handle.ts";

const at = { owner: "acme", repo: "widget" };
const SECRET = "s";

interface Hook {
  action?: string;
  sender: { login: string };
  check_run?: { name: string; conclusion: string | null; app: { slug: string }; pull_requests: { number: number }[] };
  check_suite?: { conclusion: string; head_sha: string; head_branch: string; latest_check_runs_count: number };
  review?: { id: number };
  comment?: { pull_request_review_id?: number; body: string };
  issue?: { number: number; pull_request?: object };
  state?: string;
  branches?: { name: string }[];
  pull_request?: { head: { sha: string }; state: string };
}

describe("a pull request is talked about and checked", () => {
  let world: World;
  let app: AppClient;
  let listener: Listener;
  let head: string;
  const heard = (event: string, action?: string) =>
    listener.heard
      .filter((one) => one.event === event && (action === undefined || one.payload.action === action))
      .map(({ payload }) => payload as unknown as Hook);
  const wait = (event: string, action: string | undefined, count: number) =>
    world.until(() => (heard(event, action).length >= count ? heard(event, action) : undefined), { what: event });

  beforeAll(async () => {
    listener = await startListener(SECRET);
    const files = { "a.txt": "one\ntwo\nthree\n" };
    world = await startWorld({
      webhookUrl: () => listener.url,
      webhookSecret: SECRET,
      repositories: [{ owner: "acme", name: "widget", private: true, files, roles: { alice: "write" } }],
    });
    app = await appClient(world);
    head = await world.person("alice").push("feature", { "a.txt": "one\n2\n3\n" });
    await world.person("alice").openPull({ title: "Two", head: "feature" });
  });
  afterAll(async () => {
    await world?.close();
    await listener?.close();
  });

  it("is an issue too: read, commented on, reacted to, and its comments hidden", async () => {
    const { rest, graphql } = app.octokit;
    expect((await rest.issues.get({ ...at, issue_number: 1 })).data).toMatchObject({ number: 1, title: "Two" });
    const made = await rest.issues.createComment({ ...at, issue_number: 1, body: "Hello" });
    expect((await wait("issue_comment", "created", 1))[0]?.issue).toMatchObject({ number: 1, pull_request: {} });
    await rest.issues.updateComment({ ...at, comment_id: made.data.id, body: "Hello!" });
    await rest.reactions.createForIssue({ ...at, issue_number: 1, content: "eyes" });
    await rest.reactions.createForIssueComment({ ...at, comment_id: made.data.id, content: "eyes" });
    const hide = "mutation($c: ID!) { minimizeComment(input: {subjectId: $c, classifier: OUTDATED}) { __typename } }";
    await graphql(hide, { c: made.data.node_id });
    expect(world.isMinimized(made.data.node_id)).toBe(true);
    const later = await world.person("alice").openIssue({ title: "Later" });
    const { data } = await rest.issues.createComment({ ...at, issue_number: later, body: "There" });
    await graphql(hide, { c: data.node_id });
    expect(world.isMinimized(data.node_id)).toBe(true);
  });

  it("shows readers all comments, however many", async () => {
    for (let count = 0; count < 101; count++) await world.person("alice").comment(1, `${count}`);
    expect((await world.issueComments(1)).at(-1)?.body).toBe("100");
    expect(await world.issueComments(1)).toHaveLength(102);
  });

  it("says of no comment that it was edited when nobody has", async () => {
    const { data } = await app.octokit.rest.issues.listComments({ ...at, issue_number: 1, per_page: 100 });
    const plain = data.filter(({ body }) => /^\d+$/.test(body ?? ""));
    expect(plain.length).toBeGreaterThan(90);
    for (const { created_at, updated_at } of plain) expect(updated_at).toBe(created_at);
  });

  it("sends a person's review, and each of its comments with the review's id", async () => {
    const place = { path: "a.txt", side: "RIGHT" } as const;
    const comments = [
      { ...place, line: 2, body: "Why?" },
      { ...place, line: 3, body: "And this?" },
    ];
    const id = await world.person("alice").review(1, { event: "COMMENT", body: "Two things", comments });
    const sent = await wait("pull_request_review_comment", "created", 2);
    expect((await wait("pull_request_review", "submitted", 1))[0]?.review?.id).toBe(id);
    expect(sent.map(({ comment }) => comment?.pull_request_review_id)).toEqual([id, id]);
  });

  it("runs Actions: every check run is announced, the suite at the end", async () => {
    const annotations = [{ path: "a.txt", line: 2, message: "not a word" }];
    const first = await world.ci(head, [
      { name: "test", conclusion: "failure", annotations, log: "the log\n" },
      { name: "lint", conclusion: "success" },
    ]);
    const ended = await wait("check_run", "completed", 2);
    expect(ended.map(({ check_run }) => `${check_run?.name} ${check_run?.conclusion}`).sort()).toEqual([
      "lint success",
      "test failure",
    ]);
    expect(ended[0]).toMatchObject({
      sender: { login: "alice" },
      check_run: { app: { slug: "github-actions" }, pull_requests: [{ number: 1 }] },
    });
    expect(heard("check_suite")).toEqual([]);
    await world.ci(head, [{ name: "build", conclusion: "success" }], { suite: true });
    const [suite] = await wait("check_suite", "completed", 1);
    const counts = { latest_check_runs_count: 3, head_branch: "feature", head_sha: head };
    expect(suite?.check_suite).toMatchObject({ conclusion: "failure", ...counts });
    const { rest } = app.octokit;
    const { data: runs } = await rest.checks.listForRef({ ...at, ref: head });
    expect(runs.check_runs.map(({ name }) => name)).toEqual(["build", "lint", "test"]);
    expect(runs.check_runs.at(-1)?.details_url).toMatch(new RegExp(`/actions/runs/\\d+/job/${first[0]?.id}$`));
    const { data: rows } = await rest.checks.listAnnotations({ ...at, check_run_id: first[0]?.id ?? 0 });
    expect(rows).toMatchObject([{ path: "a.txt", start_line: 2, annotation_level: "failure", message: "not a word" }]);
    const log = await rest.actions.downloadJobLogsForWorkflowRun({ ...at, job_id: first[0]?.id ?? 0 });
    expect(log.data).toBe("the log\n");
  });

  it("takes a job that is run again for the latest of its name", async () => {
    await world.ci(head, [{ name: "test", conclusion: "success" }], { suite: true });
    expect((await wait("check_suite", "completed", 2))[1]?.check_suite).toMatchObject({ latest_check_runs_count: 3 });
    const ask = { ...at, ref: head, check_name: "test" };
    const latest = await app.octokit.rest.checks.listForRef(ask);
    expect(latest.data.check_runs.map(({ conclusion }) => conclusion)).toEqual(["success"]);
    expect((await app.octokit.rest.checks.listForRef({ ...ask, filter: "all" })).data.total_count).toBe(2);
  });

  it("ends the app's own suite too, and lets nobody change another app's check", async () => {
    const { rest } = app.octokit;
    const output = { title: "MAGIS", summary: "Done" };
    const { data: run } = await rest.checks.create({ ...at, name: "MAGIS", head_sha: head, status: "in_progress" });
    await rest.checks.update({ ...at, check_run_id: run.id, conclusion: "success", output });
    expect((await wait("check_suite", "completed", 3))[2]?.check_suite).toMatchObject({ conclusion: "success" });
    const { data } = await rest.checks.update({ ...at, check_run_id: run.id, status: "in_progress" });
    expect(data).toMatchObject({ status: "in_progress", conclusion: null, app: { slug: "magis" }, output });
    const other = (await rest.checks.listForRef({ ...at, ref: head, check_name: "lint" })).data.check_runs[0];
    const change = rest.checks.update({ ...at, check_run_id: other?.id ?? 0, conclusion: "success" });
    await expect(change).rejects.toMatchObject({ status: 403 });
  });

  it("is given statuses", async () => {
    await world.status(head, "ci/outside", "pending");
    await world.status(head, "ci/outside", "failure");
    const sent = await wait("status", undefined, 2);
    expect(sent.map(({ state }) => state).sort()).toEqual(["failure", "pending"]);
    expect(sent[0]?.branches).toMatchObject([{ name: "feature" }]);
    const { data } = await app.octokit.rest.repos.getCombinedStatusForRef({ ...at, ref: head });
    expect(data).toMatchObject({ state: "failure", total_count: 1, statuses: [{ context: "ci/outside" }] });
  });

  it("follows a person's push, and tells of the end", async () => {
    const pushed = await world.person("alice").push("feature", { "b.txt": "b\n" });
    expect((await wait("pull_request", "synchronize", 1))[0]?.pull_request?.head.sha).toBe(pushed);
    await world.person("alice").closePull(1);
    expect((await wait("pull_request", "closed", 1))[0]?.pull_request?.state).toBe("closed");
  });

  it("kept to GitHub's published description", () => {
    expect(listener.heard.every(({ genuine }) => genuine)).toBe(true);
    expect(world.contract.violations).toEqual([]);
    expect(world.contract.contradictions).toEqual([]);
    expect([...world.contract.missing()]).toEqual([]);
  });
});
