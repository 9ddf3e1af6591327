import type { FailureCause } from "../../model/verdict.ts";
import { anyOf } from "../patterns.ts";

/**
 * A line that begins a failed test's report, or with `suite` that of a whole file whose tests never ran. Groups:
 * `name`, `holder` (what it stands in), `path`, `words`; with `above` the words stand in so many lines above it.
 */
export interface Head {
  readonly pattern: RegExp;
  /** counts only below such a line, down to one of the second kind */
  readonly after?: RegExp;
  readonly until?: RegExp;
  /** counts only right below such a line, empty ones aside */
  readonly below?: RegExp;
  /** the name goes on in indented lines until one ends with a colon */
  readonly goesOn?: true;
  readonly suite?: true;
  /** passed tests begin so too: it counts when another head names the same test */
  readonly tentative?: true;
  /** it failed before, and has passed when it was tried again */
  readonly passed?: true;
  readonly cause?: FailureCause;
  readonly above?: number;
}

/**
 * How a runner reports failed tests, down to a line that `ends` it. Every pattern is anchored, and takes time in
 * proportion to its line.
 */
export interface LogFormat {
  readonly name: string;
  /** a line that only this runner writes */
  readonly seen: RegExp;
  readonly heads: readonly (Head | RegExp)[];
  readonly ends: RegExp;
  /** names the file that the next heads are about (`path`) */
  readonly file?: RegExp;
  /** names the test of the next heads (`name`, `holder`) where they do not */
  readonly title?: Pick<Head, "pattern" | "below">;
  /** what fails is an assertion, in the test that the last title names, unless it has a title of its own */
  readonly asserts?: true;
  /** it names programs that hold tests: they count only when no other format names a failure */
  readonly programs?: true;
  /** another format, which would take this one for its own */
  readonly instead?: string;
  /** the lines that tell the failure, where there are such: those alone, or from the first of them on */
  readonly tells?: RegExp;
  readonly from?: RegExp;
}

const FLAKY = { after: /^\s+\d+ flaky$/, until: /^\s+\d+ (?!flaky)\w+/ };

