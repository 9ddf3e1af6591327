import type { TestEnd } from "../../model/test-results.ts";
import { inRow } from "../patterns.ts";

/**
 * How a runner sums up: lines with numbers, each beside a word of `COUNTED`, or in groups called `passed`, `failed`,
 * `skipped`, `total`. A line that repeats a count begins another summary. All summaries are added up; with `last` only
 * the last one counts. The lines of a summary stand close together. With `begins`, its first line fits the first
 * pattern: lines without that one were printed by something else.
 */
export interface Summary {
  readonly format: string;
  readonly lines: readonly RegExp[];
  /** "6 passed", or "Passed: 6" */
  readonly order: "number first" | "word first";
  readonly last?: true;
  readonly begins?: true;
  /** other lines may stand between those of a summary */
  readonly apart?: true;
  /** it counts assertions */
  readonly assertions?: true;
  /** a runner that may have run this one, and then counts the same tests again */
  readonly within?: string;
  /**
   * it counts another runner's tests, or programs that hold tests: ignored where that runner sums up itself
   */
  readonly programs?: true;
}

/** Runners' words for how tests end. */
export const COUNTED: Readonly<Record<TestEnd | "total", string>> = {
  passed: "pass passed passes passing ok successful succeeded completed xpassed flaky",
  failed: "fail failed fails failing failure failures error errors errored cancelled interrupted",
  skipped: "skip skipped skips pending ignored disabled todo xfailed inconclusive canceled incomplete",
  total: "total test tests run runs example examples spec specs doctest doctests property properties",
};

const wordFirst = (format: string, ...lines: readonly RegExp[]): Summary => ({ format, lines, order: "word first" });

const numberFirst = (format: string, ...lines: readonly RegExp[]): Summary => ({
  format,
  lines,
  order: "number first",
});

