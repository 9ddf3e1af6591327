import { anyOf, inRow } from "../patterns.ts";
import { JAVASCRIPT, type LogFormat, PYTHON, RUBY_AND_PHP } from "./script-formats.ts";

const FLAKES = { after: /^\[WARNING\] Flakes:/, until: /^\[\w+\] (?:Failures|Errors|Tests run):/ };

const MAVEN_LEVEL = /^(?:\[ERROR\]|Error:)?\s*(?!Tests run)/;
const MAVEN_ELAPSED = /\s+(?:-- )?Time elapsed: .*<<< (?:FAILURE|ERROR)!/;

/** Behind a test's name in the list of failures. */
const MAVEN_PLACE = /(?:\([^)]*\))?(?:\[[^\]]*\])?(?::\d+|(?= »)|(?=->))(?<words>.*)$/;

/** The list of an older Surefire. */
const OLD_LIST = {
  begin: /^(?:Failed tests:|Tests in error:)?\s{2,}/,
  after: /^(?:Failed tests|Tests in error):/,
  until: /^Tests run:/,
};

const NEXTEST_NAME = /(?: \([^)]*\))? (?<holder>\S+) (?<name>\S+)$/;

/** What a test of Swift Testing records. */
const SWIFT_ISSUE = / recorded an issue .{0,300}?: (?<words>(?:Expectation failed|Caught error|Issue recorded).*)$/;

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
    seen: /Tests run: \d+, Failures: \d+|<<< (?:FAILURE|ERROR)!/,
    title: { pattern: /^(?:\[\w+\] |Error: +)?Tests run: .*<<< (?:FAILURE|ERROR)! --? in (?<holder>\S+)$/ },
    heads: [
      { pattern: /^\[WARNING\] (?<name>[\w.$]+)$/, passed: true, ...FLAKES },
      inRow(MAVEN_LEVEL, /(?<name>[^\s(].*?)\((?<holder>[\w.$*[\]]+)\)/, MAVEN_ELAPSED),
      inRow(MAVEN_LEVEL, /(?<name>[\w.$]+(?:[([{].*?)?)/, MAVEN_ELAPSED),
      {
        pattern: inRow(/^(?:\[ERROR\]|Error:)\s+(?<name>[A-Za-z_][\w$.>]*\.[\w$]+)/, MAVEN_PLACE),
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
    name: "Ant",
    seen: /^Testcase: \S.*(?: took \d|:\s+(?:FAILED|Caused an ERROR)$)/,
    title: { pattern: /^Testcase: (?<name>[^\s(][^(]*?)(?:\((?<holder>[\w.$]+)\))?(?: took \d.*)?$/ },
    heads: [
      /^Testcase: (?<name>[^\s(][^(]*?)(?:\((?<holder>[\w.$]+)\))?:\s+(?:FAILED|Caused an ERROR)$/,
      /^\s+(?:FAILED|Caused an ERROR)$/,
    ],
    ends: /^Test(?:case|suite): |^Test \S+ FAILED|^Tests run: |^-{5,}/,
  },
  {
    name: "JUnit Platform",
    seen: /^\s*(?:Test run finished after \d|Failures \(\d+\):$)/,
    heads: [{ pattern: /^\s*JUnit \w+:(?<name>\S.*)$/, after: /^\s*Failures \(\d+\):$/ }],
    ends: /^\s*Test run finished/,
    from: /^\s*=> /,
  },
  {
    name: "TestNG",
    seen: /^Total tests run: \d+, (?:Passes: \d+, )?Failures: /,
    heads: [{ pattern: /^FAILED CONFIGURATION: (?<name>\S.*)$/, cause: "set-up" }, /^FAILED: (?<name>\S.*)$/],
    ends: /^(?:PASSED|SKIPPED)\b|^={10,}$/,
  },
  {
    name: "Gradle",
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
    seen: anyOf(
      /^\s*(?:Failed!\s+-|Failed\s+[A-Za-z_].* \[[<\d]|\[Failed\] |X [A-Za-z_].* \[[<\d])/,
      /^\[xUnit\.net |^Test Run Failed|^Total tests: \d|^\s{2,}.* \[FAIL\]$|^failed \S.* \(\d/,
    ),
    heads: [
      /^\s*(?:Failed|X)\s+(?<name>[A-Za-z_].*?) \[(?:< )?[\d.,]+ ?\w+(?: [\d.,]+ ?\w+)?\]$/,
      /^(?:\[Failed\] |Failed {3})(?<name>[A-Za-z_]\S*.*)$/,
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
];

const NATIVE: readonly LogFormat[] = [
  {
    name: "GoogleTest",
    seen: /^\[ {2}FAILED {2}\] |^\[ RUN {6}\] /,
    heads: [
      /^\[ {2}FAILED {2}\] (?<name>\w[\w/]*\.[\w/]+)(?=$|,| \()/,
      { pattern: /^\[ RUN {6}\] (?<name>\S+)$/, tentative: true },
    ],
    ends: /^\[ {2,7}(?:OK|PASSED|SKIPPED|DISABLED)? {0,3}\]|^\[[-=]{10}\]/,
  },
  {
    name: "CTest",
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
    seen: /^test cases: +\d+ \||^(?:\S+:\d+|\S+\(\d+\)): FAILED:$/,
    title: { pattern: /^(?!\S+[:(]\d+\)?$)(?<name>\S.*)$/, below: /^-{70,}$/ },
    heads: [/^(?:\S+:\d+|\S+\(\d+\)): FAILED:$/],
    ends: /^(?:-{70,}|\.{70,}|={70,})$|^(?:\S+:\d+|\S+\(\d+\)): (?:PASSED|SKIPPED)/,
  },
  {
    name: "doctest",
    seen: /^\[doctest\] /,
    title: { pattern: /^TEST CASE: {1,2}(?<name>\S.*)$/ },
    heads: [/^(?:\S+:\d+|\S+\(\d+\)): (?:FATAL )?ERROR: (?<words>.*)$/],
    ends: /^={70,}$|^\[doctest\] /,
  },
  {
    name: "Boost.Test",
    seen: /: (?:fatal )?error: in "[^"]+": /,
    heads: [/^\S+: (?:fatal )?error: in "(?<name>[^"]+)": (?<words>.*)$/],
    ends: /^\S/,
  },
  {
    name: "Unity",
    seen: /^\d+ Tests \d+ Failures \d+ Ignored|: error: Failure in TEST\(/,
    heads: [
      /^\S+?:\d+:(?<name>\w+):FAIL(?:: ?(?<words>.*))?$/,
      /^\S+:\d+: error: Failure in TEST\((?<holder>\w+), (?<name>\w+)\)$/,
    ],
    ends: /^\S+?:\d+:\w+:(?:PASS|IGNORE)|^-{5,}$|^$/,
  },
  {
    name: "XCTest",
    seen: /^\s*Test (?:[Cc]ase|[Ss]uite) '|^. Test run with \d+ test|^\s*✖ test\w+/,
    heads: [
      /^\S+: error: -\[(?<holder>[\w.]+) (?<name>\w+)\] : (?<words>.*)$/,
      /^\S+: error: (?<name>\w+\.\w+) : (?<words>.*)$/,
      /^\s*Test Case '-\[(?<holder>[\w.]+) (?<name>\w+)\]' failed/,
      /^\s*Test [Cc]ase '(?<name>[\w.]+)(?:\(\))?' failed/,
      inRow(/^\S{0,2} ?Test "(?<name>[^"]+)"/, SWIFT_ISSUE),
      inRow(/^\S{0,2} ?Test (?<name>\w+)\([^)]*\)/, SWIFT_ISSUE),
      /^\S{0,2} ?Test "(?<name>[^"]+)" failed after /,
      /^\S{0,2} ?Test (?<name>\w+)\([^)]*\) failed after /,
      /^\s*✖ (?<name>test\w+)(?: on '[^']*')?(?: \([\d.]+ seconds\))?(?:, (?<words>.*))?$/,
    ],
    ends: /^\s*Test (?:[Cc]ase|[Ss]uite) '|^\S{0,2} ?(?:Test|Suite) .* (?:passed|started|failed)|^\S+: error: |^\s*✔ /,
  },
];

const OTHERS: readonly LogFormat[] = [
  {
    name: "sbt",
    seen: / \*\*\* FAILED \*\*\*|^==> X |^Test \S+ failed: |^Failed: Total \d+, Failed|^Total for specification/,
    heads: [
      /^\s*-+ (?<name>\S.*?) \*\*\* FAILED \*\*\*/,
      /^==> X (?<name>\S.*?) {2}\d[\d.]*m?s(?: (?<words>.*))?$/,
      /^Test (?<name>\S+) failed: (?<words>.*)$/,
      /^\s*[x!] (?<name>\S.*)$/,
    ],
    ends: /^\s*-+ |^\s*\+ |^==> |^(?:Test|Passed|Failed|Tests|Run|Total)\b/,
  },
  {
    name: "ExUnit",
    seen: /^\d+ (?:tests?|doctests?|propert(?:y|ies)), .*\d+ failures?|^\s{1,4}\d+\) test \S.* \([\w.]+\)$/,
    heads: [/^\s{1,4}\d+\) (?:test|property|doctest) (?<name>\S.*) \((?<holder>[\w.]+)\)$/],
    ends: /^Finished in |^\d+ (?:tests?|doctests?|propert)/,
  },
  {
    name: "Dart",
    seen: /^\d\d:\d\d \+\d+(?: ~\d+)?(?: -\d+)?: |^(?:✅|❌) \S.*(?:\(failed\))?$/,
    heads: [
      { pattern: /^\d\d:\d\d \+\d+[ ~\d-]*: loading (?<path>\S+\.dart) \[E\]$/, suite: true },
      /^\d\d:\d\d \+\d+[ ~\d-]*: (?:(?<path>\S+\.dart): )?(?<name>\S.*) \[E\]$/,
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
    name: "Test::More",
    seen: /^#? *# {3}Failed test /,
    heads: [/^#? *# {3}Failed test '(?<name>.*)'$/],
    ends: /^(?:not )?ok \d|^\s*# Looks like|^\S+\.t \.\./,
  },
  {
    name: "Pester",
    seen: /^Tests Passed: \d+, Failed: \d+|^\s*\[[+-]\] \S.* \d+m?s/,
    heads: [/^\s*\[-\] (?<name>\S.*?) \d[\d.]*m?s\b/],
    ends: /^\s*\[[+!]\] |^Tests (?:Passed|completed)/,
  },
  {
    name: "clojure.test",
    seen: /^Ran \d+ tests containing \d+ assertions/,
    heads: [/^(?:FAIL|ERROR) in \(?(?<name>[^\s()]+)\)? \(/],
    ends: /^$|^Ran \d+ tests/,
  },
  {
    name: "testthat",
    seen: /^\[ FAIL \d+ \| WARN \d+/,
    heads: [
      /^(?:──+ |\d+\. )?(?:Failure|Error) \(['‘]?(?<path>[^:'’)]+)[^)]*\): (?<name>.*?)(?: ─+)?$/,
      /^(?:──+ |\d+\. )?(?:Failure|Error) in ['‘]?(?<path>[^:'’]+)[:\d'’]*: (?<name>.*?)(?: ─+)?$/,
    ],
    ends: /^──+ |^\[ FAIL \d/,
  },
];

export const LOG_FORMATS: readonly LogFormat[] = [
  ...JAVASCRIPT,
  ...PYTHON,
  ...RUBY_AND_PHP,
  ...COMPILED,
  ...NATIVE,
  ...OTHERS,
];
