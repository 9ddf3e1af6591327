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

const JAVASCRIPT: readonly LogFormat[] = [
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

const PYTHON: readonly LogFormat[] = [
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

const COMPILED: readonly LogFormat[] = [
  {
    name: "go test",
    seen: /^\s*--- FAIL: |^(?:FAIL|ok)\s+\S+\s+(?:\d|\[|\(cached)|^=== (?:RUN|FAIL)|^panic: test timed out/,
    heads: [
      /^\s*--- FAIL: (?<name>\S+)(?: \(\d|$)/,
      /^=== FAIL: \S+ (?<name>\S+) \(\d/,
      /^\s*(?:FAIL|✖)\s+\S*[./](?<name>Test\w\S*) \(\d/,
      /^FAIL: \S+\.go:\d+: (?<name>\S+)$/,
      /^\s*(?:• )?\[FAIL(?:ED)?\] (?<name>[A-Za-z].*)$/,
      { pattern: /^\s+(?<name>Test\S+) \(\d+m?\d*s\)$/, after: /^panic: test timed out/, cause: "time-out", above: 4 },
      { pattern: /^=== (?:RUN|NAME|CONT)\s+(?<name>\S+)$/, tentative: true },
    ],
    ends: /^(?:FAIL|ok|PASS|\?|DONE)(?:\s|$)|^exit status|^\s*--- (?:PASS|SKIP)|^=== (?!FAIL)|^coverage:/,
  },
  {
    name: "cargo test",
    seen: /^test result: |^running \d+ tests?$|^\s*(?:FAIL|PASS|TIMEOUT|SIG\w+|TRY \d+ FAIL) \[[ >\d.]+s\]|^---- \S.* stdout ----$/,
    heads: [
      /^---- (?<name>\S.*?) stdout ----$/,
      /^test (?<name>\S.*?)(?: - should panic)? \.\.\. FAILED/,
      {
        pattern:
          /^\s*(?:FAIL|LEAK-FAIL|ABORT|SIG\w+|TRY \d+ FAIL) \[[ >\d.]+s\](?: \([^)]*\))? (?<holder>\S+) (?<name>\S+)$/,
      },
      {
        pattern: /^\s*(?:TIMEOUT|TRY \d+ TMT) \[[ >\d.]+s\](?: \([^)]*\))? (?<holder>\S+) (?<name>\S+)$/,
        cause: "time-out",
      },
      { pattern: /^-{3,} (?:TRY \d+ )?STD(?:OUT|ERR): +(?<holder>\S+) (?<name>\S+) -{3,}$/, tentative: true },
    ],
    ends: /^failures:$|^test result: |^\s*(?:PASS|Summary|Cancell?ing|SLOW) \[|^─{5,}|^-{8,}$|^error: /,
  },
  {
    ...{ name: "Surefire", seen: /Tests run: \d+, Failures: \d+|<<< (?:FAILURE|ERROR)!/ },
    heads: [
      {
        pattern:
          /^(?:\[ERROR\]|Error:)?\s*(?!Tests run)(?<name>[^\s(]\S*)\((?<holder>[\w.$]+)\)\s+(?:-- )?Time elapsed: .*<<< (?:FAILURE|ERROR)!/,
      },
      {
        pattern:
          /^(?:\[ERROR\]|Error:)?\s*(?!Tests run)(?<name>[\w.$]+\.[\w$]+.*?)\s+(?:-- )?Time elapsed: .*<<< (?:FAILURE|ERROR)!/,
      },
      {
        pattern:
          /^(?:\[ERROR\]|Error:)\s+(?<name>[A-Za-z_][\w$.>]*\.[\w$]+)(?:\([^)]*\))?(?:\[[^\]]*\])?(?::\d+|(?= »)|(?=->))(?<words>.*)$/,
        after: /^(?:\[ERROR\]|Error:)\s+(?:Failures|Errors):\s*$/,
      },
      {
        pattern: /^\s{2,}(?<name>\w+)\((?<holder>[\w.$]+)\)(?:: (?<words>.*))?$/,
        after: /^(?:Failed tests|Tests in error):/,
      },
      /^(?:Failed tests|Tests in error):\s+(?<name>\w+)\((?<holder>[\w.$]+)\)(?:: (?<words>.*))?$/,
    ],
    ends: /^\[(?:INFO|ERROR|WARNING|WARN)\]|^Error: |^Tests run|^Running |^Tests in error/,
  },
  {
    name: "Gradle",
    seen: /^> Task :|^\d+ tests completed, \d+ failed|^FAILURE: Build failed|^[\w.$]+ > \S.* FAILED$/,
    heads: [/^(?<name>[\w.$-]+ > \S.*) FAILED$/, /^\s+(?:Test |✘ )?(?<name>\S.*?\)) FAILED(?: \(\d[^)]*\))?$/],
    ends: /^\S/,
  },
  {
    name: "dotnet test",
    seen: /^\s*\[?Failed\]?!?\s+\S|^\[xUnit\.net |^Test Run Failed|^Total tests: \d|^\s{2,}.* \[FAIL\]$|^failed \S.* \(\d/,
    heads: [
      /^\s*(?:Failed|X)\s+(?<name>[A-Za-z_].*?) \[(?:< )?[\d.,]+ ?\w+(?: [\d.,]+ ?\w+)?\]$/,
      /^(?:\[Failed\] |Failed {3})(?<name>[A-Za-z_]\S*.*)$/,
      /^(?:\[xUnit\.net [\d:.]+\])?\s{2,}(?<name>[A-Za-z_].*) \[FAIL\]$/,
      /^failed (?<name>[A-Za-z_].*?) \((?:\d+m )?\d[\d.,]*m?s[^)]*\)$/,
      /^\d+\) (?:Failed|Error|Invalid) : (?<name>\S.*)$/,
    ],
    ends: /^\s*(?:Passed|Skipped|Failed|X|\[xUnit\.net)!?\s|^Test Run|^Total tests|^\s*Standard Output Messages:|^(?:passed|skipped) /,
    from: /^(?!\s*Error Message:)\s*\S/,
  },
];

const OTHERS: readonly LogFormat[] = [
  {
    ...{ name: "RSpec", seen: /^\d+ examples?, \d+ failures?|^Failed examples:$|^An error occurred while loading / },
    heads: [
      { pattern: /^An error occurred while loading (?<path>\S+?)\.?$/, suite: true },
      { pattern: /^\s{1,4}\d+\) (?<name>\S.*)$/, after: /^Failures:$/ },
      /^rspec '?(?:\.\/)?(?<path>[^\s:'[]+)\S* # (?<name>\S.*)$/,
    ],
    ends: /^Finished in |^Failed examples:$|^\d+ examples?, |^rspec /,
  },
  {
    ...{ name: "Minitest", seen: /^\d+ (?:runs|tests), \d+ assertions, / },
    heads: [
      /^(?<name>[A-Z][\w:]*#\S.*?)(?: \[(?<path>[^\]:]+):\d+\])?:$/,
      /^(?:Failure|Error): (?<name>\S+)\((?<holder>[\w:]+)\)/,
    ],
    ends: /^\s+\d+\) (?:Failure|Error)|^(?:bin\/)?rails test |^\d+ (?:runs|tests), |^(?:Failure|Error):$/,
  },
  {
    ...{ name: "PHPUnit", seen: /^PHPUnit \d|^There (?:was|were) \d+ (?:failure|error)|^Tests: +\d+/ },
    heads: [
      {
        pattern: /^\d+\) (?<name>[\w\\]+::\S.*)$/,
        ...{ after: /^There (?:was|were) \d+ (?:failure|error)/, until: /^There (?:was|were) \d+ (?!failure|error)/ },
      },
      /^\s*FAILED\s+(?<name>[\w\\]+ > \S.*?)(?:\s{2,}\S+)?$/,
      /^\s+[✘⨯] (?<name>\S.*?)(?:\s+\d[\d.]*s)?$/,
    ],
    ends: /^--$|^(?:FAILURES|ERRORS)!|^There (?:was|were) |^Tests: |^\s+[✔✓] /,
  },
];

export const LOG_FORMATS: readonly LogFormat[] = [...JAVASCRIPT, ...PYTHON, ...COMPILED, ...OTHERS];
