import { describe, expect, it } from "@jest/globals";
import { judge, lostTests } from "../../../src/checks/test-logs/judge.ts";
import { readReport } from "../../../src/checks/test-logs/read-report.ts";
import { readStep } from "../../../src/checks/test-logs/read-test-log.ts";
import {
  type CommitResults,
  NO_RESULTS,
  type RanJob,
  type RanStep,
  type TestsRun,
} from "../../../src/data/test-results.ts";
import type { NewTest, ProofVerdict } from "../../../src/data/verdict.ts";

const TEST: NewTest = { path: "test/parse.test.js", within: ["parse"], name: "keeps an empty value" };

interface JestRun {
  passed: number;
  failed?: readonly string[];
  skipped?: number;
  says?: string;
}

/** Jest's output for a run. */
function jest({ passed, failed = [], skipped = 0, says = "expect(received).toBe(expected)" }: JestRun): string {
  const failures = failed.map((name) => `  ● ${name}\n\n    ${says}\n\n    Expected: ""\n    Received: undefined\n`);
  const numbers = [
    failed.length > 0 && `${failed.length} failed`,
    skipped > 0 && `${skipped} skipped`,
    passed > 0 && `${passed} passed`,
    `${passed + skipped + failed.length} total`,
  ];
  const head = `${failed.length > 0 ? "FAIL" : "PASS"} test/parse.test.js`;
  return `${head}\n${failures.join("\n")}\nTests:       ${numbers.filter(Boolean).join(", ")}\n`;
}

const OURS = "parse › keeps an empty value";
const RED_LOG = jest({ passed: 11, failed: [OURS] });

type Step = readonly [state: RanStep["state"], log: string, name?: string];

const job = (state: RanJob["state"], steps: readonly Step[] = [], more: Partial<RanJob> = {}): RanJob => ({
  app: "github-actions",
  workflow: ".github/workflows/ci.yml",
  name: "test",
  state,
  summary: "",
  steps: steps.map(([ended, log, name = "Run npm test"]) => readStep(name, ended, log)),
  ...more,
});
const passing = (log: string, more: Partial<RanJob> = {}) => job("passed", [["passed", log]], more);
const failing = (log: string, more: Partial<RanJob> = {}) => job("failed", [["failed", log]], more);
const commit = (...jobs: readonly RanJob[]): CommitResults => ({ ...NO_RESULTS, jobs });

const BASE = commit(passing(jest({ passed: 11 })));
const RED = commit(failing(RED_LOG));
const GREEN = commit(passing(jest({ passed: 12 })));

const FILES = [TEST.path];
const tests = [TEST];
const onRed = (red: CommitResults, base = BASE, asked: readonly NewTest[] = tests) =>
  judge({ base, red }, { ask: "red", tests: asked }, FILES);
const onGreen = (green: CommitResults, red = RED, base = BASE, asked: readonly NewTest[] = tests) =>
  judge({ base, red, green }, { ask: "green", tests: asked }, FILES);
const brief = (verdict: ProofVerdict) => ("reason" in verdict ? `${verdict.kind}: ${verdict.reason}` : verdict.kind);

const LINT = { name: "lint" };
const OTHER_WORKFLOW = { workflow: ".github/workflows/other.yml" };
const MYPY =
  'tests/test_parse.py:3: error: "keeps an empty value" has no attribute "x"  [attr-defined]\nFound 1 error in 1 file';

const goV = (...lines: readonly string[]) => `=== RUN   TestX\n${lines.join("\n")}\nok  \tacme/parse\t0.01s\n`;
const GO_TEST: NewTest = { path: "parse_test.go", within: [], name: "TestKeeps" };
const GO_FAIL = "--- FAIL: TestKeeps (0.00s)\n    parse_test.go:9: got 1, want 2";

