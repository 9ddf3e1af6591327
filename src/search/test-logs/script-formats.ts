import type { FailureCause } from "../../model/verdict.ts";

/**
 * A line that begins to tell of a failed test, or with `suite` of a whole file that did not come to its tests. Groups: `name`, `holder` (what it
 * stands in), `path`, `words`; with `above` the words stand in so many lines above it.
 */
export interface Head {
  readonly pattern: RegExp;
  /** counts only below such a line, down to one of the second kind */
  readonly after?: RegExp;
  readonly until?: RegExp;
  /** the name goes on in indented lines until one ends with a colon */
  readonly goesOn?: true;
  readonly suite?: true;
  /** passed tests begin so too: it counts when another head names the same test */
  readonly tentative?: true;
  readonly cause?: FailureCause;
  readonly above?: number;
}

/** How a runner tells of failed tests, down to a line that `ends` it. Every pattern is anchored, and takes time in proportion to its line. */
export interface LogFormat {
  readonly name: string;
  /** a line that only this runner writes */
  readonly seen: RegExp;
  readonly heads: readonly (Head | RegExp)[];
  readonly ends: RegExp;
  /** names the file that the next heads are about (`path`) */
  readonly file?: RegExp;
  /** the lines that tell the failure, where there are such: those alone, or from the first of them on */
  readonly tells?: RegExp;
  readonly from?: RegExp;
}

export const JAVASCRIPT: readonly LogFormat[] = [
  {
    ...{ name: "Jest", seen: /^(?:Tests|Test Suites): +\d|^\s*● .* › |^\s*● Test suite failed to run$/ },
    file: /^\s*(?:FAIL|PASS)\s+(?:[^/\s]+\s+)?(?<path>\S+\.\w+)(?: \([^)]*\))?$/,
    heads: [
      { pattern: /^\s*● Test suite failed to run$/, suite: true },
      /^\s*● (?!Console$|Cannot log after|process\.exit|Deprecation|Validation)(?<name>\S.*)$/,
      /^\s+✕ (?<name>\S.*?)(?: \(\d[\d.]* m?s\))?$/,
    ],
    ends: /^\s*(?:PASS|FAIL)\s|^(?:Tests|Test Suites|Snapshots|Time): |^Summary of all failing tests|^\s+[✓✔○] /,
  },
  {
    ...{ name: "Vitest", seen: /^\s*Test Files\s+\d|^\s*RUN\s+v\d|^⎯+ ?(?:Failed|Unhandled)|^\s*FAIL\s.*\.\w+ > / },
    heads: [
      { pattern: /^\s*FAIL\s+(?:\|[^|]*\|\s+)?(?:\S+\s+)?(?<path>\S+\.\w+) \[ \S+ \]$/, suite: true },
      /^\s*FAIL\s+(?:\|[^|]*\|\s+)?(?:[^/\s.]+\s+)?(?<path>[^\s>]+\.\w+) > (?<name>\S.*)$/,
      /^\s+[×✗] (?<path>[^\s>]+\.\w+) > (?<name>\S.*?)(?: \d[\d.]*\s?m?s)?$/,
      /^\s+[×✗] (?<name>\S.*?)(?: \d[\d.]*\s?m?s)?$/,
    ],
    ends: /^⎯{3,}|^\s*(?:Test Files|Tests|Start at|Duration|FAIL)\s|^\s+[✓×↓] /,
  },
  {
    ...{ name: "Mocha", seen: /^\s+\d+ (?:passing|failing)\b/ },
    heads: [{ pattern: /^\s{1,4}\d+\) (?<name>\S.*)$/, after: /^\s+\d+ failing/, goesOn: true }],
    ends: /^\s{1,4}\d+\) |^npm (?:ERR|error)|^error Command failed/,
  },
  {
    ...{ name: "node:test", seen: /^ℹ (?:tests|pass|fail) \d|^✖ failing tests:$/ },
    file: /^test at (?<path>\S+?):\d+:\d+$/,
    heads: [
      { pattern: /^\s*✖ (?<path>(?:\/|\.\/|\w+\/|[A-Z]:)?\S*\.[cm]?[jt]sx?) \(\d[\d.]*ms\)$/, suite: true },
      /^\s*✖ (?<name>\S.*?) \(\d[\d.]*ms\)$/,
    ],
    ends: /^ℹ |^✖ failing tests:$|^test at |^\s*[✔▶﹣] /,
  },
  {
    ...{ name: "TAP", seen: /^TAP version 1[34]$|^\s*# Subtest: |^# (?:tests|fail) +\d/ },
    heads: [
      { pattern: /^\s*not ok \d+ (?:- )?(?<path>\S+\.[cm]?[jt]sx?)$/, suite: true },
      /^\s*not ok \d+ (?:- )?(?!.*# (?:TODO|SKIP))(?<name>\S.*)$/,
    ],
    ...{
      ends: /^\s*(?:not )?ok \d|^\s*# |^\s*\.\.\.$|^\s*1\.\.\d/,
      from: /^\s*(?:error|message): |failureType: '[sth]/,
    },
  },
  {
    ...{ name: "Bun", seen: /^bun test v|^\s*\d+ (?:pass|fail)$/ },
    heads: [{ pattern: /^(?:\(fail\)|✗) (?<name>\S.*?)(?: \[\d[\d.]*m?s\])?$/, above: 12 }],
    ends: /^(?:\(pass\)|\(fail\)|✓|✗)|^\s*\d+ (?:pass|fail)$/,
  },
  {
    ...{ name: "Jasmine", seen: /^\d+ specs?, \d+ failures?|^.{0,80}: Executed \d+ of \d+/ },
    heads: [
      { pattern: /^\d+\) (?<name>\S.*)$/, after: /^Failures:$/ },
      /^[\w ]{1,40} \d[\d.]* \([^)]*\) (?<name>\S.*) FAILED$/,
    ],
    ends: /^\d+ specs?,|: Executed \d+ of/,
  },
  {
    ...{ name: "Playwright", seen: /^Running \d+ tests? using \d+ workers?/ },
    heads: [/^\s+\d+\) (?:\[[^\]]*\] › )?(?<path>[^\s:]+):\d+:\d+ › (?<name>\S.*?)(?: ─+)?$/],
    ends: /^\s+\d+ (?:failed|passed|flaky)$/,
  },
];