export const JAVASCRIPT: readonly LogFormat[] = [
  {
    name: "Jest",
    seen: /^(?:Tests|Test Suites): +\d+ [a-z]|^\s*● .* › |^\s*● Test suite failed to run$/,
    file: /^\s*(?:FAIL|PASS)\s+(?:[^/\s]+\s+)?(?<path>\S+\.\w+)(?: \([^)]*\))?$/,
    heads: [
      { pattern: /^\s*● Test suite failed to run$/, suite: true },
      /^\s*● (?!Console$|Cannot log after|process\.exit|Deprecation|Validation)(?<name>\S.*)$/,
      /^\s+✕ (?<name>\S.*?)(?: \(\d[\d.]* ?m?s\))?$/,
    ],
    ends: /^\s*(?:PASS|FAIL)\s|^(?:Tests|Test Suites|Snapshots|Time): |^Summary of all failing tests|^\s+[✓✔○] /,
  },
  {
    name: "Vitest",
    seen: /^\s*Test Files\s+\d|^\s*RUN\s+v\d|^⎯+ ?(?:Failed|Unhandled)|^\s*FAIL\s.*\.\w+ > /,
    heads: [
      { pattern: /^\s*FAIL\s+(?:\|[^|]*\|\s+)?(?:\S+\s+)?(?<path>\S+\.\w+) \[ \S+ \]$/, suite: true },
      /^\s*FAIL\s+(?:\|[^|]*\|\s+)?(?:[^/\s.]+\s+)?(?<path>[^\s>]+\.\w+) > (?<name>\S.*)$/,
      /^\s+[×✗] (?<path>[^\s>]+\.\w+) > (?<name>\S.*?)(?: \d[\d.]*\s?m?s)?$/,
      /^\s+[×✗] (?<name>\S.*?)(?: \d[\d.]*\s?m?s)?$/,
    ],
    ends: /^⎯{3,}|^\s*(?:Test Files|Tests|Start at|Duration|FAIL)\s|^\s+[✓×↓] /,
  },
  {
    name: "Mocha",
    seen: /^\s+\d+ (?:passing|failing)\b/,
    heads: [{ pattern: /^\s{1,4}\d+\) (?<name>\S.*)$/, after: /^\s+\d+ failing/, goesOn: true }],
    ends: /^\s{1,4}\d+\) |^npm (?:ERR|error)|^error Command failed/,
  },
  {
    name: "node:test",
    seen: /^ℹ (?:tests|pass|fail) \d|^✖ failing tests:$/,
    file: /^test at (?<path>\S+?):\d+:\d+$/,
    heads: [
      { pattern: /^\s*✖ (?<path>(?:\/|\.\/|\w+\/|[A-Z]:)?\S*\.[cm]?[jt]sx?) \(\d[\d.]*ms\)$/, suite: true },
      /^\s*✖ (?<name>\S.*?) \(\d[\d.]*ms\)$/,
    ],
    ends: /^ℹ |^✖ failing tests:$|^test at |^\s*[✔▶﹣] /,
  },
  {
    name: "TAP",
    asserts: true,
    seen: /^TAP version 1[34]$|^\s*# Subtest: |^# (?:tests|fail) +\d|^(?:not )?ok \d+ /,
    title: { pattern: /^\s*# Subtest: (?<name>\S.*)$/ },
    heads: [
      { pattern: /^\s*not ok \d+ (?:- )?(?<path>\S+\.[cm]?[jt]sx?)(?: # time=.*)?$/, suite: true },
      /^\s*not ok \d+ (?:- )?(?!.*# (?:TODO|SKIP))(?<name>[^\s#](?:[^#]|#(?! time=))*)/,
    ],
    ends: /^\s*(?:not )?ok \d|^\s*# (?:Subtest|tests|pass|fail|failed|time|suites|Looks like)\b|^\s*\.\.\.$|^\s*1\.\.\d/,
    from: /^\s*(?:error|message): |failureType: '[sth]/,
  },
  {
    name: "tape",
    instead: "TAP",
    asserts: true,
    seen: /^\s+operator: [a-z]\w*$/i,
    title: { pattern: /^# (?!tests |pass |fail )(?<name>\S.*)$/ },
    heads: [/^not ok \d+ (?!.*# (?:TODO|SKIP))(?<name>\S.*)$/],
    ends: /^(?:not )?ok \d|^# |^\s*\.\.\.$/,
  },
  {
    name: "AVA",
    seen: /^\s*[✖✘] \[fail\]: |^\s+\d+ (?:tests?|uncaught exceptions?) failed$/,
    title: { pattern: /^ {2}(?!\S+\.[cm]?[jt]sx?:\d+$)(?<name>\S.*)$/ },
    heads: [
      {
        pattern: /^\s*[✖✘] (?:\[fail\]: )?(?:No tests found in )?(?<path>\S+\.[cm]?[jt]sx?)(?: exited .*)?$/,
        suite: true,
      },
      /^ {2}(?<path>\S+\.[cm]?[jt]sx?):\d+$/,
    ],
    ends: /^\s*─+$|^\s*[✔✖✘] |^\s+\d+ tests? |^ {2}\S.* › /,
  },
  {
    name: "Deno",
    seen: /^running \d+ tests? from |^FAILED \| \d+ passed/,
    heads: [
      { pattern: /^(?<path>\S+\.[cm]?[jt]sx?) \(uncaught error\)/, suite: true },
      /^(?<name>\S.*) => (?<path>(?:\.\/|file:|https?:)\S+?):\d+:\d+$/,
      /^\s*(?<name>\S.*) \.\.\. .{0,40}FAILED.{0,5} \(\d/,
    ],
    ends: /^(?:ERRORS|FAILURES|FAILED \||error: Test failed)|^\s*\S.* \.\.\. |^running \d/,
  },
  {
    name: "Bun",
    seen: /^bun test v|^\s*\d+ (?:pass|fail)$/,
    file: /^(?<path>\S+\.[cm]?[jt]sx?):$/,
    heads: [{ pattern: /^(?:\(fail\)|✗) (?<name>\S.*?)(?: \[\d[\d.]*m?s\])?$/, above: 12 }],
    ends: /^(?:\(pass\)|\(fail\)|✓|✗)|^\s*\d+ (?:pass|fail)$/,
  },
  {
    name: "Jasmine",
    seen: /^\d+ specs?, \d+ failures?|^.{0,80}: Executed \d+ of \d+/,
    heads: [
      { pattern: /^\d+\) (?<name>\S.*)$/, after: /^Failures:$/ },
      /^[\w ]{1,40} \d[\d.]* \([^)]*\) (?<name>\S.*) FAILED$/,
    ],
    ends: /^\d+ specs?,|: Executed \d+ of/,
  },
  {
    name: "Karma",
    seen: /^FAILED TESTS:$|^✖ \d+ tests? failed$/,
    heads: [{ pattern: /^\s+✖ (?<name>\S.*)$/, after: /^FAILED TESTS:$/ }],
    ends: /^$|^\s+[✔✖] /,
  },
  {
    name: "Playwright",
    seen: /^Running \d+ tests? using \d+ workers?/,
    heads: [
      /^\s+\d+\) (?:\[[^\]]*\] › )?(?<path>[^\s:]+):\d+:\d+ › (?<name>\S.*?)(?: ─+)?$/,
      { pattern: /^\s{4}(?:\[[^\]]*\] › )?(?<path>[^\s:]+):\d+:\d+ › (?<name>\S.*?)(?: ─+)?$/, passed: true, ...FLAKY },
    ],
    ends: /^\s+\d+ (?:failed|passed|flaky)$/,
  },
];

export const PYTHON: readonly LogFormat[] = [
  {
    name: "pytest",
    seen: anyOf(
      /^={3,} (?:test session starts|short test summary|FAILURES|ERRORS|\d+ (?:failed|passed|error))/,
      /^\d+ (?:failed|passed)\b.* in \d|^(?:FAILED|ERROR) \S+\.py|^_{3,} ERROR collecting /,
    ),
    heads: [
      { pattern: /^_+ ERROR collecting (?<path>\S+) _+$/, suite: true },
      { pattern: /^_+ ERROR at (?:setup|teardown) of (?<name>\S.*?) _+$/, cause: "set-up" },
      {
        pattern: /^[_―]* ?(?<name>(?:\[doctest\] )?[A-Za-z][\w.]*(?: ?\[.*\])?(?: \(.*\)| <- \S+)?) [_―]+$/,
        after: /^=+ (?:FAILURES|ERRORS) =+$/,
        until: /^=+ (?:PASSES|.*summary.*|.*coverage.*) =+$/,
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
    ends: anyOf(
      /^={3,} |^_{3,} |^-{3,} ?Captured|^FAILED |^ERROR |^!{3,} |^\d+ (?:failed|passed)/,
      /^\S+\.py[ :]{1,2}.* (?:PASSED|SKIPPED|XFAIL)/,
    ),
    tells: /^E(?:\s|$)/,
    from: /^[\w.]*(?:Error|Exception|Failed|Exit)\b/,
  },
  {
    name: "unittest",
    seen: /^(?:FAIL|ERROR): \S+ \(|^Ran \d+ tests? in |^FAILED \((?:failures|errors|unexpected)/,
    heads: [
      { pattern: /^ERROR: (?:setUp|tearDown)(?:Class|Module) \((?<name>[^)]*)\)/, cause: "set-up" },
      { pattern: /^ERROR: (?<path>\S+) \(unittest\.loader\._FailedTest[^)]*\)$/, suite: true },
      { pattern: /^ERROR: Failure: (?<words>\w*(?:Error|Exception).*)$/, suite: true },
      /^(?:FAIL|ERROR): (?<name>\w+(?:\([^)]*\))?) \((?<holder>[^)]*)\)/,
      // nose says a place with dots and parameters, or the first line of the test's own description.
      { pattern: /^(?:FAIL|ERROR): (?:Doctest: )?(?<name>\S.*)$/, below: /^={50,}$/ },
      /^(?<name>\w+) \((?<holder>[\w.]+)\) \.\.\. (?:FAIL|ERROR)$/,
    ],
    ends: /^={20,}$|^Ran \d+ tests? in |^\w+ \([\w.]+\) \.\.\. /,
    from: /^(?!Traceback|-)\S/,
  },
];

export const RUBY_AND_PHP: readonly LogFormat[] = [
  {
    name: "RSpec",
    seen: /^\d+ examples?, \d+ failures?|^Failed examples:$|^An error occurred while loading /,
    heads: [
      { pattern: /^An error occurred while loading (?<path>\S+?)\.?$/, suite: true },
      { pattern: /^\s{1,4}\d+\) (?<name>\S.*)$/, after: /^Failures:$/ },
      /^rspec '?(?:\.\/)?(?<path>[^\s:'[]+)\S* # (?<name>\S.*)$/,
    ],
    ends: /^Finished in |^Failed examples:$|^\d+ examples?, |^rspec /,
  },
  {
    name: "Minitest",
    seen: /^\d+ (?:runs|tests), \d+ assertions, /,
    heads: [
      /^(?<name>[A-Z][\w:]*#\S.*?)(?: \[(?<path>[^\]:]+):\d+\])?:$/,
      /^(?:Failure|Error): (?<name>\S+)\((?<holder>[\w:]+)\)/,
    ],
    ends: /^\s+\d+\) (?:Failure|Error)|^(?:bin\/)?rails test |^\d+ (?:runs|tests), |^(?:Failure|Error):$/,
  },
  {
    name: "PHPUnit",
    seen: /^PHPUnit \d|^There (?:was|were) \d+ (?:failure|error)|^Tests: +\d+, Assertions: /,
    heads: [
      {
        pattern: /^\d+\) (?<name>[\w\\@:.$/-]+::\S.*|\S+\.phpt)$/,
        after: /^There (?:was|were) \d+ (?:failure|error)/,
        until: /^There (?:was|were) \d+ (?!failure|error)/,
      },
      /^\s*FAILED\s+(?<name>[\w\\]+ > \S.*?)(?:\s{2,}\S+)?$/,
      /^\s+[✘⨯] (?<name>\S.*?)(?:\s+\d[\d.]*s)?$/,
    ],
    ends: /^--$|^(?:FAILURES|ERRORS)!|^There (?:was|were) |^Tests: |^\s+[✔✓] /,
  },
];

