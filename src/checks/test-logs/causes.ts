import type { FailureCause } from "../../data/verdict.ts";
import { anyOf, either } from "../../text/patterns.ts";

const TIME_OUT = either(
  "im",
  /\b(?:test|execution|hook|promise|callback) timed? ?out\b|\btimed out (?:after|in|while|waiting)\b/,
  /\bexceeded (?:the )?(?:its )?(?:execution )?time-?out\b|\btime-?out of \d+ ?m?s exceeded/,
  /^(?:\w*Error: )?time-?out\b ?(?:-|\(?>|:|exceeded|expired|after)/,
  /\bfailed: (?:exceeded )?time-?out\b/,
  /\bnot (?:invoked|called|complete[d]?|resolved?|finished?) within (?:the )?(?:\d|timeout)/,
  /testTimeoutFailure|TestTimedOut|TimeoutExpired|ExUnit\.TimeoutError|UncompletedCoroutines/,
  /ended without calling done|promise returned by test never resolved|execution expired|was aborted after \d/,
);

const SET_UP = either(
  "i",
  /ERROR at (?:setup|teardown)|fixture '[^']{1,80}' not found|initializationError|hookFailed|for a hook/,
  /\b(?:before|after)(?:Each|All)\b.{0,40}(?:hook|failed)/,
  /ECONNREFUSED|Could not find (?:a )?valid Docker|database .{0,60} does not exist/,
);

const IMPORT = either(
  "i",
  /Cannot find (?:module|package|name)|Could not (?:find|resolve) (?:module|package)|cannot find (?:package|symbol)/,
  /ModuleNotFoundError|ImportError|No module named|NoClassDefFoundError|ClassNotFoundException|LoadError/,
  /Failed to (?:resolve import|load url)|does not provide an export|ERR_MODULE_NOT_FOUND|unresolved import/,
  /no required module provides|package [\w.]{1,200} does not exist|cannot load such file/,
  /Class "?[\w\\]{1,200}"? not found|type or namespace name|uninitialized constant/,
);

const SYNTAX = either(
  "i",
  /SyntaxError|IndentationError|ParseError|Parse error|syntax error|Unexpected token|Transform failed/,
  /error TS\d|error CS\d|error\[E\d|could not compile|COMPILATION ERROR|Compilation fail(?:ed|ure)/,
  /\[build failed\]|\[setup failed\]|: undefined: |not enough arguments in call|compileTest\w* FAILED/,
);

const ASSERTED = ["expect(?:ed|ing|ation)?\\b", "assert\\w*\\b", "should (?:be|not|have|contain|equal)"];

const ASSERTION = either(
  "im",
  // An assertion's word, at the beginning or after the name of its error.
  new RegExp(
    `(?:^|[\\s:(])(?:\\w+(?:Error|Exception)(?: \\[[A-Z_]+\\])?: {0,4}\\n?)?` +
      `(?:${ASSERTED.join("|")}|to (?:be|equal|have|match)\\b)`,
  ),
  /Assert\w{0,60}(?:Error|Failed|Exception|Failure)|ERR_ASSERTION|ComparisonFailure|ComparisonFailException/,
  /EqualException|MultipleFailuresError|TestingLibraryElementError|mockito\.exceptions\.verification/,
  /Failed asserting|DID NOT RAISE|Failed: |_test\.go:\d|panicked at |did not panic|Condition not satisfied/,
  /Wanted but not invoked|but (?:was|found|got)\b|did not equal|\bnot equal to\b|\bmatch \(=\) failed/,
  /did not (?:contain|have|include|match|start|end)\b|was not (?:equal|empty|an? instance)\b/,
  /Unable to find (?:an|a|role) |Snapshot|XCTAssert\w*|^Expectation failed|Issue recorded|with expansion:/,
  /is NOT correct|\bhas failed(?: \[|$)|' failed$|^\S+[:(]\d+\)?: (?:error: )?Failure$|Test failed via/,
  /^[ \t]*(?:left|Actual|actual|got|want): |^- Expected|Difference:/,
);

const CRASH = either(
  "m",
  /due to unexpected exceptions?\b|^(?:unknown file: Failure\n)?C\+\+ exception with description/,
);

const ERROR = either("m", /\b\w*(?:Error|Exception)\b|^panic: |\bfatal\b|Segmentation fault|^thrown:|undefined method/);

/** The words for each cause. The earliest in the text counts; in the same place, the first in this list. */
const CAUSES: readonly (readonly [FailureCause, RegExp])[] = [
  ["time-out", TIME_OUT],
  ["set-up", SET_UP],
  ["import", IMPORT],
  ["syntax", SYNTAX],
  ["assertion", ASSERTION],
  ["crash", CRASH],
  ["error", ERROR],
];

/** Headings of runners, which say "error" and name none; RSpec's holds the line that failed. */
const HEADING = /^[ \t]*(?:Failure\/Error:.*|Error Message:|Error:|Failure:)$/gm;

/** The cause of a failure, by its words; undefined when they show none. */
export function causeOf(said: string): FailureCause | undefined {
  const words = said.replace(HEADING, "");
  let best: FailureCause | undefined;
  let first = Number.POSITIVE_INFINITY;
  for (const [cause, pattern] of CAUSES) {
    const found = pattern.exec(words)?.index;
    if (found === undefined) continue;
    // "Error: Cannot find module": the words after an error's name count before the name.
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

/** The cause when a build failed before its tests ran, by a line of its log; undefined for other lines. */
export function buildFault(line: string): FailureCause | undefined {
  if (!FAULT.test(line)) return undefined;
  const cause = causeOf(line);
  return cause === "import" || cause === "time-out" ? cause : "syntax";
}

const FAULTS = anyOf(
  /error(?:\[E\d+\]| TS\d+| CS\d+)|\w{0,40}SyntaxError|IndentationError|COMPILATION ERROR/,
  /PHP (?:Parse|Fatal) error|Parse error/,
  /ModuleNotFoundError|ImportError|(?:Error: )?Cannot find module|cannot find package|no required module/,
);

const FAULT = either(
  "i",
  new RegExp(
    `^(?:Error: |E +|\\[ERROR\\] +|npm (?:ERR!|error) )?(?:(?:[A-Za-z]:|file:)?[^\\s:(]+ ?[:(]\\d[:,)\\d]* ?[:-]? ?)?(?:${FAULTS.source})`,
  ),
  /^FAIL\s.*\[(?:build|setup) failed\]|^error: could not compile|^panic: test timed out|^\S+\.go:\d+:\d+: /,
  /^> Task \S*compile\w* FAILED|^e: |^\S+\.java:\d+: error:/,
);
