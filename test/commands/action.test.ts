import { type ChildProcess, spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "@jest/globals";
import { SANDBOX } from "../../src/checks/local/sandbox.ts";
import { SYSTEM_FOLDERS } from "../../src/git/programs.ts";
import type { ScriptedModel } from "../scripted-model/scripted-model.ts";
import { appClient } from "../world/app-client.ts";
import type { World } from "../world/world-handle.ts";
import type { EndedJob } from "./action-job.ts";
import { type ActionScene, interrupt, NO_AI, startActionScene } from "./action-scene.ts";

/** By bash, as a runner does it. */
const SHELL = { started: () => undefined };

const BWRAP = SYSTEM_FOLDERS.map((folder) => join(folder, SANDBOX)).filter((file) => existsSync(file));

/** What starts a shell on this machine's disk, but for bwrap. Where that does not work, it need not be hidden. */
const HIDING = [SANDBOX, "--dev-bind", "/", "/", ...BWRAP.flatMap((file) => ["--ro-bind", "/dev/null", file])];
const WITHOUT_BWRAP = spawnSync(SANDBOX, [...HIDING.slice(1), "true"]).status === 0 ? HIDING : [];

const ORDERS = "$(touch /tmp/magis-was-here) `id` ::set-output name=x::y docs/a.txt and docs/b.txt";
const FAILING_LOG = "2026-11-20T10:00:01.0000000Z not ok 1 - docs/a.txt is upper case\n";

interface Held {
  reached: Promise<unknown>;
  release(): void;
}

describe("magis action", () => {
  let scene: ActionScene;
  let world: World;
  let model: ScriptedModel;
  const run: ActionScene["run"] = (...given) => scene.run(...given);
  const labelled: ActionScene["labelled"] = (title) => scene.labelled(title);
  const eventOf: ActionScene["eventOf"] = (...given) => scene.eventOf(...given);
  const writes = (from: number) =>
    world.journal.slice(from).filter(({ kind, method }) => kind === "rest" && method !== "GET");
  const pullOf = async (number: number) => (await world.pullRequests()).find((one) => one.number === number);
  const pullsAbout = async (issue: number) =>
    (await world.pullRequests()).filter(({ head }) => head.ref.startsWith(`magis/issue-${issue}-`));
  const pullsFor = async (issue: number) =>
    (await world.pullRequests()).filter(({ body }) => body?.includes(`Fixes #${issue}`));

  /** What a label was answered with, which reviews and checks are then about. */
  let opened: Awaited<ReturnType<typeof openFirst>>;
  const openFirst = async () => {
    const { issue, event } = await labelled(ORDERS);
    const ended = await run("magis", event, SHELL);
    return { issue, event, ended, number: Number(ended.outputs["pull-request"]) };
  };
  const spentOn = async (issue: number) =>
    (await world.issueComments(issue))[0]?.body.match(/<!-- magis:spent /g)?.length;

  const holds: Held[] = [];
  /** Waits until something of the job is held. Throws where the job ends without it. */
  const held = async (hold: Held, job: Promise<EndedJob>) => {
    holds.push(hold);
    const early = job.then(({ log }) => {
      throw new Error(`the job ended before anything of it was held:\n${log}`);
    });
    await Promise.race([hold.reached, early]);
  };
  // What a test that failed holds would stop the next one.
  afterEach(() => {
    for (const hold of holds.splice(0)) hold.release();
  });

  beforeAll(async () => {
    scene = await startActionScene();
    ({ world, model } = scene);
    opened = await openFirst();
  });
  afterAll(() => scene.close());

  it("opens a pull request for a label in one job, by its scripts alone and by no order of the issue", async () => {
    const { issue, event, ended, number } = opened;
    expect(ended).toMatchObject({ exitCode: 0, outputs: { result: "published", digest: "" } });
    expect(Number(ended.outputs.cost)).toBeGreaterThan(0);
    expect(ended.summary).toContain(`#${number}`);
    const pull = await pullOf(number);
    expect(pull).toMatchObject({ state: "open", draft: true, user: { login: "magis[bot]" } });
    expect(pull?.body).toContain("`/magis help` lists the commands.");
    const [comment] = await world.issueComments(issue);
    expect(comment?.body).toMatch(/^<!-- magis:run \S+ -->\n<!-- magis:spent \S+ \d+\.\d{4} \d+ -->\n/);
    expect(comment?.body).toContain(`MAGIS opened pull request #${number}`);
    expect(ended.log.indexOf("::stop-commands::")).toBe(0);
    expect(existsSync("/tmp/magis-was-here")).toBe(false);

    const again = await run("magis", event);
    expect(again).toMatchObject({ exitCode: 0, outputs: { result: "nothing" } });
    expect(again.summary).toContain(`Pull request #${number} is open.`);
  });

  it("answers a review and a comment on its pull request, and keeps what they cost on the issue", async () => {
    const { issue, number } = opened;
    const before = await spentOn(issue);
    const alice = world.person("alice");
    const said = await alice.commentOn(number, { path: "docs/a.txt", line: 2, body: "Upper, please." } as never);
    const reviewed = await run(
      "magis",
      await eventOf("pull_request_review", "submitted", `"number":${number},`, "alice"),
    );
    expect(reviewed).toMatchObject({ exitCode: 0, outputs: { result: "published" } });
    const thread = world.threads(number).find(({ comments }) => comments.some(({ id }) => id === said));
    expect(thread?.comments.at(-1)?.body).toContain("Done.");

    await alice.comment(number, "Change docs/other.txt too.");
    const answered = await run("magis", await eventOf("issue_comment", "created", "Change docs/other.txt too."));
    expect(answered).toMatchObject({ exitCode: 0, outputs: { result: "published" } });
    const comments = (await world.issueComments(number)).map(({ body }) => body).join("\n");
    expect(comments).toContain("> alice: Change docs/other.txt too.\n\nDone there as well.");
    const diff = await world.diff(number);
    for (const line of ["+A2", "+A3", "+O1"]) expect(diff).toContain(line);
    expect(await spentOn(issue)).toBe((before ?? 0) + 2);

    await alice.comment(number, "/magis help");
    await run("magis", await eventOf("issue_comment", "created", '"body":"/magis help"'));
    const help = (await world.issueComments(number)).find(({ body }) => body.includes("Commands that work now"));
    expect(help?.body.match(/`\/magis \w+/g)).toEqual(["`/magis resolve", "`/magis help"]);
  });

  it("repairs what makes the workflow of its pull request fail, and takes it out of draft when that passes", async () => {
    const { issue, number } = opened;
    const before = await spentOn(issue);
    const ended = async (conclusion: "success" | "failure") => {
      const { sha: head_sha = "", ref: head_branch = "" } = (await pullOf(number))?.head ?? {};
      const check = { name: "test", conclusion, log: conclusion === "failure" ? FAILING_LOG : undefined };
      await world.ci(head_sha, [check], { suite: true });
      const { body } = await eventOf("check_suite", "completed", head_sha);
      const { check_suite: _, ...payload } = JSON.parse(body) as Record<string, unknown>;
      const workflow_run = { head_sha, head_branch, conclusion, updated_at: new Date().toISOString() };
      return run("magis", { name: "workflow_run", body: JSON.stringify({ ...payload, workflow_run }) });
    };
    await world.ci(await world.git("rev-parse", "main"), [{ name: "test", conclusion: "success" }]);
    expect(await ended("failure")).toMatchObject({ exitCode: 0, outputs: { result: "published" } });
    expect(await world.diff(number)).toContain("+A4");
    const comments = (await world.issueComments(number)).map(({ body }) => body).join("\n");
    expect(comments).toContain("Failing checks: a new commit repairs them");
    expect(await spentOn(issue)).toBe((before ?? 0) + 1);
    expect(await pullOf(number)).toMatchObject({ draft: true });

    expect((await ended("success")).exitCode).toBe(0);
    expect(await pullOf(number)).toMatchObject({ draft: false });
  });

  it("checks the change by the job's command, and publishes no failing one", async () => {
    const environment = { MAGIS_CI_ROUNDS: "0" };
    const checked = (check: string) => ({ inputs: { check, "check-sandbox": "off" }, environment });
    const good = await labelled("Tried: docs/a.txt and docs/b.txt");
    const passed = await run("magis", good.event, checked("grep -ci a2 docs/a.txt"));
    expect(passed).toMatchObject({ exitCode: 0, outputs: { result: "published" } });
    const said = "The check `grep -ci a2 docs/a.txt` passes.";
    const [comment] = await world.issueComments(good.issue);
    const pull = await pullOf(Number(passed.outputs["pull-request"]));
    for (const text of [passed.summary, comment?.body, pull?.body]) {
      expect(text).toContain(said);
      expect(text).not.toMatch(/No test/);
    }

    const bad = await labelled("Tried in vain: docs/a.txt and docs/b.txt");
    const failed = await run("magis", bad.event, checked("grep -c a2 docs/a.txt"));
    expect(failed).toMatchObject({ exitCode: 5, outputs: { result: "dry-run", "pull-request": "" } });
    expect(failed.summary).toContain("The check fails with it.");
    expect(failed.summary).toContain("+A2");
  });

  it("has no key and no token where a check without a sandbox can read them: in what it was started with", async () => {
    const { event } = await labelled("Curious: docs/a.txt and docs/b.txt");
    const above =
      'pid=$PPID; while [ "$pid" -gt 1 ]; do tr "\\0" "\\n" </proc/$pid/environ; tr "\\0" "\\n" </proc/$pid/cmdline; ';
    const command = `${above} pid=$(sed -n "s/^PPid:.//p" /proc/$pid/status); done > seen; ! grep -e ^ANTHROPIC_API_KEY=scripted -e ^GITHUB_TOKEN=ghs_ seen && grep ^MAGIS_CHECK= seen`;
    const environment = { MAGIS_CI_ROUNDS: "0" };
    const inputs = { check: command, "check-sandbox": "off" };
    const ended = await run("magis", event, { inputs, environment, ...SHELL });
    expect(ended).toMatchObject({ exitCode: 0, outputs: { result: "published" } });
    expect(ended.summary).toContain("passes.");
  });

  it("runs nothing where bwrap is missing, and says so before the first paid call; off runs the check", async () => {
    const { event, issue } = await labelled("Unconfined: docs/a.txt and docs/b.txt");
    const environment = { MAGIS_CI_ROUNDS: "0" };
    const check = "touch check-was-run; grep -ci a2 docs/a.txt";
    const [before, from] = [model.journal.length, world.journal.length];
    const missing = await run("magis", event, { inputs: { check }, environment, ...SHELL, shell: WITHOUT_BWRAP });
    expect(missing).toMatchObject({ outputs: { result: "failed", "pull-request": "" } });
    expect(missing.exitCode).not.toBe(0);
    for (const text of [missing.summary, (await world.issueComments(issue))[0]?.body]) {
      expect(text).toContain("bwrap");
      expect(text).toContain("check-sandbox");
    }
    expect(model.journal).toHaveLength(before);
    expect(writes(from).filter(({ method, path }) => method === "POST" && path.includes("/git/"))).toEqual([]);
    const inputs = { check, "check-sandbox": "off" };
    const ended = await run("magis", event, { inputs, environment, ...SHELL, shell: WITHOUT_BWRAP });
    expect(ended).toMatchObject({ exitCode: 0, outputs: { result: "published" } });
    expect(ended.summary).toContain("passes.");
  });

  it("in two jobs, only the one without a model's key writes, and publishes what the other made", async () => {
    const { issue, event } = await labelled("Hardened: docs/a.txt and docs/b.txt");
    const [before, calls] = [world.journal.length, model.journal.length];
    const made = await run("make", event);
    expect(made).toMatchObject({
      exitCode: 0,
      outputs: { result: "dry-run", digest: expect.stringMatching(/^[0-9a-f]{64}$/) },
    });
    expect(writes(before)).toEqual([]);
    const asked = model.journal.length;
    expect(asked).toBeGreaterThan(calls);
    const publish = (digest = "") => run("publish", event, { values: { "needs.make.outputs.digest": digest } });
    const forged = await publish("0".repeat(64));
    expect(forged).toMatchObject({ exitCode: 1, summary: expect.stringContaining("SHA-256") });

    // Whatever made it.
    const file = join(scene.artifacts, "magis-change", "record.json");
    const own = readFileSync(file, "utf8");
    for (const [change, reason] of [
      [{ kind: "create", path: ".github/workflows/x.yml", content: "on: push\n" }, "protected"],
      [{ kind: "delete", path: "docs/kept.txt" }, "protected"],
      [{ kind: "create", path: "../x", content: "x" }, "not a path inside"],
    ] as const) {
      const record = JSON.parse(own);
      record.record.work.changes = [change];
      writeFileSync(file, JSON.stringify(record));
      const refused = await publish(createHash("sha256").update(readFileSync(file)).digest("hex"));
      expect([change.path, refused.outputs.result]).toEqual([change.path, "refused"]);
      expect(refused.summary).toContain(reason);
    }
    expect(await pullsFor(issue)).toEqual([]);

    writeFileSync(file, own);
    const published = await publish(made.outputs.digest);
    expect(published).toMatchObject({ exitCode: 0, outputs: { result: "published" } });
    // What the first job has asked is counted, and not told as calls of this one.
    expect(Number(published.outputs.cost)).toBeGreaterThan(0);
    expect(published.log).not.toMatch(/\bcall \d|failed/);
    expect(model.journal.length).toBe(asked);
    expect(await world.diff(Number(published.outputs["pull-request"]))).toContain("+A2");
    expect(await pullsFor(issue)).toHaveLength(1);
  });

  it("in two jobs, makes nothing where the repository wants nothing made by AI, and says so on the issue", async () => {
    const alice = world.person("alice");
    await alice.push("main", { "CONTRIBUTING.md": `# Contributing\n\n${NO_AI}\n` }, "Say what we accept");
    try {
      const { issue, event } = await labelled("Against the policy: docs/a.txt");
      const calls = model.journal.length;
      const made = await run("make", event);
      expect(made.outputs.result).toBe("refused");
      expect(made.summary).toContain(`\`CONTRIBUTING.md\`, line 3, says: "${NO_AI}"`);
      expect(model.journal.slice(calls).map(({ call }) => call?.promptId)).toEqual(["c01-judge-policy"]);
      const values = { "needs.make.outputs.digest": made.outputs.digest ?? "" };
      expect((await run("publish", event, { values })).outputs.result).toBe("refused");
      const [comment] = await world.issueComments(issue);
      expect(comment?.body).toContain(`says: "${NO_AI}" So I made nothing.`);
      expect(comment?.body).toContain("Nothing was changed.");
      expect(await pullsAbout(issue)).toEqual([]);
    } finally {
      await alice.push("main", { "CONTRIBUTING.md": null }, "Say nothing");
    }
  });

  it.each([
    ["no key", false, { "secrets.ANTHROPIC_API_KEY": "" }, {}, "`anthropic-api-key` is missing: set it, and if"],
    ["a wrong key", true, { "secrets.ANTHROPIC_API_KEY": "wrong" }, {}, "refused the API key"],
    [
      "another fault of its configuration",
      false,
      {},
      { inputs: { model: "unheard-of" } },
      "`model` names unheard-of, whose price is not known",
    ],
    ["another provider", false, {}, { environment: { MAGIS_PROVIDER: "bedrock" } }, "installs no package"],
  ])(
    "says on the issue and in the summary that it has %s, with one job and with two",
    async (what, clones, values, more, reason) => {
      const { issue, event } = await labelled(`With ${what}: docs/a.txt`);
      const before = world.journal.length;
      const ended = await run("magis", event, { values, ...more });
      expect(ended).toMatchObject({ exitCode: 1, outputs: { result: "failed", "pull-request": "" } });
      expect(ended.summary).toContain("### MAGIS: it failed");
      expect(ended.log).toMatch(/the run failed\n.*\((?:CONFIGURATION_INVALID|MODEL_REJECTED)\)/);
      const [comment] = await world.issueComments(issue);
      for (const text of [ended.summary, comment?.body]) expect(text).toContain(reason);

      // Only the model can tell that a key is wrong; what is known without it is said before anything is cloned.
      const cloned = world.journal.slice(before).filter(({ kind }) => kind === "git");
      expect(cloned.length > 0).toBe(clones);

      const other = await labelled(`In two jobs, with ${what}: docs/a.txt`);
      const made = await run("make", other.event, { values, ...more });
      expect(made).toMatchObject({
        exitCode: 1,
        outputs: { result: "failed", digest: expect.stringMatching(/^[0-9a-f]{64}$/) },
      });
      expect(made.summary).toContain(reason);
      const digest = { "needs.make.outputs.digest": made.outputs.digest ?? "" };
      expect(await run("publish", other.event, { values: digest })).toMatchObject({ outputs: { result: "failed" } });
      const [comments] = await world.issueComments(other.issue);
      expect(comments?.body).toContain("The job that makes the change ended without one: its summary says why.");
    },
  );

  it("does not answer people who may not ask", async () => {
    const { issue } = await labelled("Asked without a key: docs/a.txt");
    await world.person("tom").comment(issue, "/magis resolve uninvited");
    const before = world.journal.length;
    const event = await eventOf("issue_comment", "created", "uninvited");
    const refused = await run("magis", event, { values: { "secrets.ANTHROPIC_API_KEY": "" } });
    expect(refused.summary).toContain("write is needed");
    expect(refused.summary).not.toContain("anthropic-api-key");
    expect(writes(before).filter(({ path }) => path.endsWith("/comments"))).toEqual([]);
  });

  it("keeps to the issue's budget across jobs, counting only its own marks", async () => {
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

  it("reports a cancelled job, by the signal that a runner sends to its step", async () => {
    const { issue, event } = await labelled("Cancelled: docs/a.txt and docs/b.txt");
    const hold = model.hold(({ promptId }) => promptId.startsWith("p09-"));
    const started: ChildProcess[] = [];
    const running = run("magis", event, { started: (child) => void started.push(child) });
    await held(hold, running);
    const [at] = await world.issueComments(issue);
    expect(at?.body).toMatch(
      /To stop it, cancel \[its job\]\(http:\S+\/acme\/docs\/actions\/runs\/\d+\) in the Actions tab/,
    );
    await interrupt(started[0] as ChildProcess);
    const ended = await running;
    hold.release();
    expect(ended.exitCode).toBe(130);
    const [comment] = await world.issueComments(issue);
    expect(comment?.body).toContain("The job was cancelled or ended before it finished. Nothing was written");
    expect(comment?.body).toContain("JOB_ENDED");
    expect(await pullsFor(issue)).toEqual([]);
  });

  it.each([
    ["breaks off in the form with one job, in the step that is done whatever happened", "magis", "SIGKILL"],
    ["is cancelled in the job that publishes", "publish", "SIGINT"],
  ] as const)("takes back a half-published change when it %s", async (_, job, signal) => {
    const { issue, event } = await labelled(`Half published by ${job}: docs/a.txt and docs/b.txt`);
    const made = job === "publish" ? (await run("make", event)).outputs.digest : undefined;
    const hold = world.hold({ method: "POST", path: /\/pulls$/, when: "after" });
    const started: ChildProcess[] = [];
    const running = run(job, event, {
      started: (child) => void started.push(child),
      values: { "needs.make.outputs.digest": made ?? "" },
    });
    await held(hold, running);
    const [first] = started as [ChildProcess];
    if (signal === "SIGINT") await interrupt(first);
    else process.kill(-(first.pid ?? 0), signal);
    hold.release();
    expect((await running).exitCode).toBe(signal === "SIGINT" ? 130 : 137);
    const [pull] = await pullsAbout(issue);
    expect(pull?.state).toBe("closed");
    const [comment] = await world.issueComments(issue);
    expect(comment?.body).toContain(
      `Taken back: pull request #${pull?.number} (closed), the branch \`magis/issue-${issue}-`,
    );
    expect(await world.git("for-each-ref", "--format=%(refname)", `refs/heads/magis/issue-${issue}-*`)).toBe("");
  });
});