describe("a red that counts as proof", () => {
  it.each<[string, CommitResults, CommitResults?, (readonly NewTest[])?]>([
    ["one more test, and it fails", RED],
    [
      "in two jobs of a matrix",
      commit(failing(RED_LOG), failing(RED_LOG, { name: "test (20)" })),
      commit(passing(jest({ passed: 11 })), passing(jest({ passed: 11 }), { name: "test (20)" })),
    ],
    [
      "beside a job that was cancelled",
      commit(failing(RED_LOG), job("neutral", [], { name: "e2e", because: "cancelled" })),
    ],
    [
      "beside a job that was red on the base too",
      commit(failing(RED_LOG), failing("boom", { name: "e2e" })),
      commit(passing(jest({ passed: 11 })), failing("boom", { name: "e2e" })),
    ],
    [
      "an existing test with a new body",
      commit(failing(jest({ passed: 10, failed: [OURS] }))),
      BASE,
      [{ ...TEST, before: true }],
    ],
    [
      "one of two new tests fails",
      commit(failing(jest({ passed: 12, failed: [OURS] }))),
      BASE,
      [TEST, { ...TEST, name: "keeps more" }],
    ],
    [
      "a later step that only passes the failure on",
      commit(
        job("failed", [
          ["failed", RED_LOG],
          ["failed", "Error: 1 test failed", "Publish test report"],
        ]),
      ),
    ],
    [
      "a gate job that waits for it",
      commit(failing(RED_LOG), failing("Error: Process completed with exit code 1.", { name: "ci-success" })),
      commit(passing(jest({ passed: 11 })), passing("", { name: "ci-success" })),
    ],
    [
      "a case of a table",
      commit(failing(jest({ passed: 12, failed: ["parse › keeps 3 of a"] }))),
      BASE,
      [{ ...TEST, name: "keeps %s of a" }],
    ],
    [
      "every test named, in go test -v",
      commit(failing(goV("--- PASS: TestA (0.00s)", GO_FAIL))),
      commit(passing(goV("--- PASS: TestA (0.00s)"))),
      [GO_TEST],
    ],
  ])("%s", (_what, red, base = BASE, asked = tests) => {
    expect(brief(onRed(red, base, asked))).toBe("right-red");
  });

  it("names the test, its message and where it ran", () => {
    expect(onRed(RED)).toMatchObject({
      tests: [{ test: TEST, cause: "assertion", check: "test", words: expect.stringContaining("toBe(expected)") }],
      ran: [{ check: "test", step: "Run npm test", from: "log", before: 11, now: 12 }],
    });
  });

  it("excuses a linter that fails only on the new file, and names it", () => {
    const base = commit(passing(jest({ passed: 11 })), passing("", LINT));
    const lint = failing("/w/test/parse.test.js\n  3:1  error  Missing semicolon  semi", LINT);
    const verdict = onRed(commit(failing(RED_LOG), lint), base);
    expect(verdict.kind).toBe("right-red");
    expect(verdict.checks.filter(({ excused }) => excused).map(({ name }) => name)).toEqual(["lint"]);
    const alone = onRed(commit(lint), base);
    expect(alone.kind).toBe("no-verdict");
  });
});

