import type { TestEnd } from "../../data/test-results.ts";
import type { FailureCause } from "../../data/verdict.ts";
import { anyOf, inRow } from "../../text/patterns.ts";

/**
 * A line that begins a failed test's report, or with `suite` that of a whole file whose tests never ran. Groups:
 * `name`, `holder` (what it stands in), `path`, `words`; with `above` the words stand in so many lines above it.
 */
export interface Head {
  pattern: RegExp;
  /** counts only below such a line, down to one of the second kind */
  after?: RegExp;
  until?: RegExp;
  /** counts only right below such a line, empty ones aside */
  below?: RegExp;
  /** the name goes on in indented lines until one ends with a colon */
  continues?: true;
  suite?: true;
  /** passed tests begin so too: it counts when another head names the same test */
  tentative?: true;
  /** it failed before, and has passed when it was tried again */
  passed?: true;
  cause?: FailureCause;
  above?: number;
}

/**
 * How a runner sums up: lines with numbers, each beside a word of `COUNTED`, or in groups called `passed`, `failed`,
 * `skipped`, `total`. The lines of a summary stand close together; one that repeats a count begins another summary. All
 * are added up; with `last` only the last one counts. With `begins`, a summary begins with its first line: others of
 * its lines alone were printed by something else.
 */
export interface Summary {
  lines: readonly RegExp[];
  /** "6 passed", or "Passed: 6" */
  order: "number first" | "word first";
  last?: true;
  begins?: true;
}

/**
 * A test runner, by what it prints: how it sums up, how it lists tests, how it reports the failed ones, down to a line
 * that `ends` a report. A runner that neither sums up nor lists its tests proves nothing. Every pattern is anchored, and
 * takes time in proportion to its line.
 */
export interface Runner {
  /** compared between commits, never shown */
  name: string;
  sums?: readonly Summary[];
  /** a line for every test: `name`, and `end`, the word for its outcome */
  lists?: readonly RegExp[];
  /** a line that only this runner writes */
  seen: RegExp;
  heads: readonly (Head | RegExp)[];
  ends: RegExp;
  /** names the file that the next heads are about (`path`) */
  file?: RegExp;
  /** names the test of the next heads (`name`, `holder`) where they do not */
  title?: Pick<Head, "pattern" | "below">;
  /** what fails is an assertion, in the test that the last title names, unless it has a title of its own */
  asserts?: true;
  /** it names and counts programs that hold tests: ignored where their own runner does */
  programs?: true;
  /** another runner, which would take this one's lines for its own */
  instead?: string;
  /** the lines that tell the failure, where there are such: those alone, or from the first of them on */
  tells?: RegExp;
  from?: RegExp;
}

/** Runners' words for how tests end. */
export const COUNTED: Readonly<Record<TestEnd | "total", string>> = {
  passed: "pass passed passes passing ok successful succeeded completed xpassed flaky",
  failed: "fail failed fails failing failure failures error errors errored cancelled interrupted",
  skipped: "skip skipped skips pending ignored disabled todo xfailed inconclusive canceled incomplete",
  total: "total test tests run runs example examples spec specs doctest doctests property properties",
};

const wordFirst = (...lines: readonly RegExp[]): Summary => ({ lines, order: "word first" });

const numberFirst = (...lines: readonly RegExp[]): Summary => ({ lines, order: "number first" });

const FLAKY = { after: /^\s+\d+ flaky$/, until: /^\s+\d+ (?!flaky)\w+/ };

const FLAKES = { after: /^\[WARNING\] Flakes:/, until: /^\[\w+\] (?:Failures|Errors|Tests run):/ };

const MAVEN_LEVEL = /^(?:\[ERROR\]|Error:)?\s*(?!Tests run)/;
const MAVEN_ELAPSED = /\s{1,4}(?:-- )?Time elapsed: [\d.,]{1,20} s(?:ec)?\s{1,4}<<< (?:FAILURE|ERROR)!/;

