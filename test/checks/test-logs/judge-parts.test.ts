import { describe, expect, it } from "@jest/globals";
import { judge } from "../../../src/checks/test-logs/judge.ts";
import { readStep } from "../../../src/checks/test-logs/read-test-log.ts";
import { type CommitResults, NO_RESULTS, type RanStep } from "../../../src/data/test-results.ts";
import type { NewTest } from "../../../src/data/verdict.ts";

const commit = (state: RanStep["state"], log: string): CommitResults => ({
  ...NO_RESULTS,
  jobs: [
    {
      app: "github-actions",
      workflow: ".github/workflows/ci.yml",
      name: "test",
      state: state === "failed" ? "failed" : "passed",
      summary: "",
      steps: [readStep("Run tests", state, log)],
    },
  ],
});

interface Scene {
  base: string;
  red: string;
  green: string;
  test: NewTest;
}

function verdictsOf({ base, red, green, test }: Scene): readonly [red: string, green: string] {
  const ran = { base: commit("passed", base), red: commit("failed", red), green: commit("passed", green) };
  const asked = (ask: "red" | "green") => judge(ran, { ask, tests: [test] }, [test.path]);
  const [onRed, onGreen] = [asked("red"), asked("green")];
  const brief = (verdict: typeof onRed) => ("reason" in verdict ? verdict.reason : verdict.kind);
  return [brief(onRed), brief(onGreen)];
}

const lines = (...parts: readonly string[]) => `${parts.join("\n")}\n`;

/** The log of a program that cargo runs. */
const cargo = (passed: number, failing?: string) =>
  lines(
    `running ${passed + (failing === undefined ? 0 : 1)} tests`,
    failing === undefined
      ? ""
      : `test ${failing} ... FAILED\n\n---- ${failing} stdout ----\nassertion failed: left == right`,
    `test result: ${failing === undefined ? "ok" : "FAILED"}. ${passed} passed; ${failing === undefined ? 0 : 1} failed; 0 ignored`,
  );
const KEEPS: NewTest = { path: "core/tests/parse.rs", within: [], name: "keeps_empty" };

/** The log of a module that Maven tests. */
const maven = (run: number, failing?: string, skipped = 0) => {
  const sum = `Tests run: ${run}, Failures: ${failing === undefined ? 0 : 1}, Errors: 0, Skipped: ${skipped}`;
  return failing === undefined
    ? lines(`[INFO] ${sum}`)
    : lines(
        `[ERROR] ${failing}  Time elapsed: 0.01 s  <<< FAILURE!`,
        "java.lang.AssertionError: expected:<1> but was:<2>",
        "[ERROR] Failures:",
        `[ERROR] ${sum}`,
      );
};
const PARSE: NewTest = {
  path: "core/src/test/java/com/acme/ParseTest.java",
  within: ["ParseTest"],
  name: "keepsEmpty",
};
const FAILS = "com.acme.ParseTest.keepsEmpty";

describe("a runner that stops at the failing part", () => {
  const base = maven(7) + maven(11) + maven(5);
  const red = maven(7) + maven(12, FAILS);
  const green = maven(7) + maven(12) + maven(5);
  const scene: Scene = { base, red, green, test: PARSE };

  it.each<[string, Partial<Scene>, readonly [red: string, green?: string]]>([
    ["it leaves out a later module", {}, ["right-red", "green"]],
    [
      "the first module fails",
      { base: maven(11) + maven(5), red: maven(12, FAILS), green: maven(12) + maven(5) },
      ["right-red", "green"],
    ],
    [
      "the fix runs a later module with the new test as well",
      { green: maven(7) + maven(12) + maven(6) },
      ["right-red", "green"],
    ],
    [
      "another runner follows",
      { base: `${base}Tests:       9 passed, 9 total\n`, green: `${green}Tests:       9 passed, 9 total\n` },
      ["right-red", "green"],
    ],
    ["it ran fewer tests before", { red: maven(6) + maven(12, FAILS) }, ["counts"]],
    ["it ran more tests than are new", { red: maven(7) + maven(13, FAILS) }, ["counts"]],
    ["an old test of the module fails", { red: maven(7) + maven(11, FAILS) }, ["counts"]],
    ["the fix leaves out a later module", { green: maven(7) + maven(12) }, ["right-red", "lost"]],
    ["the fix runs fewer tests in a later module", { green: maven(7) + maven(12) + maven(4) }, ["right-red", "counts"]],
    ["the fix skips the new test", { green: maven(7) + maven(12, undefined, 1) + maven(5) }, ["right-red", "not-run"]],
    [
      "the fix skips a test of a later module",
      { green: maven(7) + maven(12) + maven(5, undefined, 1) },
      ["right-red", "not-run"],
    ],
  ])("%s", (_what, changed, expected) => {
    expect(verdictsOf({ ...scene, ...changed }).slice(0, expected.length)).toEqual(expected);
  });
});

