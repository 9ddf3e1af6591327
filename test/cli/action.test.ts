import { createHash } from "node:crypto";
import { existsSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import { REVIEW_FILES, reviewScript } from "../e2e/review-script.ts";
import type { ScriptedModel } from "../scripted-model/scripted-model.ts";
import { startScriptedModel } from "../scripted-model/start-scripted-model.ts";
import { appClient } from "../world/app-client.ts";
import { startWorld } from "../world/start-world.ts";
import type { World } from "../world/world-handle.ts";
import { artifactFolder, documentedWorkflows, type EndedJob, type Runner, runJob } from "./action-job.ts";

const [SIMPLE, HARDENED] = documentedWorkflows();
const READS = { actions: "read", contents: "read", issues: "read", metadata: "read", pull_requests: "read" };
const script = reviewScript({ revisions: [{ when: "please", edits: { 3: "A3" }, reply: "Done." }] });

describe("magis action", () => {
  let world: World;
  let model: ScriptedModel;
  let values: Record<string, string>;
  const artifacts = artifactFolder();
  const temporary: string[] = [];
  const eventOf = async (event: string, action: string, words: string, sender = "") => {
    const found = () =>
      world.deliveries.find(
        (one) =>
          one.event === event &&
          one.action === action &&
          one.body.includes(words) &&
          (JSON.parse(one.body) as { sender: { login: string } }).sender.login.includes(sender),
      );
    const { body } = await world.until(found, { what: `${event}.${action} with ${words}` });
    // A workflow's event names no installation.
    const { installation: _, ...payload } = JSON.parse(body) as Record<string, unknown>;
    return { name: event, body: JSON.stringify(payload) };
  };
  const run = async (
    job: "magis" | "make" | "publish",
    event: Runner["event"],
    more: Partial<Pick<Runner, "started" | "values">> = {},
  ): Promise<EndedJob> => {
    const found = (job === "magis" ? SIMPLE : HARDENED)?.jobs[job];
    if (!found) throw new Error(`no job ${job} is documented`);
    const environment = {
      ...{ GITHUB_REPOSITORY: "acme/docs", GITHUB_SERVER_URL: world.url, ANTHROPIC_BASE_URL: model.url },
      ...{ GITHUB_API_URL: `${world.url}/api/v3` },
    };
    const ended = await runJob(job, found, {
      event,
      artifacts,
      environment,
      ...more,
      values: { ...values, ...more.values },
    });
    temporary.push(ended.temporary);
    return ended;
  };
  const writes = (from: number) =>
    world.journal.slice(from).filter(({ kind, method }) => kind === "rest" && method !== "GET");
  const labelled = async (title: string, body = "") => {
    const issue = await world.person("alice").openIssue({ title, body });
    await world.person("alice").label(issue, "magis");
    return { issue, event: await eventOf("issues", "labeled", JSON.stringify(title)) };
  };
  const pullsOf = async (title: string) => (await world.pullRequests()).filter((pull) => pull.body?.includes(title));

  beforeAll(async () => {
    const roles = { alice: "maintain", tom: "read" } as const;
    const files = { ...REVIEW_FILES, ".github/magis.yml": "protect: [docs/other.txt]\n" };
    [model, world] = await Promise.all([
      startScriptedModel({ answer: script }),
      startWorld({ repositories: [{ owner: "acme", name: "docs", private: true, roles, files, labels: ["magis"] }] }),
    ]);
    const [app, reader] = [await appClient(world), await appClient(world, READS)];
    values = {
      ...{ "app.token": app.token, "github.token": reader.token, "vars.MAGIS_APP_BOT": "magis[bot]" },
      ...{ "secrets.ANTHROPIC_API_KEY": "scripted", "vars.MAGIS_APP_ID": "1", "secrets.MAGIS_APP_PRIVATE_KEY": "k" },
    };
  });
  afterAll(async () => {
    expect(world.contract.violations).toEqual([]);
    expect(model.faults).toEqual([]);
    await world.close();
    await model.stop();
    for (const folder of [artifacts, ...temporary]) rmSync(folder, { recursive: true, force: true });
  });

  it("opens a pull request for a label in one job, answers its review, and begins no second one", async () => {
    const { issue, event } = await labelled("Upper: docs/a.txt and docs/b.txt");
    const ended = await run("magis", event);
    expect(ended).toMatchObject({ exitCode: 0, outputs: { result: "published", digest: "" } });
    const number = Number(ended.outputs["pull-request"]);
    expect(Number(ended.outputs.cost)).toBeGreaterThan(0);
    expect(ended.summary).toContain(`#${number}`);
    const pull = (await world.pullRequests()).find((one) => one.number === number);
    expect(pull).toMatchObject({ state: "open", draft: true, user: { login: "magis[bot]" } });
    const [comment] = await world.issueComments(issue);
    expect(comment?.body).toMatch(/^<!-- magis:run \S+ -->\n<!-- magis:spent \S+ \d+\.\d{4} \d+ -->\n/);
    expect(comment?.body).toContain(`MAGIS opened pull request #${number}`);

    const again = await run("magis", event);
    expect(again).toMatchObject({ exitCode: 0, outputs: { result: "nothing" } });
    expect(again.summary).toContain(`Pull request #${number} is open.`);

    const alice = world.person("alice");
    const said = await alice.commentOn(number, { path: "docs/a.txt", line: 2, body: "Upper, please." } as never);
    const reviewed = await run("magis", await eventOf("pull_request_review", "submitted", "magis/", "alice"));
    expect(reviewed).toMatchObject({ exitCode: 0 });
    const thread = world.threads(number).find(({ comments }) => comments.some(({ id }) => id === said));
    expect(thread?.comments.at(-1)?.body).toContain("Done.");
    const [kept] = await world.issueComments(issue);
    expect(reviewed.summary).not.toContain("nothing to do");
    expect(kept?.body.match(/<!-- magis:spent /g)).toHaveLength(2);
  });

  it("takes a pull request out of draft when the workflow that checks it has passed", async () => {
    const { event } = await labelled("Checked: docs/a.txt and docs/b.txt");
    const { outputs } = await run("magis", event);
    const pull = async () =>
      (await world.pullRequests()).find(({ number }) => String(number) === outputs["pull-request"]);
    const { sha: head_sha = "", ref: head_branch = "" } = (await pull())?.head ?? {};
    await world.ci(head_sha, [{ name: "test", conclusion: "success" }], { suite: true });
    const { body } = await eventOf("check_suite", "completed", head_sha);
    const { check_suite: _, ...payload } = JSON.parse(body) as Record<string, unknown>;
    const workflow_run = { head_sha, head_branch, updated_at: new Date().toISOString() };
    const ended = await run("magis", { name: "workflow_run", body: JSON.stringify({ ...payload, workflow_run }) });
    expect(ended.exitCode).toBe(0);
    expect(await pull()).toMatchObject({ draft: false });
  });

  it("writes nothing, in two jobs, before the one that has no model publishes what the other made", async () => {
    const { event } = await labelled("Hardened: docs/a.txt and docs/b.txt");
    const [before, calls] = [world.journal.length, model.journal.length];
    const made = await run("make", event);
    expect(made).toMatchObject({
      exitCode: 0,
      outputs: { result: "dry-run", digest: expect.stringMatching(/^[0-9a-f]{64}$/) },
    });
    expect(writes(before)).toEqual([]);
    const asked = model.journal.length;
    expect(asked).toBeGreaterThan(calls);

    const digest = { "needs.make.outputs.digest": made.outputs.digest ?? "" };
    const forged = await run("publish", event, { values: { "needs.make.outputs.digest": "0".repeat(64) } });
    expect(forged).toMatchObject({ exitCode: 1, summary: expect.stringContaining("SHA-256") });
    expect(await pullsOf("Hardened")).toEqual([]);

    const published = await run("publish", event, { values: digest });
    expect(published).toMatchObject({ exitCode: 0, outputs: { result: "published" } });
    expect(model.journal.length).toBe(asked);
    const diff = await world.diff(Number(published.outputs["pull-request"]));
    expect(diff).toContain("+A2");
  });

  it.each([
    ["a protected file", { kind: "create", path: ".github/workflows/x.yml", content: "on: push\n" }, "protected"],
    ["a file that the repository protects", { kind: "delete", path: "docs/other.txt" }, "protected"],
    ["a path that leads outside", { kind: "create", path: "../x", content: "x" }, "not a path inside"],
  ])("refuses a record that changes %s", async (_, change, reason) => {
    const { event } = await labelled(`Refuse ${reason} ${change.path}: docs/a.txt and docs/b.txt`);
    await run("make", event);
    const file = join(artifacts, "magis-change", "record.json");
    const record = JSON.parse(readFileSync(file, "utf8"));
    record.record.work.changes = [change];
    writeFileSync(file, JSON.stringify(record));
    const digest = createHash("sha256").update(readFileSync(file)).digest("hex");
    const pulls = (await world.pullRequests()).length;
    const refused = await run("publish", event, { values: { "needs.make.outputs.digest": digest } });
    expect(refused.outputs.result).toBe("refused");
    expect(refused.summary).toContain(reason);
    expect(await world.pullRequests()).toHaveLength(pulls);
  });

  it("does nothing for who may not write, and takes no order out of an issue", async () => {
    const { issue, event } = await labelled("$(touch /tmp/magis-was-here) `id` ::set-output name=x::y docs/a.txt");
    await world.person("tom").comment(issue, "/magis resolve ::error::x $(id)");
    const calls = model.journal.length;
    const refused = await run("magis", await eventOf("issue_comment", "created", "::error::x"));
    expect(refused).toMatchObject({ exitCode: 0, outputs: { result: "nothing" } });
    expect(refused.summary).toContain("write is needed");
    expect(model.journal).toHaveLength(calls);

    const ended = await run("magis", event);
    expect(ended.outputs.result).toBeDefined();
    expect(ended.log.indexOf("::stop-commands::")).toBe(0);
    expect(existsSync("/tmp/magis-was-here")).toBe(false);
  });

  it("keeps to the budget of the issue over its jobs, by its own marks only", async () => {
    const { issue, event } = await labelled("Spent: docs/a.txt and docs/b.txt");
    const mark = (money: string) =>
      `<!-- magis:run acme/docs#${issue}@x -->\n<!-- magis:spent acme/docs#${issue}@x ${money} 10 -->\n`;
    await world.person("tom").comment(issue, mark("999.0000"));
    const { octokit } = await appClient(world);
    const at = { owner: "acme", repo: "docs", issue_number: issue };
    const { data } = await octokit.rest.issues.createComment({ ...at, body: mark("6.0000") });
    const calls = model.journal.length;
    const stopped = await run("magis", event);
    expect(stopped).toMatchObject({ exitCode: 0, outputs: { result: "nothing" } });
    expect(stopped.summary).toContain("used up");
    expect(model.journal).toHaveLength(calls);
    await octokit.rest.issues.deleteComment({ owner: "acme", repo: "docs", comment_id: data.id });
    expect((await run("magis", event)).outputs.result).toBe("published");
  });

  it("tells that the job was ended before its run", async () => {
    const { issue, event } = await labelled("Ended: docs/a.txt and docs/b.txt");
    const hold = model.hold(({ promptId }) => promptId.startsWith("p09-"));
    const pids: (number | undefined)[] = [];
    const running = run("magis", event, { started: ({ pid }) => void pids.push(pid) });
    await hold.reached;
    const [first] = pids;
    if (first !== undefined) process.kill(-first, "SIGKILL");
    hold.release();
    const ended = await running;
    expect(ended.exitCode).not.toBe(0);
    const [comment] = await world.issueComments(issue);
    expect(comment?.body).toContain("The job was cancelled, or ended before its work was done.");
    expect(comment?.body).toContain("JOB_ENDED");
    expect(await pullsOf("Ended")).toEqual([]);
  });
});