/** Behind a test's name in the list of failures. */
const MAVEN_PLACE = /(?:\([^)]{0,300}\))?(?:\[[^\]]{0,300}\])?(?::\d{1,9}|(?= »)|(?=->))(?<words>.*)$/;

/** The list of an older Surefire. */
const OLD_LIST = {
  begin: /^(?:Failed tests:|Tests in error:)?\s{2,}/,
  after: /^(?:Failed tests|Tests in error):/,
  until: /^Tests run:/,
};

const NEXTEST_NAME = /(?: \([^)]*\))? (?<holder>\S+) (?<name>\S+)$/;

/** What a test of Swift Testing records. */
const SWIFT_ISSUE = / recorded an issue .{0,300}?: (?<words>(?:Expectation failed|Caught error|Issue recorded).*)$/;

const MAVEN_COUNTS = /Tests run: \d+, Failures: \d+(?:, Errors: \d+)?(?:, Skipped: \d+)?(?:, Flakes: \d+)?$/;

const NEXTEST_COUNTS = /(?:(?<passed>\d{1,9}) passed)?(?: \([^()]*\))?(?:, (?<failed>\d{1,9}) failed)?/;

const SWIFT_ISSUES = /(?:.{0,300} with (?<failed>\d{1,9}) issues?\.$)?/;

const DART_END = /(?:All tests passed|Some tests failed)/;

const FLUTTER_COUNTS = /(?:, (?<failed>\d+) failed)?(?:, (?<skipped>\d+) skipped)?\.$/;