describe("an old test of the same name", () => {
  const go = (...results: readonly string[]) => lines("=== RUN   TestX", ...results, "ok  \tacme\t0.01s");
  const unittest = (run: number, failing?: string) =>
    failing === undefined
      ? lines(`Ran ${run} tests in 0.1s`, "", "OK")
      : lines(
          "=".repeat(70),
          `FAIL: ${failing}`,
          "-".repeat(70),
          "AssertionError: 1 != 2",
          "",
          `Ran ${run} tests in 0.1s`,
          "",
          "FAILED (failures=1)",
        );
  const GO: NewTest = { path: "a/parse_test.go", within: [], name: "TestKeeps" };
  const PY: NewTest = { path: "tests/test_parse.py", within: ["ParseTest"], name: "test_keeps" };
  const goFails = "--- FAIL: TestKeeps (0.00s)\n    old_test.go:9: got 1, want 2";

  it.each<[string, Scene, string]>([
    [
      "in another program of cargo",
      { base: cargo(4) + cargo(9), red: cargo(3, "keeps_empty") + cargo(10), green: cargo(4) + cargo(10), test: KEEPS },
      "counts",
    ],
    [
      "in another package of Go",
      {
        base: go("--- PASS: TestKeeps (0.00s)"),
        red: go("--- PASS: TestKeeps (0.00s)", goFails),
        green: go("--- PASS: TestKeeps (0.00s)", "--- PASS: TestKeeps (0.00s)"),
        test: GO,
      },
      "counts",
    ],
    [
      "in a class of the same name in another package",
      { base: maven(11), red: maven(12, "com.other.ParseTest.keepsEmpty"), green: maven(12), test: PARSE },
      "another-test",
    ],
    [
      "in a class of the same name in another module of Python",
      {
        base: unittest(11),
        red: unittest(12, "test_keeps (old.test_parse_more.ParseTest)"),
        green: unittest(12),
        test: PY,
      },
      "another-test",
    ],
  ])("%s proves nothing", (_where, scene, reason) => {
    expect(verdictsOf(scene)[0]).toBe(reason);
  });

  it.each<[string, Scene]>([
    [
      "cargo",
      { base: cargo(4) + cargo(9), red: cargo(4) + cargo(9, "keeps_empty"), green: cargo(4) + cargo(10), test: KEEPS },
    ],
    [
      "Go",
      {
        base: go("--- PASS: TestA (0.00s)"),
        red: go("--- PASS: TestA (0.00s)", goFails),
        green: go("--- PASS: TestA (0.00s)", "--- PASS: TestKeeps (0.00s)"),
        test: GO,
      },
    ],
    [
      "Python",
      {
        base: unittest(11),
        red: unittest(12, "test_keeps (tests.test_parse.ParseTest)"),
        green: unittest(12),
        test: PY,
      },
    ],
    [
      "packages that swap places",
      { base: cargo(4) + cargo(9), red: cargo(9, "keeps_empty") + cargo(4), green: cargo(10) + cargo(4), test: KEEPS },
    ],
  ])("is ruled out when only the new one has the name: %s", (_where, scene) => {
    expect(verdictsOf(scene)).toEqual(["right-red", "green"]);
  });
});

describe("a piece of a summary that a program prints", () => {
  const mocha =
    "  1 failing\n\n  1) parse\n       keeps empty:\n     AssertionError: 1 == 2\n      at test/parse.js:3:1\n\n";
  const test: NewTest = { path: "test/parse.js", within: ["parse"], name: "keeps empty" };
  const unittest = `${"=".repeat(70)}\nFAIL: test_keeps (test_parse.ParseTest)\n${"-".repeat(70)}\nAssertionError: 1 != 2\n\n`;
  const PY: NewTest = { path: "test_parse.py", within: ["ParseTest"], name: "test_keeps" };

  it.each<[string, Scene]>([
    [
      "before Mocha's own, while the new test does not run",
      {
        base: "  11 passing (3ms)\n",
        red: `${mocha}  11 passing (3ms)\nlint: 1 problem\n`,
        green: "  12 passing (3ms)\n",
        test,
      },
    ],
    [
      "before unittest's own, while the new test passes",
      {
        base: "Ran 11 tests in 0.1s\n\nOK\n",
        red: `${unittest}FAILED (failures=1)\nRan 12 tests in 0.1s\n\nOK\ncoverage is too low\n`,
        green: "Ran 12 tests in 0.1s\n\nOK\n",
        test: PY,
      },
    ],
  ])("%s proves nothing", (_where, scene) => {
    expect(verdictsOf(scene)[0]).not.toBe("right-red");
  });
});

it("counts tests once when Surefire runs TestNG", () => {
  const run = (tests: number, failing?: string) =>
    `Total tests run: ${tests}, Failures: ${failing ? 1 : 0}, Skips: 0\n${maven(tests, failing)}`;
  expect(verdictsOf({ base: run(11), red: run(12, FAILS), green: run(12), test: PARSE })).toEqual([
    "right-red",
    "green",
  ]);
});
