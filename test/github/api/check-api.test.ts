import { afterEach, describe, expect, it } from "@jest/globals";
import { openFakeHost } from "./open-fake-host.ts";
import { type Answer, type Asked, startFakeGithub } from "./start-fake-github.ts";

const RUNS = "/repos/octo/tools/commits/c1/check-runs";
const STATUS = "/repos/octo/tools/commits/c1/status";
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
const statuses = (...rows: object[]): Answer => ({ body: { url: "u", total_count: rows.length, statuses: rows } });

describe("the check api on GitHub", () => {
  const closers: (() => Promise<void>)[] = [];
  afterEach(async () => {
    for (const close of closers.splice(0)) await close();
  });
  const start = async (respond: (asked: Asked, base: string) => Answer | undefined) => {
    const opened = await openFakeHost(respond);
    closers.push(opened.close);
    return opened;
  };

  it("reads check runs and statuses on all their pages", async () => {
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
  ])("takes the conclusion %s for %s", async (conclusion, state) => {
    const { host } = await start(({ path }) => (path === RUNS ? checks(run(1, "a", conclusion)) : statuses()));
    expect(await host.checksOf("c1")).toMatchObject([{ state }]);
  });

  it("gives one check for each name: the one that is not done, else the worst", async () => {
    const own = { id: 42, slug: "magis" };
    const rows = [
      run(1, "test", "success"),
      run(2, "test", "failure"),
      run(3, "lint", "failure"),
      run(4, "lint", null),
      run(5, "MAGIS", "neutral", { app: own }),
      run(6, "MAGIS", "success"),
    ];
    const { host } = await start(({ path }) =>
      path === RUNS ? checks(...rows) : statuses(status("test", "pending"), status("x", "success")),
    );
    const found = await host.checksOf("c1");
    expect(found.map(({ name, state, byApp, checkRunId }) => [name, state, byApp, checkRunId])).toEqual([
      ["test", "pending", false, undefined],
      ["lint", "pending", false, 4],
      ["MAGIS", "neutral", true, 5],
      ["MAGIS", "passed", false, 6],
      ["x", "passed", false, undefined],
    ]);
  });

  it("knows a job only by an address of GitHub's own Actions", async () => {
    const elsewhere = { app: { id: 3, slug: "other-ci" } };
    const rows = [run(1, "a", "failure", elsewhere), run(2, "b", "failure", { details_url: "http://x/other" })];
    const { host } = await start(({ path }) => (path === RUNS ? checks(...rows) : statuses()));
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

  it("reads a log from another host, which is not shown the token", async () => {
    const { host, files, github } = await storage({ text: `${"early\n".repeat(100)}late\n` });
    expect(await host.jobLog(9, 10_000)).toBe(`${"early\n".repeat(100)}late\n`);
    expect(await host.jobLog(9, 100)).toMatch(/^\[The first part of 605 bytes was cut here\.\]\n(early\n)+late\n$/);
    expect(github.asked.find(({ path }) => path === LOGS)?.authorization).toMatch(/^token /);
    expect(files.asked.map(({ path, authorization }) => [path, authorization])).toEqual([
      ["/log", ""],
      ["/log", ""],
    ]);
  });

  it.each([404, 410])("has no log where GitHub or the storage answers %i", async (gone) => {
    const { host } = await storage({ status: gone });
    expect(await host.jobLog(9, 100)).toBeUndefined();
    const other = await start(({ path }) => (path === LOGS ? { status: gone, body: { message: "Gone" } } : undefined));
    expect(await other.host.jobLog(9, 100)).toBeUndefined();
  });

  it.each<Answer>([{ status: 503 }, { drop: "at once" }, { text: "half", drop: "half way" }])(
    "does not take a fault of the storage (%j) for a log",
    async (answer) => {
      const { host } = await storage(answer);
      await expect(host.jobLog(9, 100)).rejects.toMatchObject({ code: "HOST_UNREACHABLE" });
      await host.jobLog(9, 100).catch((error: Error) => expect(error.message).not.toContain("sig="));
    },
  );

  const report = { name: "MAGIS", status: "in_progress", title: "Planning", summary: "Soon." } as const;

  it("makes its check run once, and then updates it", async () => {
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