describe("a red that does not count as proof", () => {
  it.each<[string, CommitResults, string, CommitResults?, (readonly NewTest[])?]>([
    ["a line of mypy that names the test", commit(failing(MYPY, { name: "test" })), "no-verdict: unreported"],
    [
      "a linter that names the test and its file",
      commit(failing(`${TEST.path}\n  1:1 error ${OURS} failed`, LINT)),
      "no-verdict: none",
      commit(passing(jest({ passed: 11 })), passing("", LINT)),
    ],
    [
      "a formatter",
      commit(failing(`[warn] ${TEST.path}\n● ${OURS}`, { name: "format" })),
      "no-verdict: unreported",
      commit(passing("", { name: "format" })),
    ],
    [
      "a deploy log",
      commit(
        job("failed", [["failed", `deploying ${OURS}\nError: FAILED ${TEST.name}`, "Deploy"]], { name: "deploy" }),
      ),
      "no-verdict: unreported",
      commit(job("passed", [["passed", "done", "Deploy"]], { name: "deploy" })),
    ],
    [
      "printed Jest text while something else fails",
      commit(failing(`${RED_LOG}${jest({ passed: 12 })}Error: coverage is too low\n`)),
      "no-verdict: counts",
    ],
    [
      "printed Jest text in another runner's log",
      commit(failing(`${RED_LOG}12 passing (3ms)\n`)),
      "no-verdict: counts",
      commit(passing("  11 passing (3ms)\n")),
    ],
    [
      "Jest text printed on the base too, so that its numbers are not the runner's",
      commit(failing(RED_LOG)),
      "no-verdict: unreported-base",
      commit(passing(RED_LOG)),
    ],
    [
      "printed pytest text",
      commit(failing("FAILED tests/test_parse.py::test_keeps - assert 1 == 2\n= 1 failed, 11 passed in 0.1s =\n")),
      "no-verdict: unreported-base",
      commit(passing("all good\n")),
      [{ path: "tests/test_parse.py", within: [], name: "test_keeps" }],
    ],
    [
      "printed Go text",
      commit(failing(`${GO_FAIL}\nlint: 1 problem\n`)),
      "no-verdict: unreported-base",
      commit(passing("lint: no problem\n")),
      [GO_TEST],
    ],
    [
      "go test without -v, which gives no numbers",
      commit(failing(`${GO_FAIL}\nFAIL\nFAIL\tacme/parse\t0.01s\n`)),
      "no-verdict: unreported-base",
      commit(passing("ok  \tacme/parse\t0.01s\n")),
      [GO_TEST],
    ],
    [
      "a different step than on the base",
      commit(job("failed", [["failed", RED_LOG, "Run other"]])),
      "no-verdict: elsewhere",
    ],
    [
      "another app's check of the same name",
      commit(failing(RED_LOG, { app: "other-ci", workflow: "" })),
      "no-verdict: none",
    ],
    ["another workflow's job of the same name", commit(failing(RED_LOG, OTHER_WORKFLOW)), "no-verdict: none"],
    [
      "the second of two jobs with one name fails on another test",
      commit(failing(RED_LOG), failing(jest({ passed: 11, failed: ["format › adds"] }), OTHER_WORKFLOW)),
      "other-red: another-test",
      commit(passing(jest({ passed: 11 })), passing(jest({ passed: 11 }), OTHER_WORKFLOW)),
    ],
    [
      "a test whose title has the same end",
      commit(failing(jest({ passed: 11, failed: ["format › keeps an empty value"] }))),
      "other-red: another-test",
    ],
    [
      "a test with the same title in an outer block",
      commit(failing(jest({ passed: 11, failed: ["other › parse › keeps an empty value"] }))),
      "other-red: another-test",
    ],
    [
      "an old test fails beside the new one",
      commit(failing(jest({ passed: 10, failed: [OURS, "parse › reads"] }))),
      "other-red: another-test",
    ],
    ["fewer tests ran than before", commit(failing(jest({ passed: 3, failed: [OURS] }))), "no-verdict: counts"],
    ["more tests ran than were added", commit(failing(jest({ passed: 15, failed: [OURS] }))), "no-verdict: counts"],
    [
      "as many tests as before: one replaced another",
      commit(failing(jest({ passed: 10, failed: [OURS] }))),
      "no-verdict: counts",
    ],
    [
      "a named test is gone",
      commit(failing(goV("--- PASS: TestB (0.00s)", GO_FAIL))),
      "no-verdict: lost",
      commit(passing(goV("--- PASS: TestA (0.00s)"))),
      [GO_TEST],
    ],
    [
      "the failing test existed before, by name",
      commit(failing(goV("--- PASS: TestA (0.00s)", GO_FAIL, "--- PASS: TestC (0.00s)"))),
      "no-verdict: counts",
      commit(passing(goV("--- PASS: TestA (0.00s)", "--- PASS: TestKeeps (0.00s)"))),
      [GO_TEST],
    ],
    [
      "a failing summary without a test's name",
      commit(failing("Tests:       1 failed, 11 passed, 12 total\n")),
      "no-verdict: not-run",
    ],
    [
      "two steps fail",
      commit(
        job("failed", [
          ["failed", RED_LOG],
          ["failed", "boom", "Run build"],
        ]),
      ),
      "no-verdict: unreported",
    ],
    ["no log", commit({ ...failing(RED_LOG), steps: [] }), "no-verdict: unreported"],
    ["a log that cannot be read", commit(job("failed", [], { steps: [] })), "no-verdict: unreported"],
    [
      "the base's log is gone",
      commit(failing(RED_LOG)),
      "no-verdict: unreported-base",
      commit({ ...passing(""), steps: [] }),
    ],
    [
      "the test file does not load",
      commit(
        failing(
          `FAIL ${TEST.path}\n  ● Test suite failed to run\n\n    Cannot find module '../gone.js'\n\nTests:       11 passed, 11 total\n`,
        ),
      ),
      "other-red: import",
    ],
    [
      "a mistake in the test itself",
      commit(
        failing(
          jest({
            passed: 11,
            failed: [OURS],
            says: "ReferenceError: add is not defined\n\n      at Object.<anonymous> (test/parse.test.js:3:1)",
          }),
        ),
      ),
      "other-red: error",
    ],
    [
      "it runs out of time",
      commit(failing(jest({ passed: 11, failed: [OURS], says: "Exceeded timeout of 5000 ms for a test." }))),
      "other-red: time-out",
    ],
    ["nothing fails, and the new test ran", GREEN, "not-red"],
    ["nothing fails, and the new test did not run", BASE, "no-verdict: not-run"],
    [
      "nothing fails, and the new test was skipped",
      commit(passing(jest({ passed: 11, skipped: 1 }))),
      "no-verdict: not-run",
    ],
    ["nothing fails, and no step reports tests", commit(passing("ok\n")), "no-verdict: unreported"],
    [
      "nothing fails, and the test job has not started",
      commit(passing("", LINT)),
      "no-verdict: missing",
      commit(passing(jest({ passed: 11 })), passing("", LINT)),
    ],
    [
      "nothing fails, and only a foreign status ran",
      commit({ ...passing(""), app: "", workflow: "" }),
      "no-verdict: none",
    ],
    ["cancelled", commit(job("neutral", [], { because: "cancelled" })), "no-verdict: cancelled"],
    ["timed out", commit(job("neutral", [], { because: "timed-out" })), "no-verdict: timed-out"],
    [
      "skipped for drafts",
      commit(passing("", LINT), job("neutral", [], { because: "skipped" })),
      "no-verdict: skipped",
      commit(passing("", LINT), passing("")),
    ],
    ["waits for a person", commit(job("pending", [], { because: "waiting" })), "no-verdict: waiting"],
    [
      "may not be started",
      commit(job("pending", [], { because: "not-allowed" }), job("pending", [], { ...LINT, because: "waiting" })),
      "no-verdict: not-allowed",
    ],
    [
      "one job waits, another runs",
      commit(job("pending", [], { because: "waiting" }), job("pending", [], LINT)),
      "no-verdict: running",
    ],
    [
      "all jobs have ended, and the workflow goes on",
      { ...commit(passing("", LINT)), unfinished: true },
      "no-verdict: running",
    ],
    ["no job", commit(), "no-verdict: none"],
  ])("%s", (_what, red, verdict, base = BASE, asked = tests) => {
    expect(brief(onRed(red, base, asked))).toBe(verdict);
  });
});

