import { afterEach, describe, expect, it } from "@jest/globals";
import { fakeHosts } from "./open-fake-host.ts";
import { type Answer, startFakeGithub } from "./start-fake-github.ts";

const RUNS = "/repos/octo/tools/commits/c1/check-runs";
const STATUS = "/repos/octo/tools/commits/c1/status";
const WORKFLOWS = "/repos/octo/tools/actions/runs";
const LOGS = "/repos/octo/tools/actions/jobs/9/logs";
const actions = { id: 15368, slug: "github-actions" };
const run = (id: number, name: string, conclusion: string | null, more: object = {}) => ({
  id,
  name,
  conclusion,
  status: conclusion === null ? "in_progress" : "completed",
  app: actions,
  html_url: `http://x/runs/${id}`,
  details_url: `http://x/octo/tools/actions/runs/5/job/${id + 100}`,
  output: { title: null, summary: null },
  ...more,
});
const status = (context: string, state: string) => ({ context, state, description: `says ${state}`, target_url: "u" });
const checks = (...check_runs: object[]): Answer => ({ body: { total_count: check_runs.length, check_runs } });
const workflow = (id: number, file: string, more: object = {}) => ({
  id,
  path: `.github/workflows/${file}`,
  name: file,
  html_url: "u",
  status: "completed",
  conclusion: "success",
  display_title: "fix: it",
  ...more,
});
const workflows = (...workflow_runs: object[]): Answer => ({
  body: { total_count: workflow_runs.length, workflow_runs },
});
const statuses = (...rows: object[]): Answer => ({ body: { url: "u", total_count: rows.length, statuses: rows } });

