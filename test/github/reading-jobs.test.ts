import { describe, expect, it } from "@jest/globals";
import { createChecksVerifier } from "../../src/checks/checks-verifier.ts";
import type { NewTest, ProofVerdict } from "../../src/data/verdict.ts";
import type { Check } from "../../src/github/code-host.ts";
import { createFakeHost } from "../fakes/create-fake-host.ts";
import { zipOf } from "../fakes/zip-of.ts";

const TEST: NewTest = { path: "test/parse.test.js", within: [], name: "keeps an empty value" };
const AT = Date.parse("2026-11-20T10:00:00Z");

const spec = (passed: number, ...failed: readonly string[]) =>
  [
    ...failed.map((name) => `✖ ${name} (1.5ms)\n  AssertionError [ERR_ASSERTION]: expected\n`),
    `ℹ tests ${passed + failed.length}\nℹ pass ${passed}\nℹ fail ${failed.length}`,
  ].join("\n");

interface Ran {
  name?: string;
  log: string;
  failed?: true;
  workflow?: number;
  more?: Partial<Check>;
  /** the commit or the check run that the job names as its own */
  says?: { commit?: string; checkRunId?: number };
}

/** A host with the given ended jobs on its commits: the base, the tests alone and the fix. */
function hostWith(commits: Readonly<Record<string, readonly Ran[]>>) {
  const { host, state } = createFakeHost({});
  for (const [commit, jobs] of Object.entries(commits)) {
    const checks: Check[] = [];
    for (const { name = "test", log, failed, workflow = 1, more, says } of jobs) {
      const id = state.next();
      const runId = 100 * (Object.keys(commits).indexOf(commit) + 1) + workflow;
      const ended = failed ? ("failed" as const) : ("passed" as const);
      const steps = [{ name: "Run npm test", state: ended, from: AT, to: AT }];
      state.jobs.set(id, { commit, checkRunId: id, steps, ...says });
      state.jobLogs.set(id, log.replace(/^/gm, "2026-11-20T10:00:00.0000000Z "));
      const ids = { app: "github-actions", checkRunId: id, jobId: id, runId, byApp: false };
      const path = `.github/workflows/${workflow}.yml`;
      checks.push({ ...ids, workflow: path, name, state: ended, summary: "", url: "u", ...more });
    }
    state.checks.set(commit, checks);
  }
  const verifier = createChecksVerifier(host);
  const ask = (question: "red" | "green") =>
    verifier.verify(
      {
        base: "base",
        commit: question,
        files: [{ path: TEST.path, content: null }],
        red: question === "green" ? "red" : undefined,
      },
      { ask: question, tests: [TEST] },
      new AbortController().signal,
    );
  return { state, verifier, ask };
}

const brief = (verdict: ProofVerdict) => ("reason" in verdict ? `${verdict.kind}: ${verdict.reason}` : verdict.kind);

const BASE = [{ log: spec(3) }];
const RED = [{ log: spec(3, TEST.name), failed: true as const }];
const GREEN = [{ log: spec(4) }];