describe("a green", () => {
  it.each<[string, CommitResults, string, CommitResults?, CommitResults?]>([
    ["the same step, as many tests, none failed", GREEN, "green"],
    [
      "beside a check that the base does not have",
      commit(passing(jest({ passed: 12 })), failing("boom", { name: "new" })),
      "green",
    ],
    ["a test is skipped", commit(passing(jest({ passed: 11, skipped: 1 }))), "no-verdict: not-run"],
    ["echo ok", commit(passing("ok\n")), "no-verdict: unreported"],
    [
      "a foreign status of the same name",
      commit({ ...passing(jest({ passed: 12 })), app: "", workflow: "" }),
      "no-verdict: none",
    ],
    [
      "another app's check of the same name beside a lint that passed",
      commit(passing(jest({ passed: 12 }), { app: "other-ci", workflow: "" }), passing("", LINT)),
      "no-verdict: missing",
      RED,
      commit(passing(jest({ passed: 11 })), passing("", LINT)),
    ],
    [
      "another workflow's job of the same name",
      commit(passing(jest({ passed: 12 }), OTHER_WORKFLOW), passing("", LINT)),
      "no-verdict: missing",
      RED,
      commit(passing(jest({ passed: 11 })), passing("", LINT)),
    ],
    [
      "another step of the same job",
      commit(job("passed", [["passed", jest({ passed: 12 }), "Run other"]])),
      "no-verdict: elsewhere",
    ],
    ["the step is left out", commit(job("passed", [["neutral", ""]])), "no-verdict: elsewhere"],
    ["fewer tests than on red", commit(passing(jest({ passed: 11 }))), "no-verdict: counts"],
    ["more tests than on red", commit(passing(jest({ passed: 13 }))), "no-verdict: counts"],
    ["another runner", commit(passing("  12 passing (3ms)\n")), "no-verdict: counts"],
    ["a summary with a failure in a step that passed", commit(passing(RED_LOG)), "no-verdict: unreported"],
    ["the job still fails on the new test", RED, "right-red"],
    ["another test fails", commit(failing(jest({ passed: 11, failed: ["parse › reads"] }))), "other-red: another-test"],
    ["the job fails without a reason", commit(failing("boom\n")), "other-red: unknown"],
    [
      "a linter fails on the new file",
      commit(passing(jest({ passed: 12 })), failing(`${TEST.path}: error`, LINT)),
      "other-red: unknown",
      RED,
      commit(passing(jest({ passed: 11 })), passing("", LINT)),
    ],
    ["cancelled", commit(job("neutral", [], { because: "cancelled" })), "no-verdict: cancelled"],
    ["the workflow goes on", { ...GREEN, unfinished: true }, "no-verdict: running"],
    ["the red run proves nothing", GREEN, "no-verdict: rerun", commit(failing("boom"))],
  ])("%s", (_what, green, verdict, red = RED, base = BASE) => {
    expect(brief(onGreen(green, red, base))).toBe(verdict);
  });

  it("goes by the job's state alone only when no red was asked for", () => {
    expect(brief(judge({ base: BASE, green: commit(passing("ok\n")) }, { ask: "green", tests }, FILES))).toBe("green");
  });

  it("compares names when every test is named", () => {
    const base = commit(passing(goV("--- PASS: TestA (0.00s)")));
    const red = commit(failing(goV("--- PASS: TestA (0.00s)", GO_FAIL)));
    const with2 = (...lines: readonly string[]) => onGreen(commit(passing(goV(...lines))), red, base, [GO_TEST]);
    expect(brief(with2("--- PASS: TestA (0.00s)", "--- PASS: TestKeeps (0.00s)"))).toBe("green");
    expect(brief(with2("--- PASS: TestA (0.00s)", "--- PASS: TestOther (0.00s)"))).toBe("no-verdict: not-run");
    expect(brief(with2("--- PASS: TestA (0.00s)", "--- SKIP: TestKeeps (0.00s)"))).toBe("no-verdict: not-run");
    expect(brief(with2("--- SKIP: TestA (0.00s)", "--- PASS: TestKeeps (0.00s)"))).toBe("no-verdict: lost");
  });
});