describe("the check api on GitHub", () => {
  const start = fakeHosts();
  const closers: (() => Promise<void>)[] = [];
  afterEach(async () => {
    for (const close of closers.splice(0)) await close();
  });

  const startWith = (rows: readonly object[], ran: readonly object[] = [], said: readonly object[] = []) =>
    start(({ path }) => {
      if (path === RUNS) return checks(...rows);
      return path === WORKFLOWS ? workflows(...ran) : statuses(...said);
    });

  it("reads all pages of check runs and statuses", async () => {
    const hundred = Array.from({ length: 100 }, (_, index) => status(`ci/${index}`, "success"));
    const { host, github } = await start(({ path, query }, base) => {
      const second = query.get("page") === "2";
      if (path === STATUS) return second ? statuses(status("late", "error")) : statuses(...hundred);
      if (path !== RUNS) return undefined;
      if (second) return checks(run(2, "lint", "failure", { output: { title: "Two", summary: "faults" } }));
      return { ...checks(run(1, "build", "success")), headers: { link: `<${base}${path}?page=2>; rel="next"` } };
    });
    const found = await host.checksOf("c1");
    expect(found).toHaveLength(103);
    const app = { byApp: false };
    expect(found[0]).toEqual({
      checkRunId: 1,
      jobId: 101,
      runId: 5,
      app: "github-actions",
      name: "build",
      state: "passed",
      summary: "",
      url: "http://x/runs/1",
      ...app,
    });
    expect(found[1]).toMatchObject({ name: "lint", state: "failed", summary: "Two\n\nfaults" });
    expect(found.at(-1)).toEqual({ name: "late", state: "failed", summary: "says error", url: "u", ...app });
    expect(github.asked.find(({ path }) => path === RUNS)?.query.get("filter")).toBe("latest");
  });

  it.each([
    ["success", "passed"],
    ["neutral", "neutral"],
    ["skipped", "neutral"],
    ["cancelled", "neutral"],
    ["stale", "neutral"],
    ["failure", "failed"],
    ["timed_out", "failed"],
    ["startup_failure", "failed"],
    ["action_required", "pending"],
    [null, "pending"],
  ])("reads the conclusion %s as %s", async (conclusion, state) => {
    const { host } = await startWith([run(1, "a", conclusion)]);
    expect(await host.checksOf("c1")).toMatchObject([{ state }]);
  });

  it("merges checks of the same app, workflow and name: an unfinished one wins, else the worst", async () => {
    const own = { id: 42, slug: "magis" };
    const of = (runId: number) => ({ details_url: `http://x/octo/tools/actions/runs/${runId}/job/9` });
    const rows = [
      run(1, "test", "success"),
      run(2, "test", "failure", of(6)),
      run(3, "lint", "failure"),
      run(4, "lint", null, of(6)),
      run(5, "MAGIS", "neutral", { app: own }),
      run(6, "MAGIS", "success"),
      run(7, "test", "success", of(7)),
      run(8, "test", "success", { app: { id: 3, slug: "other-ci" } }),
    ];
    const ran = [workflow(5, "ci.yml"), workflow(6, "ci.yml"), workflow(7, "pr.yml")];
    const { host } = await startWith(rows, ran, [status("test", "pending"), status("x", "success")]);
    const found = await host.checksOf("c1");
    expect(found.map((one) => [one.name, one.state, one.app, one.workflow?.slice(-6), one.checkRunId])).toEqual([
      ["test", "failed", "github-actions", "ci.yml", 2],
      ["lint", "pending", "github-actions", "ci.yml", 4],
      ["MAGIS", "neutral", "magis", undefined, 5],
      ["MAGIS", "passed", "github-actions", "ci.yml", 6],
      ["test", "passed", "github-actions", "pr.yml", 7],
      ["test", "passed", "other-ci", undefined, 8],
      ["test", "pending", undefined, undefined, undefined],
      ["x", "passed", undefined, undefined, undefined],
    ]);
  });

  it.each<[string, object, readonly object[], readonly string[]]>([
    ["has ended", {}, [run(1, "a", "success")], ["a passed"]],
    ["is between two stages", { status: "in_progress" }, [run(1, "a", "success")], ["a passed", "ci.yml pending"]],
    ["has a running job", { status: "in_progress" }, [run(1, "a", null)], ["a pending"]],
    ["has no job yet", { status: "queued", conclusion: null }, [], ["ci.yml pending"]],
    ["waits for a person", { conclusion: "action_required" }, [], ["ci.yml pending waiting"]],
    [
      "may not be started",
      { conclusion: "startup_failure", display_title: "octo-bot is not allowed to trigger Actions workflows" },
      [],
      ["ci.yml pending not-allowed"],
    ],
    [
      "has failed, and whose title only mentions a refusal",
      { conclusion: "failure", display_title: "fix: tell who is not allowed to run workflows" },
      [run(1, "a", "failure")],
      ["a failed"],
    ],
    [
      "is running, and whose title only mentions a refusal",
      { status: "in_progress", display_title: "fix: tell who is not allowed to run workflows" },
      [],
      ["ci.yml pending"],
    ],
  ])("describes a workflow that %s", async (_how, more, rows, described) => {
    const { host } = await startWith(rows, [workflow(5, "ci.yml", more)]);
    for (const found of [await host.checksOf("c1"), (await host.runsOf("c1")).checks])
      expect(found.map(({ name, state, because }) => [name, state, because].join(" ").trim())).toEqual(described);
  });

  const REFUSAL = "This app is not allowed to trigger Actions workflows in this repository.";
  it.each<[string, string, object, string, string]>([
    ["GitHub's own refusal", "failure", {}, REFUSAL, "pending not-allowed"],
    ["a passed job that quotes it", "success", {}, REFUSAL, "passed "],
    ["a report that quotes it", "failure", {}, `${"✓ a test\n".repeat(80)}${REFUSAL}`, "failed "],
    ["another app's check", "failure", { app: { id: 3, slug: "other-ci" } }, REFUSAL, "failed "],
  ])("takes only GitHub's own refusal for one: %s", async (_what, conclusion, more, summary, described) => {
    const { host } = await startWith([run(1, "a", conclusion, { ...more, output: { title: null, summary } })]);
    const [found] = await host.checksOf("c1");
    expect(`${found?.state} ${found?.because ?? ""}`).toBe(described);
  });

  it("finds a job's id only in an address of GitHub Actions", async () => {
    const elsewhere = { app: { id: 3, slug: "other-ci" } };
    const rows = [run(1, "a", "failure", elsewhere), run(2, "b", "failure", { details_url: "http://x/other" })];
    const { host } = await startWith(rows);
    for (const check of await host.checksOf("c1")) expect(check).not.toHaveProperty("jobId");
  });

  it("reads annotations", async () => {
    const row = { path: "a.ts", start_line: 3, end_line: 4, annotation_level: "failure", message: "no", title: "TS1" };
    const { host } = await start(({ path }) =>
      path === "/repos/octo/tools/check-runs/1/annotations"
        ? { body: [row, { ...row, annotation_level: null, title: null }] }
        : undefined,
    );
    const place = { path: "a.ts", startLine: 3, endLine: 4 };
    expect(await host.annotationsOf(1)).toEqual([
      { ...place, level: "failure", message: "TS1: no" },
      { ...place, level: "notice", message: "no" },
    ]);
  });

  const storage = async (answer: Answer) => {
    const files = await startFakeGithub(() => answer);
    closers.push(files.close);
    const opened = await start(({ path }) =>
      path === LOGS ? { status: 302, headers: { location: `http://${files.host}/log?sig=abc` } } : undefined,
    );
    return { ...opened, files };
  };

  it("follows a log to another host without sending the token", async () => {
    const { host, files, github } = await storage({ text: `${"early\n".repeat(100)}late\n` });
    expect(await host.jobLog(9, 10_000)).toBe(`${"early\n".repeat(100)}late\n`);
    expect(await host.jobLog(9, 100)).toMatch(/^\[The first part of 605 bytes was cut here\.\]\n(early\n)+late\n$/);
    expect(github.asked.find(({ path }) => path === LOGS)?.authorization).toMatch(/^token /);
    expect(files.asked.map(({ path, authorization }) => [path, authorization])).toEqual([
      ["/log", ""],
      ["/log", ""],
    ]);
  });

  it.each([404, 410])("gives no log when GitHub or the storage answers %i", async (gone) => {
    const { host } = await storage({ status: gone });
    expect(await host.jobLog(9, 100)).toBeUndefined();
    const other = await start(({ path }) => (path === LOGS ? { status: gone, body: { message: "Gone" } } : undefined));
    expect(await other.host.jobLog(9, 100)).toBeUndefined();
  });

  it.each<Answer>([{ status: 503 }, { drop: "at once" }, { text: "half", drop: "half way" }])(
    "reports a fault of the storage (%j) instead of giving a log",
    async (answer) => {
      const { host } = await storage(answer);
      await expect(host.jobLog(9, 100)).rejects.toMatchObject({ code: "HOST_UNREACHABLE" });
      await host.jobLog(9, 100).catch((error: Error) => expect(error.message).not.toContain("sig="));
    },
  );

  it("reads a job's commit, check run and steps, with the whole seconds in which these ran", async () => {
    const step = { name: "test", conclusion: "failure", started_at: "2026-01-01T00:00:01.5Z" };
    const { host } = await start(({ path }) =>
      path === "/repos/octo/tools/actions/jobs/9"
        ? {
            body: {
              head_sha: "c1",
              check_run_url: "https://x/repos/octo/tools/check-runs/7",
              steps: [
                { ...step, completed_at: "2026-01-01T00:00:03.9Z" },
                { ...step, completed_at: null },
                { ...step, conclusion: "skipped", completed_at: "2026-01-01T00:00:03Z" },
              ],
            },
          }
        : undefined,
    );
    const from = Date.parse("2026-01-01T00:00:01Z");
    expect(await host.jobOf(9)).toEqual({
      commit: "c1",
      checkRunId: 7,
      steps: [
        { name: "test", state: "failed", from, to: from + 2_000 },
        { name: "test", state: "failed" },
        { name: "test", state: "neutral" },
      ],
    });
    expect(await host.jobOf(8)).toBeUndefined();
  });

  it("lists artifacts that are still there, and reads one up to a length, without the token", async () => {
    const files = await startFakeGithub(() => ({ text: "PK zipped" }));
    closers.push(files.close);
    const found = { id: 3, name: "results", size_in_bytes: 9, expired: false };
    const { host } = await start(({ path }) => {
      if (path === `${WORKFLOWS}/5/artifacts`)
        return { body: { artifacts: [found, { ...found, id: 4, expired: true }] } };
      const headers = { location: `http://${files.host}/zip?sig=abc` };
      return path === "/repos/octo/tools/actions/artifacts/3/zip" ? { status: 302, headers } : undefined;
    });
    expect(await host.artifactsOf(5)).toEqual([{ id: 3, name: "results", bytes: 9 }]);
    expect(await host.artifactsOf(6)).toEqual([]);
    expect(Buffer.from((await host.artifact(3, 9)) ?? []).toString()).toBe("PK zipped");
    expect([await host.artifact(3, 8), await host.artifact(4, 9)]).toEqual([undefined, undefined]);
    expect(files.asked.map(({ authorization }) => authorization)).toEqual(["", ""]);
  });

  it.each([
    ["in_progress", 2, 3, true],
    ["queued", 2, 3, true],
    ["completed", 2, 3, false],
    ["waiting", 2, 3, false],
    ["queued", 0, 3, false],
    ["queued", 2, 42, false],
  ])("takes a suite that is %s with %i checks of app %i for unfinished: %s", async (state, runs, app, isUnfinished) => {
    const suite = { status: state, latest_check_runs_count: runs, app: { id: app } };
    const { host } = await start(({ path }) => {
      if (path === RUNS) return checks(run(1, "a", "success"));
      if (path === RUNS.replace("check-runs", "check-suites"))
        return { body: { total_count: 1, check_suites: [suite] } };
      return path === WORKFLOWS ? workflows() : statuses();
    });
    expect(await host.runsOf("c1")).toMatchObject({ checks: [{ name: "a" }], unfinished: isUnfinished });
  });

  const report = { name: "MAGIS", status: "in_progress", title: "Planning", summary: "Soon." } as const;

  it("creates its check run once, and then updates it", async () => {
    const made: object[] = [run(7, "MAGIS", "success")];
    const { host, github } = await start(({ method, path }) => {
      if (path === RUNS) return checks(...made);
      if (method === "POST") made.push(run(8, "MAGIS", null, { app: { id: 42, slug: "magis" } }));
      return { body: {} };
    });
    await host.reportCheck("c1", report);
    expect(github.calls().at(-1)).toBe("POST /repos/octo/tools/check-runs");
    const output = { title: "Planning", summary: "Soon." };
    expect(github.asked.at(-1)?.body).toEqual({ name: "MAGIS", head_sha: "c1", status: "in_progress", output });
    const asked = github.asked.find(({ path }) => path === RUNS)?.query;
    expect([asked?.get("check_name"), asked?.get("app_id")]).toEqual(["MAGIS", "42"]);
    await host.reportCheck("c1", {
      ...report,
      status: "completed",
      conclusion: "failure",
      summary: "x".repeat(70_000),
    });
    expect(github.calls().at(-1)).toBe("PATCH /repos/octo/tools/check-runs/8");
    expect(github.asked.at(-1)?.body).toMatchObject({ name: "MAGIS", status: "completed", conclusion: "failure" });
    const { summary } = (github.asked.at(-1)?.body.output ?? {}) as { summary?: string };
    expect(summary?.length).toBeLessThanOrEqual(65_535);
    expect(summary).toContain("was cut");
  });
});