/** A line belongs to the first of these that knows it. To add a runner, add it here, and its log to the samples. */
export const RUNNERS: readonly Runner[] = [
  {
    name: "Jest",
    sums: [numberFirst(/^Tests: +(?:\d+ [a-z]+, )*\d+ total$/)],
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
    sums: [numberFirst(/^\s*Tests {2}\d+ [a-z].*\(\d+\)$/)],
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
    sums: [{ ...numberFirst(/^\s+\d+ passing\b/, /^\s+\d+ (?:failing|pending)\b/), begins: true }],
    seen: /^\s+\d+ (?:passing|failing)\b/,
    heads: [{ pattern: /^\s{1,4}\d+\) (?<name>\S.*)$/, after: /^\s+\d+ failing/, continues: true }],
    ends: /^\s{1,4}\d+\) |^npm (?:ERR|error)|^error Command failed/,
  },
  {
    name: "node:test",
    sums: [{ ...wordFirst(/^ℹ tests \d+$/, /^ℹ (?:pass|fail|cancelled|skipped|todo) \d+$/), begins: true }],
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
    sums: [{ ...wordFirst(/^# tests +\d+$/, /^# (?:pass|fail|ok|cancelled|skipped|todo) +\d+$/), begins: true }],
    lists: [/^(?<end>ok|not ok) \d+ (?:- )?(?<name>\S.*)$/],
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
    sums: [
      numberFirst(
        /^\s+(?<passed>\d+) tests? passed$/,
        /^\s+(?<failed>\d+) (?:tests?|uncaught exceptions?) failed$/,
        /^\s+(?<skipped>\d+) tests? (?:skipped|todo)$/,
      ),
    ],
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
    sums: [numberFirst(/^(?:ok|FAILED) \| \d+ passed/)],
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
    sums: [{ ...numberFirst(/^\s*\d+ pass$/, /^\s*\d+ (?:fail|skip|todo)$/), begins: true }],
    seen: /^bun test v|^\s*\d+ (?:pass|fail)$/,
    file: /^(?<path>\S+\.[cm]?[jt]sx?):$/,
    heads: [{ pattern: /^(?:\(fail\)|✗) (?<name>\S.*?)(?: \[\d[\d.]*m?s\])?$/, above: 12 }],
    ends: /^(?:\(pass\)|\(fail\)|✓|✗)|^\s*\d+ (?:pass|fail)$/,
  },
  {
    name: "Jasmine",
    sums: [numberFirst(/^\d+ specs?, \d+ failures?/)],
    seen: /^\d+ specs?, \d+ failures?|^.{0,80}: Executed \d+ of \d+/,
    heads: [
      { pattern: /^\d+\) (?<name>\S.*)$/, after: /^Failures:$/ },
      /^[\w ]{1,40} \d[\d.]* \([^)]*\) (?<name>\S.*) FAILED$/,
    ],
    ends: /^\d+ specs?,|: Executed \d+ of/,
  },
  {
    name: "Karma",
    sums: [
      {
        ...numberFirst(
          /^✔ (?<passed>\d+) tests? completed$/,
          /^✖ (?<failed>\d+) tests? failed$/,
          /^ℹ (?<skipped>\d+) tests? skipped$/,
        ),
        begins: true,
      },
    ],
    seen: /^FAILED TESTS:$|^✖ \d+ tests? failed$/,
    heads: [{ pattern: /^\s+✖ (?<name>\S.*)$/, after: /^FAILED TESTS:$/ }],
    ends: /^$|^\s+[✔✖] /,
  },
  {
    name: "Playwright",
    sums: [numberFirst(/^ {2}\d+ (?:failed|flaky|skipped|passed|interrupted)(?: \(.*\))?$/)],
    seen: /^Running \d+ tests? using \d+ workers?/,
    heads: [
      /^\s+\d+\) (?:\[[^\]]*\] › )?(?<path>[^\s:]+):\d+:\d+ › (?<name>\S.*?)(?: ─+)?$/,
      { pattern: /^\s{4}(?:\[[^\]]*\] › )?(?<path>[^\s:]+):\d+:\d+ › (?<name>\S.*?)(?: ─+)?$/, passed: true, ...FLAKY },
    ],
    ends: /^\s+\d+ (?:failed|passed|flaky)$/,
  },
  {
    name: "pytest",
    sums: [numberFirst(/^=* ?\d+ (?:passed|failed|errors?|skipped|xfailed|xpassed|deselected)\b.* in \d/)],
    lists: [/^(?<name>\S+\.py::\S.*?) (?<end>PASSED|FAILED|SKIPPED|XFAIL|XPASS|ERROR)\b/],
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
    sums: [
      { ...numberFirst(/^Ran (?<total>\d+) tests? in /), begins: true },
      wordFirst(/^(?:OK|FAILED) \((?:[A-Za-z ]+=\d+(?:, )?)+\)$/),
    ],
    lists: [/^(?<name>\w+ \([\w.]+\)) \.\.\. (?<end>ok|FAIL|ERROR|skipped)\b/],
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
  {
    name: "RSpec",
    sums: [numberFirst(/^\d+ examples?, \d+ failures?/)],
    seen: /^\d+ examples?, \d+ failures?|^Failed examples:$|^An error occurred while loading /,
    heads: [
      { pattern: /^An error occurred while loading (?<path>\S+?)\.?$/, suite: true },
      { pattern: /^\s{1,4}\d+\) (?<name>\S.*)$/, after: /^Failures:$/ },
      /^rspec '?(?:\.\/)?(?<path>[^\s:'[]+)(?:[:'[]\S*)? # (?<name>\S.*)$/,
    ],
    ends: /^Finished in |^Failed examples:$|^\d+ examples?, |^rspec /,
  },
  {
    name: "Minitest",
    sums: [numberFirst(/^\d+ (?:runs|tests), \d+ assertions, \d+ failures, /)],
    seen: /^\d+ (?:runs|tests), \d+ assertions, /,
    heads: [
      /^(?<name>[A-Z][\w:]*#\S.*?)(?: \[(?<path>[^\]:]+):\d+\])?:$/,
      /^(?:Failure|Error): (?<name>\S+)\((?<holder>[\w:]+)\)/,
    ],
    ends: /^\s+\d+\) (?:Failure|Error)|^(?:bin\/)?rails test |^\d+ (?:runs|tests), |^(?:Failure|Error):$/,
  },
  {
    name: "PHPUnit",
    sums: [numberFirst(/^OK \((?<total>\d+) tests?, \d+ assertions?\)$/), wordFirst(/^Tests: +\d+, Assertions: +\d/)],
    seen: /^PHPUnit \d|^There (?:was|were) \d+ (?:failure|error)|^Tests: +\d+, Assertions: /,
    heads: [
      {
        pattern: /^\d+\) (?<name>[\w\\@.$/-]+::\S.*|\S+\.phpt)$/,
        after: /^There (?:was|were) \d+ (?:failure|error)/,
        until: /^There (?:was|were) \d+ (?!failure|error)/,
      },
      /^\s*FAILED\s+(?<name>[\w\\]+ >(?: \S+)+)(?:\s{2,}\S+)?$/,
      /^\s+[✘⨯] (?<name>\S+(?: \S+)*)(?:\s{2,}\S+)?$/,
    ],
    ends: /^--$|^(?:FAILURES|ERRORS)!|^There (?:was|were) |^Tests: |^\s+[✔✓] /,
  },
  {
    name: "go test",
    sums: [numberFirst(/^DONE \d+ tests?(?:, \d+ (?:skipped|failures?|errors?))*.* in \d/)],
    lists: [/^\s*--- (?<end>PASS|FAIL|SKIP): (?<name>\S+)(?: \(\d|$)/],
    seen: /^\s*--- FAIL: |^(?:FAIL|ok)\s+\S+\s+(?:\d|\[|\(cached)|^=== (?:RUN|FAIL)|^panic: test timed out/,
    heads: [
      /^\s*--- FAIL: (?<name>\S+)(?: \(\d|$)/,
      /^=== FAIL: \S+ (?<name>\S+) \(\d/,
      /^\s*(?:FAIL|✖)\s+\S*[./](?<name>Test\w\S*) \(\d/,
      /^FAIL: \S+\.go:\d+: (?<name>\S+)$/,
      /^\s*(?:• )?\[FAIL(?:ED)?\] (?<name>[A-Za-z].*)$/,
      {
        pattern: /^\s+(?<name>Test\S+) \((?:\d+m)?\d+s\)$/,
        after: /^panic: test timed out/,
        cause: "time-out",
        above: 4,
      },
      { pattern: /^=== (?:RUN|NAME|CONT)\s+(?<name>\S+)$/, tentative: true },
    ],
    ends: /^(?:FAIL|ok|PASS|\?|DONE)(?:\s|$)|^exit status|^\s*--- (?:PASS|SKIP)|^=== (?!FAIL)|^coverage:/,
  },
  {
    name: "cargo test",
    sums: [
      numberFirst(/^test result: \w+\. \d+ passed; /),
      numberFirst(inRow(/^\s*Summary \[[^\]]*\] +(?<total>\d+)(?:\/\d+)? tests? run: /, NEXTEST_COUNTS)),
    ],
    lists: [/^test (?<name>\S.*?)(?: - should panic)? \.\.\. (?<end>ok|FAILED|ignored)\b/],
    seen: anyOf(
      /^test result: |^running \d+ tests?$|^---- \S.* stdout ----$/,
      /^\s*(?:FAIL|PASS|TIMEOUT|SIG\w+|TRY \d+ FAIL) \[[ >\d.]+s\]/,
    ),
    heads: [
      /^---- (?<name>\S.*?) stdout ----$/,
      /^test (?<name>\S.*?)(?: - should panic)? \.\.\. FAILED/,
      inRow(/^\s*(?:FAIL|LEAK-FAIL|ABORT|SIG\w+|TRY \d+ FAIL) \[[ >\d.]+s\]/, NEXTEST_NAME),
      {
        pattern: /^\s*(?:TIMEOUT|TRY \d+ TMT) \[[ >\d.]+s\](?: \([^)]*\))? (?<holder>\S+) (?<name>\S+)$/,
        cause: "time-out",
      },
      { pattern: /^\s*FLAKY \d+\/\d+ \[[^\]]*\](?: \([^)]*\))? (?<holder>\S+) (?<name>\S+)$/, passed: true },
      { pattern: /^-{3,} (?:TRY \d+ )?STD(?:OUT|ERR): +(?<holder>\S+) (?<name>\S+) -{3,}$/, tentative: true },
    ],
    ends: /^failures:$|^test result: |^\s*(?:PASS|Summary|Cancell?ing|SLOW) \[|^─{5,}|^-{8,}$|^error: /,
  },
  {
    name: "Surefire",
    sums: [wordFirst(inRow(/^(?:\[(?:INFO|ERROR|WARNING)\] |Error: +|Warning: +)?/, MAVEN_COUNTS))],
    seen: /Tests run: \d+, Failures: \d+|<<< (?:FAILURE|ERROR)!/,
    title: { pattern: /^(?:\[\w+\] |Error: +)?Tests run: .*<<< (?:FAILURE|ERROR)! --? in (?<holder>\S+)$/ },
    heads: [
      { pattern: /^\[WARNING\] (?<name>[\w.$]+)$/, passed: true, ...FLAKES },
      inRow(MAVEN_LEVEL, /(?<name>[^\s(].*?)\((?<holder>[\w.$*[\]]+)\)/, MAVEN_ELAPSED),
      inRow(MAVEN_LEVEL, /(?<name>[\w.$]+(?:[([{].*?)?)/, MAVEN_ELAPSED),
      {
        pattern: inRow(/^(?:\[ERROR\]|Error:)\s+(?<name>[A-Za-z_][\w$]*(?:[.>][\w$]+)+)/, MAVEN_PLACE),
        after: /^(?:\[ERROR\]|Error:)\s+(?:Failures|Errors):\s*$/,
      },
      {
        pattern: inRow(OLD_LIST.begin, /(?<name>\w+)\((?<holder>[\w.$]+)\)(?:: (?<words>.*))?$/),
        after: OLD_LIST.after,
        until: OLD_LIST.until,
      },
      {
        pattern: inRow(OLD_LIST.begin, /(?<name>[A-Za-z_$][\w$]*(?:\.[\w$]+)+)/, MAVEN_PLACE),
        after: OLD_LIST.after,
        until: OLD_LIST.until,
      },
      {
        pattern: inRow(OLD_LIST.begin, /(?<name>\w+) on instance .*\((?<holder>[\w.$]+)\)(?:: (?<words>.*))?$/),
        after: OLD_LIST.after,
        until: OLD_LIST.until,
      },
    ],
    ends: /^\[(?:INFO|ERROR|WARNING|WARN)\]|^Error: |^Tests run|^Running |^Tests in error/,
  },
  {
    name: "JUnit Platform",
    sums: [
      numberFirst(
        /^\[ +(?<total>\d+) tests found +\]$/,
        /^\[ +(?<passed>\d+) tests successful +\]$/,
        /^\[ +(?<failed>\d+) tests failed +\]$/,
        /^\[ +(?<skipped>\d+) tests skipped +\]$/,
      ),
    ],
    seen: /^\s*(?:Test run finished after \d|Failures \(\d+\):$)/,
    heads: [{ pattern: /^\s*JUnit \w+:(?<name>\S.*)$/, after: /^\s*Failures \(\d+\):$/ }],
    ends: /^\s*Test run finished/,
    from: /^\s*=> /,
  },
  {
    name: "Gradle",
    lists: [/^(?<name>\S.* > \S.*) (?<end>PASSED|FAILED|SKIPPED)$/],
    seen: /^> Task :|^\d+ tests completed, \d+ failed|^FAILURE: Build failed|^[\w.$]+ > \S.* FAILED$/,
    heads: [
      /^(?<name>[\w.$-]+ > \S.*) FAILED$/,
      /^(?<name>[a-z]\w*(?:\.[\w$]+)+(?:[[(].*)?) FAILED$/,
      /^\s+(?:Test |✘ )?(?<name>\S.*?\)) FAILED(?: \(\d[^)]*\))?$/,
    ],
    ends: /^\S/,
  },
  {
    name: "dotnet test",
    sums: [
      wordFirst(/^(?:Passed|Failed|Skipped)! +- Failed: +\d/, /^\s*(?:Test summary: )?total: \d+, failed: /),
      wordFirst(
        /^Total tests: \d+$/,
        /^\s+(?:Passed|Failed|Skipped): \d+$/,
        /^\s+(?:total|failed|succeeded|skipped): \d+$/,
      ),
    ],
    seen: anyOf(
      /^\s*(?:Failed!\s+-|Failed\s+[A-Za-z_].* \[[<\d]|\[Failed\] |X [A-Za-z_].* \[[<\d])/,
      /^\[xUnit\.net |^Test Run Failed|^Total tests: \d|^\s{2}.* \[FAIL\]$|^failed \S.* \(\d/,
    ),
    heads: [
      /^\s*(?:Failed|X)\s+(?<name>[A-Za-z_].*?) \[(?:< )?\d[^\]]{0,30}\]$/,
      /^(?:\[Failed\] |Failed {3})(?<name>[A-Za-z_].*)$/,
      /^(?:\[xUnit\.net [\d:.]+\])?\s{2,}(?<name>[A-Za-z_].*) \[FAIL\]$/,
      /^failed (?<name>[A-Za-z_].*?) \((?:\d+m )?\d[\d.,]*m?s[^)]*\)$/,
      /^\d+\) (?:Failed|Error|Invalid) : (?<name>\S.*)$/,
    ],
    ends: anyOf(
      /^\s*(?:Passed|Skipped|Failed|X|\[xUnit\.net)!?\s|^(?:passed|skipped) /,
      /^Test Run|^Total tests|^\s*Standard Output Messages:/,
    ),
    from: /^(?!\s*Error Message:)\s*\S/,
  },
  {
    name: "GoogleTest",
    sums: [
      numberFirst(
        /^\[={10}\] (?<total>\d+) tests? from .* ran\./,
        /^\[ {2}PASSED {2}\] (?<passed>\d+) tests?\.$/,
        /^\[ {2}SKIPPED \] (?<skipped>\d+) tests?, listed/,
        /^\[ {2}FAILED {2}\] (?<failed>\d+) tests?, listed/,
      ),
    ],
    lists: [/^\[ {7}(?<end>OK) \] (?<name>\S+) \(\d/, /^\[ {2}(?<end>FAILED|SKIPPED) ? \] (?<name>\S+) \(\d/],
    seen: /^\[ {2}FAILED {2}\] |^\[ RUN {6}\] /,
    heads: [
      /^\[ {2}FAILED {2}\] (?<name>\w[\w/]*\.[\w/]+)(?=$|,| \()/,
      { pattern: /^\[ RUN {6}\] (?<name>\S+)$/, tentative: true },
    ],
    ends: /^\[ {2,7}(?:OK|PASSED|SKIPPED|DISABLED)? {0,3}\]|^\[[-=]{10}\]/,
  },
  {
    name: "CTest",
    sums: [numberFirst(/^\d+% tests passed, (?<failed>\d+) tests? failed out of (?<total>\d+)/)],
    programs: true,
    seen: /^The following tests FAILED:$|^\s*\d+\/\d+ Test +#\d+: /,
    heads: [
      {
        pattern:
          /^\s+\d+ - (?<name>\S.*?) \((?:Failed|SEGFAULT|Subprocess|ILLEGAL|Child|Not Run|OTHER|NUMERICAL).{0,40}\)/,
        after: /^The following tests FAILED:$/,
      },
      { pattern: /^\s+\d+ - (?<name>\S.*?) \(Timeout\)/, after: /^The following tests FAILED:$/, cause: "time-out" },
      /^\s*\d+\/\d+ Test +#\d+: (?<name>\S+) \.*\*\*\*(?:Failed|Exception)/,
    ],
    ends: /^\s*\d+\/\d+ Test +#|^\s+Start +\d+: |^\d+% tests passed|^Errors while running CTest/,
  },
  {
    name: "Catch2",
    sums: [
      numberFirst(/^All tests passed \(\d+ assertions? in (?<passed>\d+) test cases?\)$/),
      numberFirst(/^test cases: +\d+ \| /),
    ],
    seen: /^test cases: +\d+ \||^(?:\S+:\d+|\S+\(\d+\)): FAILED:$/,
    title: { pattern: /^(?!\S+[:(]\d+\)?$)(?<name>\S.*)$/, below: /^-{70,}$/ },
    heads: [/^(?:\S+:\d+|\S+\(\d+\)): FAILED:$/],
    ends: /^(?:-{70,}|\.{70,}|={70,})$|^(?:\S+:\d+|\S+\(\d+\)): (?:PASSED|SKIPPED)/,
  },
  {
    name: "doctest",
    sums: [numberFirst(/^\[doctest\] test cases: +\d+ \| /)],
    seen: /^\[doctest\] /,
    title: { pattern: /^TEST CASE: {1,2}(?<name>\S.*)$/ },
    heads: [/^(?:\S+:\d+|\S+\(\d+\)): (?:FATAL )?ERROR: (?<words>.*)$/],
    ends: /^={70,}$|^\[doctest\] /,
  },
  {
    name: "Unity",
    sums: [numberFirst(/^\d+ Tests \d+ Failures \d+ Ignored/)],
    seen: /^\d+ Tests \d+ Failures \d+ Ignored|: error: Failure in TEST\(/,
    heads: [
      /^\S+?:\d+:(?<name>\w+):FAIL(?:: ?(?<words>.*))?$/,
      /^\S+:\d+: error: Failure in TEST\((?<holder>\w+), (?<name>\w+)\)$/,
    ],
    ends: /^\S+?:\d+:\w+:(?:PASS|IGNORE)|^-{5,}$|^$/,
  },
  {
    name: "XCTest",
    sums: [
      {
        ...numberFirst(/^\s*Executed (?<total>\d+) tests?, with (?:\d+ tests? skipped and )?(?<failed>\d+) failures? /),
        last: true,
      },
    ],
    seen: /^\s*Test (?:[Cc]ase|[Ss]uite) '|^\s*✖ test\w+/,
    heads: [
      /^\S+: error: -\[(?<holder>[\w.]+) (?<name>\w+)\] : (?<words>.*)$/,
      /^\S+: error: (?<name>\w+\.\w+) : (?<words>.*)$/,
      /^\s*Test Case '-\[(?<holder>[\w.]+) (?<name>\w+)\]' failed/,
      /^\s*Test [Cc]ase '(?<name>[\w.]+)(?:\(\))?' failed/,
      /^\s*✖ (?<name>test\w+)(?: on '[^']*')?(?: \([\d.]+ seconds\))?(?:, (?<words>.*))?$/,
    ],
    ends: /^\s*Test (?:[Cc]ase|[Ss]uite) '|^\S{0,2} ?(?:Test|Suite) .* (?:passed|started|failed)|^\S+: error: |^\s*✔ /,
  },
  {
    name: "Swift Testing",
    sums: [numberFirst(inRow(/^\S{0,2} ?Test run with (?<total>\d+) tests? .*(?:passed|failed) after /, SWIFT_ISSUES))],
    seen: /^. Test run with \d+ test/,
    heads: [
      inRow(/^\S{0,2} ?Test "(?<name>[^"]+)"/, SWIFT_ISSUE),
      inRow(/^\S{0,2} ?Test (?<name>\w+)\([^)]*\)/, SWIFT_ISSUE),
      /^\S{0,2} ?Test "(?<name>[^"]+)" failed after /,
      /^\S{0,2} ?Test (?<name>\w+)\([^)]*\) failed after /,
    ],
    ends: /^\s*Test (?:[Cc]ase|[Ss]uite) '|^\S{0,2} ?(?:Test|Suite) .* (?:passed|started|failed)|^\S+: error: |^\s*✔ /,
  },
  {
    name: "ScalaTest",
    sums: [wordFirst(/^Tests: succeeded \d+, failed \d+/)],
    seen: / \*\*\* FAILED \*\*\*/,
    heads: [/^\s*-+ (?<name>\S.*?) \*\*\* FAILED \*\*\*/],
    ends: /^\s*-+ |^\s*\+ |^==> |^(?:Test|Passed|Failed|Tests|Run|Total)\b/,
  },
  {
    name: "sbt",
    sums: [wordFirst(/^(?:Passed|Failed|Error): Total \d+, /)],
    seen: /^==> X |^Test \S+ failed: |^Failed: Total \d+, Failed|^Total for specification/,
    heads: [
      /^==> X (?<name>\S.*?) {2}\d[\d.]*m?s(?: (?<words>.*))?$/,
      /^Test (?<name>\S+) failed: (?<words>.*)$/,
      /^\s*[x!] (?<name>\S.*)$/,
    ],
    ends: /^\s*-+ |^\s*\+ |^==> |^(?:Test|Passed|Failed|Tests|Run|Total)\b/,
  },
  {
    name: "ExUnit",
    sums: [numberFirst(/^(?:\d+ (?:doctests?|propert(?:y|ies)), )*\d+ tests?, \d+ failures?/)],
    seen: /^\d+ (?:tests?|doctests?|propert(?:y|ies)), .*\d failures?|^\s{1,4}\d+\) test \S.* \([\w.]+\)$/,
    heads: [/^\s{1,4}\d+\) (?:test|property|doctest) (?<name>\S.*) \((?<holder>[\w.]+)\)$/],
    ends: /^Finished in |^\d+ (?:tests?|doctests?|propert)/,
  },
  {
    name: "Dart",
    sums: [
      numberFirst(inRow(/^\d\d:\d\d \+(?<passed>\d+)(?: ~(?<skipped>\d+))?(?: -(?<failed>\d+))?: /, DART_END)),
      numberFirst(inRow(/^(?:\S{1,2}|Error:) (?<passed>\d+) tests? passed/, FLUTTER_COUNTS)),
    ],
    seen: /^\d\d:\d\d \+\d+(?: ~\d+)?(?: -\d+)?: |^(?:✅|❌) \S.*(?:\(failed\))?$/,
    heads: [
      { pattern: /^\d\d:\d\d \+\d[ ~\d-]*: loading (?<path>\S+\.dart) \[E\]$/, suite: true },
      /^\d\d:\d\d \+\d[ ~\d-]*: (?:(?<path>\S+\.dart): )?(?<name>\S.*) \[E\]$/,
      /^❌ (?:(?<path>\S+\.dart): )?(?<name>\S.*) \(failed\)$/,
    ],
    ends: /^\d\d:\d\d \+\d|^[✅❌🎉]/u,
  },
  {
    name: "Bats",
    seen: /^\d+ tests?, \d+ failures?/,
    heads: [/^ ✗ (?<name>\S.*?)(?: \[\d+\])?$/],
    ends: /^ [✓✗-] |^\d+ tests?, /,
  },
  {
    name: "Pester",
    sums: [wordFirst(/^Tests Passed: \d+, Failed: \d+/)],
    seen: /^Tests Passed: \d+, Failed: \d+|^\s*\[[+-]\] \S.* \d+m?s/,
    heads: [/^\s*\[-\] (?<name>\S.*?) \d[\d.]*m?s\b/],
    ends: /^\s*\[[+!]\] |^Tests (?:Passed|completed)/,
  },
  {
    name: "clojure.test",
    sums: [
      {
        ...numberFirst(/^Ran (?<total>\d+) tests containing \d+ assertions\.$/, /^\d+ failures, \d+ errors\.$/),
        begins: true,
      },
    ],
    seen: /^Ran \d+ tests containing \d+ assertions/,
    heads: [/^(?:FAIL|ERROR) in \(?(?<name>[^\s()]+)\)? \(/],
    ends: /^$|^Ran \d+ tests/,
  },
];