describe("jobs that come and go", () => {
  const at = (node: number, log: string, failed?: true) =>
    (failed ? failing : passing)(log, { name: `test (${node})` });
  const [OLD, NEW] = [jest({ passed: 11 }), jest({ passed: 12 })];
  const base = commit(at(20, OLD), at(22, OLD));
  const skipped = (name: string) => job("neutral", [], { name, because: "skipped" });
  const deploy = passing("done", { name: "deploy" });

  it.each<[string, CommitResults, string, CommitResults?]>([
    ["a matrix that fails in all its jobs", commit(at(20, RED_LOG, true), at(22, RED_LOG, true)), "right-red", base],
    ["a matrix that fails in one job", commit(at(20, RED_LOG, true), at(22, NEW)), "right-red", base],
    ["a matrix that lacks a job", commit(at(20, RED_LOG, true)), "no-verdict: missing", base],
    [
      "a matrix whose second job was cancelled when the first failed",
      commit(at(20, RED_LOG, true), job("neutral", [], { name: "test (22)", because: "cancelled" })),
      "right-red",
      base,
    ],
    ["a job that the change has renamed", commit(failing(RED_LOG, { name: "tests" })), "no-verdict: none"],
    [
      "a second stage that does not start since the first fails",
      commit(failing(RED_LOG), skipped("deploy")),
      "right-red",
      commit(passing(OLD), deploy),
    ],
    [
      "a test that does not run since a first stage fails",
      commit(failing(`${TEST.path}: not formatted`, LINT), skipped("test")),
      "no-verdict: skipped",
      commit(passing("ok", LINT), passing(OLD)),
    ],
    ["a neutral job", commit(job("neutral")), "no-verdict: none"],
  ])("are judged on the test alone: %s", (_what, red, verdict, before = BASE) => {
    expect(brief(onRed(red, before))).toBe(verdict);
  });

  const matrixRed = commit(at(20, RED_LOG, true), at(22, NEW));
  it.each<[string, CommitResults, string, CommitResults, CommitResults?]>([
    ["the whole matrix", commit(at(20, NEW), at(22, NEW)), "green", matrixRed, base],
    ["a matrix that lacks a job that passed before", commit(at(20, NEW)), "no-verdict: missing", matrixRed, base],
    ["a job that the change has renamed", commit(passing(NEW, { name: "tests" })), "no-verdict: none", RED],
    ["a job that was skipped", commit(skipped("test"), passing("ok", LINT)), "no-verdict: skipped", RED],
    ["a neutral job", commit(job("neutral"), passing("ok", LINT)), "no-verdict: none", RED],
    ["a passed job beside a running one", commit(passing(NEW), job("pending", [], LINT)), "no-verdict: running", RED],
    ["a stage that only runs on main", commit(passing(NEW)), "green", RED, commit(passing(OLD), deploy)],
    ["a red that was run again and still runs", GREEN, "no-verdict: running", commit(job("pending"))],
    ["a red that was run again and passed", GREEN, "no-verdict: rerun", GREEN],
    [
      "a red that was run again and cancelled",
      GREEN,
      "no-verdict: rerun",
      commit(job("neutral", [], { because: "cancelled" })),
    ],
  ])("are judged with the fix: %s", (_what, green, verdict, red, before = BASE) => {
    expect(brief(onGreen(green, red, before))).toBe(verdict);
  });

  it("are named with their workflow when they share a name", () => {
    const twin = (log: string) => passing(log, { ...OTHER_WORKFLOW, url: "https://x.example/2" });
    const [before, now] = [
      commit(passing(OLD), twin("ok")),
      commit(failing(RED_LOG, { url: "https://x.example/1" }), twin("ok")),
    ];
    const verdict = onRed(now, before);
    expect(verdict).toMatchObject({ kind: "right-red", tests: [{ check: "test (.github/workflows/ci.yml)" }] });
    expect(verdict.checks.map(({ name, url }) => [name, url])).toEqual([
      ["test (.github/workflows/ci.yml)", "https://x.example/1"],
      ["test (.github/workflows/other.yml)", "https://x.example/2"],
    ]);
  });
});