/** By file name: a line that begins a test, with its title; `marked`: only when a mark stands above it or in it. */
export const TEST_LINES: readonly { readonly file: RegExp; readonly line: RegExp; readonly marked?: RegExp }[] = [
  {
    file: /\.kts?$/,
    line: /^(\s*)(?:@\w+(?:\([^)]*\))? )*(?:(?:internal|private|public|suspend|override) )*fun (?:`([^`]+)`|(\w+))\(/,
    marked: /@\w*Test\b/,
  },
  { file: /\.kts?$/, line: /^(\s*)"([^"]+)"(?:\.config\(.*\))? \{/ },
  { file: /\.swift$/, line: /^(\s*)@Test\("([^"]+)"/ },
  { file: /\.swift$/, line: /^(\s*)(?:@\w+(?:\([^)]*\))? )*(?:\w+ ){0,4}func (test\w*)\(/ },
  { file: /\.swift$/, line: /^(\s*)(?:@\w+(?:\([^)]*\))? )*(?:\w+ ){0,4}func (\w+)\(/, marked: /@Test\b/ },
  { file: /\.(?:scala|sc)$/, line: /^(\s*)(?:"[^"]+"|it|they) (?:should|must|can|in) "([^"]+)"/ },
  { file: /\.(?:scala|sc)$/, line: /^(\s*)"([^"]+)" (?:in|>>|!)/ },
  { file: /\.(?:bats|sh|bash)$/, line: /^(\s*)@test ["'](.+)["'] \{/ },
  { file: /\.clj[cs]?$/, line: /^(\s*)\(deftest (?:\^\S+ )*([^\s()]+)/ },
  { file: /\.(?:ps1)$/, line: /^(\s*)It ["'](.+?)["'] / },
  { file: /\.jl$/, line: /^(\s*)@testset "([^"]+)"/ },
];
