import { JAVASCRIPT, type LogFormat, PYTHON } from "./script-formats.ts";

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