describe("a machine whose image has changed since the base", () => {
  const [OLD, NEW] = ["ubuntu-24.04 20261101.1", "ubuntu-24.04 20261115.1"];
  const base = commit(passing(jest({ passed: 11 }), { image: OLD }));
  const elsewhere = jest({ passed: 10, failed: ["clock › ticks"] }).replace(TEST.path, "test/clock.test.js");
  const rightRed = commit(failing(RED_LOG, { image: NEW }));

  it.each<[string, RanJob, string, string]>([
    ["another test's file", failing(elsewhere, { image: NEW }), "no-verdict: other-image", "no-verdict: other-image"],
    ["no file", failing("boom", { image: NEW }), "no-verdict: other-image", "no-verdict: other-image"],
    [
      "another test's file, on the same image",
      failing(elsewhere, { image: OLD }),
      "other-red: another-test",
      "other-red: another-test",
    ],
    [
      "another test's file, on an unknown image",
      failing(elsewhere),
      "other-red: another-test",
      "other-red: another-test",
    ],
    [
      "the new test's file",
      failing(jest({ passed: 10, failed: ["clock › ticks"] }), { image: NEW }),
      "other-red: another-test",
      "other-red: another-test",
    ],
    ["the new test", failing(RED_LOG, { image: NEW }), "right-red", "right-red"],
  ])("may explain a failure that names %s", (_what, failed, red, green) => {
    expect(brief(onRed(commit(failed), base))).toBe(red);
    expect(brief(onGreen(commit(failed), rightRed, base))).toBe(green);
  });

  it("does not weaken a green", () => {
    expect(brief(onGreen(commit(passing(jest({ passed: 12 }), { image: NEW })), rightRed, base))).toBe("green");
  });
});