describe("test results read from the host's jobs", () => {
  it("compare the same step of the same job on the base, with the tests alone and with the fix", async () => {
    const { ask, state } = hostWith({ base: BASE, red: RED, green: GREEN });
    expect(brief(await ask("red"))).toBe("right-red");
    expect(await ask("green")).toMatchObject({ kind: "green", ran: [{ before: 3, now: 4 }] });
    state.unfinished.add("green");
    expect(brief(await ask("green"))).toBe("no-verdict: running");
  });

  it.each<[string, Readonly<Record<string, readonly Ran[]>>, string]>([
    [
      "another workflow's job of that name on the base",
      { base: [{ log: spec(3), workflow: 2 }], red: RED },
      "no-verdict: none",
    ],
    [
      "another app's check of that name",
      { base: BASE, red: [{ log: spec(3, TEST.name), failed: true, more: { app: "other-ci", workflow: undefined } }] },
      "no-verdict: none",
    ],
    [
      "a commit status of that name",
      {
        base: BASE,
        red: [
          {
            log: "",
            more: {
              app: undefined,
              workflow: undefined,
              jobId: undefined,
              runId: undefined,
            } as unknown as Partial<Check>,
          },
        ],
      },
      "no-verdict: none",
    ],
    [
      "a check run that points at another commit's job",
      { base: BASE, red: [{ ...RED[0], log: spec(3, TEST.name), says: { commit: "other" } }] },
      "no-verdict: unreported",
    ],
    [
      "a check run that points at another check run's job",
      { base: BASE, red: [{ ...RED[0], log: spec(3, TEST.name), says: { checkRunId: 1 } }] },
      "no-verdict: unreported",
    ],
    [
      "two jobs of one name, the second of which cannot be read",
      { base: [...BASE, { log: spec(3), workflow: 2 }], red: [...RED, { log: "boom", failed: true, workflow: 2 }] },
      "no-verdict: unreported",
    ],
    [
      "a check that hit its time limit",
      { base: BASE, red: [{ ...RED[0], log: spec(3, TEST.name), more: { because: "timed-out" } }] },
      "no-verdict: timed-out",
    ],
  ])("prove no red by %s", async (_what, commits, verdict) => {
    expect(brief(await hostWith(commits).ask("red"))).toBe(verdict);
  });

  it("prove no green by a log without test results", async () => {
    const { ask } = hostWith({ base: BASE, red: RED, green: [{ log: "ok" }] });
    expect(brief(await ask("green"))).toBe("no-verdict: unreported");
  });

  it.each(["waiting", "not-allowed"] as const)("give no verdict on a workflow that is %s", async (because) => {
    const { ask, state } = hostWith({ base: BASE, red: [] });
    const what = { app: "github-actions", workflow: ".github/workflows/1.yml", name: "CI", runId: 9 };
    state.checks.set("red", [{ ...what, state: "pending", because, byApp: false, summary: "", url: "u" }]);
    expect(brief(await ask("red"))).toBe(`no-verdict: ${because}`);
  });

  it("come from a report rather than the log", async () => {
    const quiet = { log: "quiet" };
    const { ask, state } = hostWith({
      base: [quiet],
      red: [{ log: `failed: ${TEST.name}`, failed: true }],
      green: [quiet],
    });
    const report = (run: number, ...cases: readonly string[]) => {
      const xml = `<testsuite>${cases.join("")}</testsuite>`;
      state.artifacts.set(run, [{ id: run, name: "test-results", zip: zipOf({ "a.xml": "<x/>", "junit.xml": xml }) }]);
    };
    const passed = (name: string) => `<testcase name="${name}"/>`;
    report(101, passed("reads a pair"));
    report(201, passed("reads a pair"), `<testcase name="${TEST.name}"><failure message="expected 1"/></testcase>`);
    report(301, passed("reads a pair"), passed(TEST.name));
    expect(await ask("red")).toMatchObject({ kind: "right-red", ran: [{ from: "report", check: "test-results" }] });
    expect(brief(await ask("green"))).toBe("green");
    report(301, passed("reads a pair"), `<testcase name="${TEST.name}"><skipped/></testcase>`);
    expect(brief(await ask("green"))).toBe("no-verdict: not-run");
  });

  it("come from the newest report of a repeated run, and never from another commit's job", async () => {
    const { ask, state } = hostWith({
      base: [{ log: "quiet" }],
      red: [{ log: `failed: ${TEST.name}`, failed: true }],
      green: [{ log: "quiet" }],
    });
    const report = (...cases: readonly string[]) => zipOf({ "junit.xml": `<testsuite>${cases.join("")}</testsuite>` });
    const failed = report(
      `<testcase name="a"/><testcase name="${TEST.name}"><failure message="expected 1"/></testcase>`,
    );
    const passed = report(`<testcase name="a"/><testcase name="${TEST.name}"/>`);
    state.artifacts.set(101, [{ id: 1, name: "test-results", zip: report('<testcase name="a"/>') }]);
    state.artifacts.set(201, [{ id: 2, name: "test-results", zip: failed }]);
    const [tried, again] = [
      { id: 3, name: "test-results", zip: failed },
      { id: 4, name: "test-results", zip: passed },
    ];
    for (const artifacts of [
      [tried, again],
      [again, tried],
    ]) {
      state.artifacts.set(301, artifacts);
      expect(brief(await ask("green"))).toBe("green");
    }
    const [check] = state.checks.get("green") ?? [];
    const job = state.jobs.get(check?.jobId ?? 0);
    if (job && check?.jobId) state.jobs.set(check.jobId, { ...job, commit: "old" });
    expect(brief(await ask("green"))).toBe("no-verdict: unreported");
  });

  it("name the tests that ran on one commit and not on another", async () => {
    const tap = (...names: readonly string[]) => names.map((name, at) => `ok ${at + 1} - ${name}`).join("\n");
    const { verifier } = hostWith({ base: [{ log: tap("reads", "keeps") }], red: [{ log: tap("reads") }] });
    expect(await verifier.lostTests?.("base", "red")).toEqual([{ check: "test", before: 2, now: 1, names: ["keeps"] }]);
    expect(await verifier.lostTests?.("base", "base")).toEqual([]);
  });
});