export const PYTHON: readonly LogFormat[] = [
  {
    name: "pytest",
    seen: /^={3,} (?:test session starts|short test summary|FAILURES|ERRORS|\d+ (?:failed|passed|error))|^\d+ (?:failed|passed)\b.* in \d|^(?:FAILED|ERROR) \S+\.py|^_{3,} ERROR collecting /,
    heads: [
      { pattern: /^_+ ERROR collecting (?<path>\S+) _+$/, suite: true },
      { pattern: /^_+ ERROR at (?:setup|teardown) of (?<name>\S.*?) _+$/, cause: "set-up" },
      {
        pattern: /^_{2,} (?<name>(?:\[doctest\] )?[\w.]+(?: ?\[.*\])?(?: \(.*\))?) _{2,}$/,
        ...{ after: /^=+ (?:FAILURES|ERRORS) =+$/, until: /^=+ (?:PASSES|.*summary.*|.*coverage.*) =+$/ },
      },
      {
        pattern:
          /^(?:\[gw\d+\] \[ *\d+%\] )?(?:FAILED|SUBFAIL\S*) (?<path>[^\s:]+)::(?<name>\S.*?)(?: - (?<words>.*))?$/,
      },
      {
        pattern: /^(?:\[gw\d+\] \[ *\d+%\] )?ERROR (?<path>[^\s:]+)::(?<name>\S.*?)(?: - (?<words>.*))?$/,
        cause: "set-up",
      },
      { pattern: /^ERROR (?<path>\S+\.py)(?: - (?<words>.*))?$/, suite: true },
      /^(?<path>[^\s:]+\.py)::(?<name>\S.*?) FAILED\s*(?:\[ *\d+%\])?$/,
    ],
    ends: /^={3,} |^_{3,} |^-{3,} ?Captured|^FAILED |^ERROR |^!{3,} |^\S+\.py[ :]{1,2}.* (?:PASSED|SKIPPED|XFAIL)|^\d+ (?:failed|passed)/,
    tells: /^E(?:\s|$)/,
    from: /^[\w.]*(?:Error|Exception|Failed|Exit)\b/,
  },
  {
    name: "unittest",
    seen: /^(?:FAIL|ERROR): \S+ \(|^Ran \d+ tests? in |^FAILED \((?:failures|errors|unexpected)/,
    heads: [
      { pattern: /^ERROR: (?:setUp|tearDown)(?:Class|Module) \((?<name>[^)]*)\)/, cause: "set-up" },
      { pattern: /^ERROR: (?<path>\S+) \(unittest\.loader\._FailedTest[^)]*\)$/, suite: true },
      /^(?:FAIL|ERROR): (?<name>\S+) \((?<holder>[^)]*)\)/,
      /^(?<name>\w+) \((?<holder>[\w.]+)\) \.\.\. (?:FAIL|ERROR)$/,
    ],
    ends: /^={20,}$|^Ran \d+ tests? in |^\w+ \([\w.]+\) \.\.\. /,
    from: /^(?!Traceback|-)\S/,
  },
];