describe("a proof by reports among the artifacts", () => {
  const xml = (...cases: readonly string[]) =>
    `<?xml version="1.0"?><testsuites><testsuite name="parse">${cases.join("")}</testsuite></testsuites>`;
  const ok = (name: string) => `<testcase classname="parse" name="${name}"/>`;
  const bad = `<testcase classname="parse" name="${TEST.name}"><failure message="expected &quot;&quot;, got undefined">AssertionError: expected</failure></testcase>`;
  const withReport = (results: CommitResults, text: string, name = "test-results"): CommitResults => {
    const read = readReport("junit.xml", text) as TestsRun;
    return { ...results, reports: [{ workflow: ".github/workflows/ci.yml", name, tests: read }] };
  };
  const quiet = `  x ${TEST.name}\n1 failed\n`;
  const base = withReport(commit(passing("quiet\n")), xml(ok("reads")));
  const red = withReport(commit(failing(quiet)), xml(ok("reads"), bad));

  it("gives the results that the log lacks", () => {
    expect(onRed(red, base)).toMatchObject({ kind: "right-red", ran: [{ from: "report", before: 1, now: 2 }] });
    const green = withReport(commit(passing("quiet\n")), xml(ok("reads"), ok(TEST.name)));
    expect(brief(onGreen(green, red, base))).toBe("green");
  });

  it.each<[string, CommitResults, string, CommitResults?]>([
    [
      "the failed job's log shows no test failure",
      withReport(commit(failing("mypy: 1 error\n")), xml(ok("reads"), bad)),
      "no-verdict: unreported",
    ],
    ["the base has no report", red, "no-verdict: unreported-base", commit(passing("quiet\n"))],
    [
      "the report has another name",
      withReport(commit(failing(quiet)), xml(ok("reads"), bad), "other"),
      "no-verdict: unreported-base",
    ],
    [
      "an old test fails as well",
      withReport(commit(failing(quiet)), xml(bad.replace(TEST.name, "reads"), bad)),
      "other-red: another-test",
    ],
    ["an old test is gone", withReport(commit(failing(quiet)), xml(bad)), "no-verdict: counts"],
  ])("shows no red when %s", (_what, now, verdict, before = base) => {
    expect(brief(onRed(now, before))).toBe(verdict);
  });

  it.each<[string, string, string]>([
    [
      "it is skipped",
      xml(ok("reads"), `<testcase classname="parse" name="${TEST.name}"><skipped/></testcase>`),
      "no-verdict: not-run",
    ],
    ["it is renamed", xml(ok("reads"), ok("other")), "no-verdict: not-run"],
    ["the report is gone", "", "no-verdict: unreported"],
  ])("shows no green when %s", (_what, text, verdict) => {
    const plain = commit(passing("quiet\n"));
    expect(brief(onGreen(text === "" ? plain : withReport(plain, text), red, base))).toBe(verdict);
  });
});

describe("tests that ran before and do not run now", () => {
  it("are listed by name when every test is named, else counted", () => {
    const named = (...names: readonly string[]) =>
      commit(passing(goV(...names.map((name) => `--- PASS: ${name} (0.00s)`))));
    expect(lostTests(named("TestA", "TestB"), named("TestA", "TestC"))).toEqual([
      { check: "test", before: 2, now: 2, names: ["TestB"] },
    ]);
    expect(lostTests(BASE, commit(passing(jest({ passed: 9 }))))).toEqual([
      { check: "test", before: 11, now: 9, names: [] },
    ]);
    expect(lostTests(BASE, commit(passing(jest({ passed: 10, skipped: 1 }))))).toHaveLength(1);
    expect(lostTests(BASE, GREEN)).toEqual([]);
  });
});

describe("the base", () => {
  const asked = (base: CommitResults) => brief(judge({ base }, { ask: "base", tests: [] }, []));
  it.each<[string, CommitResults, string]>([
    ["green", commit(job("passed")), "green"],
    ["red", commit(failing(jest({ passed: 1, failed: ["a › b"] }))), "other-red: another-test"],
    ["no check", commit(), "no-verdict: none"],
    ["all were cancelled", commit(job("neutral", [], { because: "cancelled" })), "no-verdict: cancelled"],
    ["it still runs", commit(job("pending")), "no-verdict: running"],
  ])("%s", (_what, base, verdict) => {
    expect(asked(base)).toBe(verdict);
  });
});