/** A line belongs to the first of these that matches it. */
export const SUMMARIES: readonly Summary[] = [
  numberFirst("Jest", /^Tests: +(?:\d+ [a-z]+, )*\d+ total$/),
  numberFirst("Vitest", /^\s*Tests {2}\d+ [a-z].*\(\d+\)$/),
  { ...numberFirst("Mocha", /^\s+\d+ passing\b/, /^\s+\d+ (?:failing|pending)\b/), begins: true },
  { ...wordFirst("node:test", /^ℹ tests \d+$/, /^ℹ (?:pass|fail|cancelled|skipped|todo) \d+$/), begins: true },
  { ...wordFirst("TAP", /^# tests +\d+$/, /^# (?:pass|fail|ok|cancelled|skipped|todo) +\d+$/), begins: true },
  numberFirst(
    "AVA",
    /^\s+(?<passed>\d+) tests? passed$/,
    /^\s+(?<failed>\d+) (?:tests?|uncaught exceptions?) failed$/,
    /^\s+(?<skipped>\d+) tests? (?:skipped|todo)$/,
  ),
  numberFirst("Deno", /^(?:ok|FAILED) \| \d+ passed/),
  { ...numberFirst("Bun", /^\s*\d+ pass$/, /^\s*\d+ (?:fail|skip|todo)$/), begins: true },
  numberFirst("Jasmine", /^\d+ specs?, \d+ failures?/),
  {
    ...numberFirst(
      "Karma",
      /^✔ (?<passed>\d+) tests? completed$/,
      /^✖ (?<failed>\d+) tests? failed$/,
      /^ℹ (?<skipped>\d+) tests? skipped$/,
    ),
    begins: true,
  },
  numberFirst("Playwright", /^ {2}\d+ (?:failed|flaky|skipped|passed|interrupted)(?: \(.*\))?$/),
  numberFirst("pytest", /^=* ?\d+ (?:passed|failed|errors?|skipped|xfailed|xpassed|deselected)\b.* in \d/),
  { ...numberFirst("unittest", /^Ran (?<total>\d+) tests? in /), begins: true },
  wordFirst("unittest", /^(?:OK|FAILED) \((?:[A-Za-z ]+=\d+(?:, )?)+\)$/),
  numberFirst("RSpec", /^\d+ examples?, \d+ failures?/),
  numberFirst("Minitest", /^\d+ (?:runs|tests), \d+ assertions, \d+ failures, /),
  numberFirst("PHPUnit", /^OK \((?<total>\d+) tests?, \d+ assertions?\)$/),
  wordFirst("PHPUnit", /^Tests: +\d+, Assertions: +\d/),
  wordFirst(
    "Surefire",
    inRow(
      /^(?:\[(?:INFO|ERROR|WARNING)\] |Error: +|Warning: +)?/,
      /Tests run: \d+, Failures: \d+(?:, Errors: \d+)?(?:, Skipped: \d+)?(?:, Flakes: \d+)?$/,
    ),
  ),
  { ...wordFirst("TestNG", /^Total tests run: \d+, /), within: "Surefire" },
  numberFirst(
    "JUnit Platform",
    /^\[ +(?<total>\d+) tests found +\]$/,
    /^\[ +(?<passed>\d+) tests successful +\]$/,
    /^\[ +(?<failed>\d+) tests failed +\]$/,
    /^\[ +(?<skipped>\d+) tests skipped +\]$/,
  ),
  wordFirst("dotnet test", /^(?:Passed|Failed|Skipped)! +- Failed: +\d/, /^\s*(?:Test summary: )?total: \d+, failed: /),
  wordFirst(
    "dotnet test",
    /^Total tests: \d+$/,
    /^\s+(?:Passed|Failed|Skipped): \d+$/,
    /^\s+(?:total|failed|succeeded|skipped): \d+$/,
  ),
  numberFirst("gotestsum", /^DONE \d+ tests?(?:, \d+ (?:skipped|failures?|errors?))*.* in \d/),
  numberFirst(
    "cargo nextest",
    inRow(
      /^\s*Summary \[[^\]]*\] +(?<total>\d+)(?:\/\d+)? tests? run: /,
      /(?:(?<passed>\d+) passed)?(?: \([^)]*\))?(?:, (?<failed>\d+) failed)?/,
    ),
  ),
  numberFirst("cargo test", /^test result: \w+\. \d+ passed; /),
  numberFirst(
    "GoogleTest",
    /^\[={10}\] (?<total>\d+) tests? from .* ran\./,
    /^\[ {2}PASSED {2}\] (?<passed>\d+) tests?\.$/,
    /^\[ {2}SKIPPED \] (?<skipped>\d+) tests?, listed/,
    /^\[ {2}FAILED {2}\] (?<failed>\d+) tests?, listed/,
  ),
  {
    ...numberFirst("CTest", /^\d+% tests passed, (?<failed>\d+) tests? failed out of (?<total>\d+)/),
    programs: true,
  },
  numberFirst("Catch2", /^All tests passed \(\d+ assertions? in (?<passed>\d+) test cases?\)$/),
  numberFirst("Catch2", /^test cases: +\d+ \| /),
  numberFirst("doctest", /^\[doctest\] test cases: +\d+ \| /),
  {
    ...numberFirst(
      "Boost.Test",
      /^Running (?<total>\d+) test cases?\.{3}$/,
      /^\*{3} (?<failed>\d+) failures? (?:is|are) detected/,
    ),
    begins: true,
    apart: true,
  },
  numberFirst("Unity", /^\d+ Tests \d+ Failures \d+ Ignored/),
  {
    ...numberFirst(
      "XCTest",
      /^\s*Executed (?<total>\d+) tests?, with (?:\d+ tests? skipped and )?(?<failed>\d+) failures? /,
    ),
    last: true,
  },
  numberFirst(
    "Swift Testing",
    /^\S{0,2} ?Test run with (?<total>\d+) tests? .*(?:passed|failed) after .*?(?: with (?<failed>\d+) issues?\.)?$/,
  ),
  wordFirst("ScalaTest", /^Tests: succeeded \d+, failed \d+/),
  { ...wordFirst("sbt", /^(?:Passed|Failed|Error): Total \d+, /), programs: true },
  numberFirst("tests, failures", /^(?:\d+ (?:doctests?|propert(?:y|ies)), )*\d+ tests?, \d+ failures?/),
  numberFirst(
    "Dart",
    /^\d\d:\d\d \+(?<passed>\d+)(?: ~(?<skipped>\d+))?(?: -(?<failed>\d+))?: (?:All tests passed|Some tests failed)/,
    /^(?:\S{1,2}|Error:) (?<passed>\d+) tests? passed(?:, (?<failed>\d+) failed)?(?:, (?<skipped>\d+) skipped)?\.$/,
  ),
  wordFirst("Pester", /^Tests Passed: \d+, Failed: \d+/),
  {
    ...numberFirst(
      "clojure.test",
      /^Ran (?<total>\d+) tests containing \d+ assertions\.$/,
      /^\d+ failures, \d+ errors\.$/,
    ),
    begins: true,
  },
  { ...wordFirst("testthat", /^\[ FAIL \d+ \| WARN \d+ \| SKIP \d+ \| PASS \d+ \]$/), assertions: true },
];

/** A line that a runner prints for every test, with its name. */
export interface NamingLine {
  readonly format: string;
  /** groups: `name`, and `end`, the word for the outcome */
  readonly line: RegExp;
}

export const NAMING_LINES: readonly NamingLine[] = [
  { format: "TAP", line: /^(?<end>ok|not ok) \d+ (?:- )?(?<name>\S.*)$/ },
  { format: "go test", line: /^\s*--- (?<end>PASS|FAIL|SKIP): (?<name>\S+)(?: \(\d|$)/ },
  { format: "cargo test", line: /^test (?<name>\S.*?)(?: - should panic)? \.\.\. (?<end>ok|FAILED|ignored)\b/ },
  { format: "pytest", line: /^(?<name>\S+\.py::\S.*?) (?<end>PASSED|FAILED|SKIPPED|XFAIL|XPASS|ERROR)\b/ },
  { format: "unittest", line: /^(?<name>\w+ \([\w.]+\)) \.\.\. (?<end>ok|FAIL|ERROR|skipped)\b/ },
  { format: "GoogleTest", line: /^\[ {7}(?<end>OK) \] (?<name>\S+) \(\d/ },
  { format: "GoogleTest", line: /^\[ {2}(?<end>FAILED|SKIPPED) ? \] (?<name>\S+) \(\d/ },
  { format: "Gradle", line: /^(?<name>\S.* > \S.*) (?<end>PASSED|FAILED|SKIPPED)$/ },
];
