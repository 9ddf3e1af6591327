import type { FailureCause } from "../../model/verdict.ts";

/** What is said of a cause; of several the one that is said first counts, and of those in one place the first here. */
const CAUSES: readonly (readonly [FailureCause, RegExp])[] = [
  [
    "time-out",
    /Exceeded timeout of \d|Test timed out in \d|Timeout of \d+ ?ms exceeded|Timeout \(?>|test timed out after|testTimeoutFailure|TestTimedOut|timed out after \d+ (?:milli)?seconds|execution timed out|exceeded timeout of|panic: test timed out|ended without calling done/i,
  ],
  [
    "set-up",
    /ERROR at (?:setup|teardown)|fixture '[^']{1,80}' not found|initializationError|hookFailed|for a hook|\b(?:before|after)(?:Each|All)\b.{0,40}(?:hook|failed)|ECONNREFUSED|Could not find (?:a )?valid Docker|database .{0,60} does not exist/i,
  ],
  [
    "import",
    /Cannot find (?:module|package|name)|Could not (?:find|resolve) (?:module|package)|ModuleNotFoundError|ImportError|No module named|Failed to (?:resolve import|load url)|does not provide an export|ERR_MODULE_NOT_FOUND|cannot find package|no required module provides|unresolved import|NoClassDefFoundError|ClassNotFoundException|package [\w.]{1,200} does not exist|cannot find symbol|cannot load such file|LoadError|Class "?[\w\\]{1,200}"? not found|type or namespace name|uninitialized constant/i,
  ],
  [
    "syntax",
    /SyntaxError|IndentationError|ParseError|Parse error|syntax error|error TS\d|error CS\d|error\[E\d|could not compile|COMPILATION ERROR|Compilation fail(?:ed|ure)|\[build failed\]|\[setup failed\]|: undefined: |Unexpected token|Transform failed|not enough arguments in call|compileTest\w* FAILED/i,
  ],
  [
    "assertion",
    /(?:^|[\s:(])(?:\w+(?:Error|Exception)(?: \[[A-Z_]+\])?: {0,4}\n?)?(?:expect(?:ed|ing|ation)?\b|assert\w*\b|should (?:be|not|have|contain|equal)|to (?:be|equal|have|match)\b)|\w*Assert\w*(?:Error|Failed|Exception|Failure)\w*|ERR_ASSERTION|ComparisonFailure|Failed asserting|DID NOT RAISE|Failed: |_test\.go:\d|panicked at |Condition not satisfied|Wanted but not invoked|but (?:was|found|got)\b|EqualException|MultipleFailuresError|TestingLibraryElementError|did not panic|Unable to find (?:an|a|role) |did not equal|Snapshot|XCTAssert\w*|^Expectation failed|Issue recorded|with expansion:|is NOT correct|\bhas failed(?: \[|$)|' failed$|^\S+[:(]\d+\)?: (?:error: )?Failure$|Test failed via|\bmatch \(=\) failed|\bnot equal to\b|did not (?:contain|have|include|match|start|end)\b|was not (?:equal|empty|an? instance)\b|ComparisonFailException|^\s*(?:left|Actual|actual|got|want): |^- Expected|Difference:/im,
  ],
  ["crash", /due to unexpected exceptions?\b|^(?:unknown file: Failure\n)?C\+\+ exception with description/m],
  ["error", /\b\w*(?:Error|Exception)\b|^panic: |\bfatal\b|Segmentation fault|^thrown:|undefined method/m],
];

/** Headings of runners, which name an error without telling one; RSpec's holds the line that failed. */
const HEADING = /^[ \t]*(?:Failure\/Error:.*|Error Message:|Error:|Failure:)$/gm;

/** The cause that a failure's words tell; undefined when they tell none. */
export function causeOf(said: string): FailureCause | undefined {
  const words = said.replace(HEADING, "");
  let best: FailureCause | undefined;
  let first = Number.POSITIVE_INFINITY;
  for (const [cause, pattern] of CAUSES) {
    const found = pattern.exec(words)?.index;
    if (found === undefined) continue;
    // "Error: Cannot find module": what is said behind the name of an error counts before the name.
    const at = cause === "error" ? endOfLine(words, found) : found;
    if (at >= first) continue;
    best = cause;
    first = at;
  }
  return best;
}

function endOfLine(text: string, at: number): number {
  const end = text.indexOf("\n", at);
  return end < 0 ? text.length : end;
}

/** What is newly wrong beside tests, for words that name none: what never came to its tests. */
export function buildFault(line: string): FailureCause | undefined {
  if (!FAULT.test(line)) return undefined;
  const cause = causeOf(line);
  return cause === "import" || cause === "time-out" ? cause : "syntax";
}

const FAULT =
  /^(?:Error: |E +|\[ERROR\] +|npm (?:ERR!|error) )?(?:\S+ ?[:(]\d+[:,)\d]* ?[:-]? ?)?(?:error(?:\[E\d+\]| TS\d+| CS\d+)|\w*SyntaxError|IndentationError|ModuleNotFoundError|ImportError|Error: Cannot find module|Cannot find (?:module|package)|COMPILATION ERROR|PHP (?:Parse|Fatal) error|Parse error|cannot find package|no required module)|^FAIL\s.*\[(?:build|setup) failed\]|^error: could not compile|^panic: test timed out|^\S+\.go:\d+:\d+: |^> Task \S*compile\w* FAILED|^e: |^\S+\.java:\d+: error:/i;
