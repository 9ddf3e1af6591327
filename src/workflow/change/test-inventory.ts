import { anyOf, listed } from "../../search/patterns.ts";
import {
  closing,
  endOfCall,
  endOfFunction,
  type Fuel,
  lineFinder,
  type MaskedSource,
  skipBlanks,
  withAttributes,
} from "./mask-source.ts";

/** An assertion as written, without blanks, and its strictness: 3 is exact, 1 hardly says anything. */
export interface FoundAssertion {
  readonly text: string;
  readonly strictness: number;
}

/** A test, or under "" what a test file asserts outside of tests, in helpers. */
export interface FoundTest {
  readonly path: string;
  readonly name: string;
  /** 1-based */
  readonly line: number;
  /** positions in the text, including the attributes above */
  readonly start: number;
  readonly end: number;
  readonly body: string;
  readonly code: string;
  readonly assertions: readonly FoundAssertion[];
}

/** Tests that are calls with a name: `it("…", () => …)`, `test "…" do`, `TEST(Suite, Name) {`. */
const CALLED = new RegExp(
  listed(
    String.raw`(?<![\w$@>:])`,
    String.raw`
      it its test specify scenario example fit xit xtest xspecify testWidgets Deno\.test t\.test
      TEST(?:_(?!ASSERT|FAIL|IGNORE|PASS|MESSAGE)\w+)? TYPED_TEST\w* SCENARIO START_TEST BOOST_\w*TEST_CASE DOCTEST_\w+`,
    "(?:\\.\\w+)*(?=\\s*[(`]|[ \\t]+[\"'])",
  ),
  "g",
);

const FUNCTION = new RegExp(
  [
    /\b(?:func|fun|fn|def|function|void|Task(?:<[^>\n]*>)?|ValueTask|int|static)\s+(?:\([^)\n]*\)\s*)?/,
    /(?:`([^`\n]+)`|(\w+[?!]?))\s*(?:<[^>\n]*>)?(?=\s*[({:\n])/,
  ]
    .map(({ source }) => source)
    .join(""),
  "g",
);

const TEST_NAME = /^_?(?:[tT]est|Fuzz|Benchmark|Example)(?![a-z]*able)/;

const TEST_ATTRIBUTE = listed(
  String.raw`[@[]\s*(?:[\w:.\\]*[:.\\])?`,
  String.raw`
    Test ParameterizedTest RepeatedTest TestFactory TestTemplate Property Fact Theory TestCase TestCaseSource TestMethod
    DataTestMethod DataRow Skippable\w+ test rstest test_case case wasm_bindgen_test proptest quickcheck Before\w*`,
  String.raw`\b`,
);

const NO_CALLS = /\.(?:pyi?|go|rs|java|cs)$/i;

/** Characters read in one program. */
const MAX_WORK = 2_000_000;

/** Assertions and tests of one file, and characters of one assertion. Files with more are generated. */
const MAX_ASSERTIONS = 1_000;

const MAX_ASSERTION = 10_000;

const MAX_TESTS = 1_000;

/** The tests of a masked program in order, and its assertions outside of them. */
export function readTests(source: MaskedSource): readonly FoundTest[] {
  const { path, code } = source;
  const found: FoundTest[] = [];
  const fuel: Fuel = { left: MAX_WORK };
  const lineAt = lineFinder(source.text);
  const note = (name: string, from: number, end: number) => {
    const start = withAttributes(code, from, fuel);
    found.push(testOf(source, name, { start, line: lineAt(from), end }, fuel));
  };
  const isFull = () => found.length >= MAX_TESTS || fuel.left <= 0;
  for (const { 0: own, index } of NO_CALLS.test(path) ? [] : code.matchAll(CALLED)) {
    if (isFull()) break;
    const end = endOfCall(path, code, { start: index, after: index + own.length }, fuel);
    if (end !== undefined) note(nameOfCall(source, index + own.length, end), index, end);
  }
  for (const { 0: own, 1: quoted, 2: plain, index } of code.matchAll(FUNCTION)) {
    if (isFull()) break;
    const name = quoted ?? plain ?? "";
    const above = source.text.slice(withAttributes(code, index, fuel), index);
    if (!TEST_NAME.test(name) && !TEST_ATTRIBUTE.test(above) && !/@test\b/.test(above)) continue;
    const end = endOfFunction(path, code, { start: index, after: index + own.length }, fuel);
    if (end !== undefined) note(name, index, end);
  }
  found.sort((a, b) => a.start - b.start);
  const rest = { ...source, code: outsideOf(code, found) };
  return [...found, testOf(rest, "", { start: 0, line: 1, end: code.length }, { left: MAX_WORK })];
}

/** A program with its tests blanked. */
function outsideOf(code: string, tests: readonly FoundTest[]): string {
  let [rest, at] = ["", 0];
  for (const { start, end } of tests) {
    if (end <= at) continue;
    const from = Math.max(at, start);
    rest += code.slice(at, from) + code.slice(from, end).replace(/[^\n]/g, " ");
    at = end;
  }
  return rest + code.slice(at);
}

function testOf(
  { path, text, code }: MaskedSource,
  name: string,
  { start, line, end }: { readonly start: number; readonly line: number; readonly end: number },
  fuel: Fuel,
): FoundTest {
  fuel.left -= end - start;
  const [body, own] = fuel.left > 0 ? [text.slice(start, end), code.slice(start, end)] : ["", ""];
  return { path, name, start, end, line, body, code: own, assertions: assertionsOf(body, own, fuel) };
}

function nameOfCall({ text, code }: MaskedSource, from: number, end: number): string {
  const first = /["'`]/.exec(code.slice(from, end));
  const opening = code.slice(from, end).search(/[{\n]/);
  if (!first || (opening >= 0 && first.index > opening && code.slice(from, from + opening).trim() !== "(")) {
    return text
      .slice(from, opening < 0 ? end : from + opening)
      .replace(/\s+/g, " ")
      .trim();
  }
  const close = code.indexOf(first[0], from + first.index + 1);
  return text.slice(from + first.index + 1, close < 0 ? end : close);
}

const ASSERTION = new RegExp(
  listed(
    String.raw`(?<![\w$])`,
    String.raw`
      (?:ck_|XCT|debug_|prop_)?[aA]ssert\w*!? (?:(?:TEST_)?ASSERT|EXPECT|REQUIRE|CHECK|BOOST_(?:CHECK|REQUIRE))\w*
      expect\w* [sS]hould\w* [vV]erify\w* [rR]efute\w* must_\w+ wont_\w+ pytest\.raises
      [tb]\.(?:Error|Fatal|Fail|is|not|equal|same|ok|deepEqual|true|false|throws|match|snapshot|like|regex|plan)\w*
      require(?=\.[A-Z])`,
    String.raw`(?![\w$])(?=\s*[.(!]|[ \t]+[^\s=;)},:])`,
  ),
  "g",
);

/** Parts of an assertion that look like one. */
const NO_ASSERTION = anyOf(
  /^(?:expect\.(?:any|anything|\w+Containing|stringMatching|closeTo|extend|not)\b|should_panic)/,
  /^(?:assert(?:ion)?s?\s+from\b|expected?\b)/,
);

function assertionsOf(text: string, code: string, fuel: Fuel): FoundAssertion[] {
  return [...code.matchAll(ASSERTION)].slice(0, MAX_ASSERTIONS).flatMap(({ index }) => {
    if (fuel.left <= 0) return [];
    const line = code.slice(code.lastIndexOf("\n", index) + 1, index);
    if (NO_ASSERTION.test(code.slice(index, index + 40)) || /^\s*(?:import|from|use|using|#include|@)\b/.test(line))
      return [];
    const end = Math.min(endOfChain(code, index, fuel), index + MAX_ASSERTION);
    fuel.left -= end - index;
    const own = text
      .slice(index, end)
      .replace(/\s+/g, " ")
      .replace(/,\s*([)\]}])/g, "$1")
      .trim();
    const found = STRICTNESS.find(([pattern]) => pattern.test(code.slice(index, end).replace(/\s+/g, " ")));
    return [{ text: own, strictness: found?.[1] ?? 3 }];
  });
}

/** A call with everything chained to it; a statement without brackets ends with its line. */
function endOfChain(code: string, start: number, fuel: Fuel): number {
  const word = start + (/^[\w$.!]+(?:::\w+)*/.exec(code.slice(start, start + 120))?.[0].length ?? 1);
  let at = word;
  for (;;) {
    const next = skipBlanks(code, at);
    const link = /^(?:\?\.|\.|->|::|!)\s*[\w$]+!?|^<[\w., ?]*>(?=\()/.exec(code.slice(next, next + 120))?.[0];
    if (code[next] === "(" || (code[next] === "[" && next === at)) at = closing(code, next, fuel) ?? code.length;
    else if (link) at = next + link.length;
    else break;
  }
  if (at !== word && !/^[ \t]*(?:==|!=|to\b|be\b|is\b|in\b|and\b|or\b|[<>+*%-])/.test(code.slice(at, at + 12)))
    return at;
  for (let depth = 0; at < Math.min(code.length, start + MAX_ASSERTION); at++) {
    if (/[([{]/.test(code[at] ?? "")) depth++;
    else if (/[)\]}]/.test(code[at] ?? "") && --depth < 0) return at;
    else if (depth === 0 && /[\n;]/.test(code[at] ?? "")) return at;
  }
  return at;
}

/** How strict an assertion is, by its words; the first match counts. */
const STRICTNESS: readonly (readonly [RegExp, number])[] = [
  [
    anyOf(
      /toBe(?:Truthy|Falsy|Defined|InTheDocument)\b|not\.to(?:Be(?:Null|Undefined)|Throw)/,
      /to(?:Throw|HaveBeenCalled|Reject)(?:Error)?\(\s*\)|\bassertIsNotNone\b|\bassert(?:Not)?Null\b/,
      /\bassertTrue\s*\(\s*true|isNotNull\(\)|isTruthy|be_truthy|be_present|\.ok\s*\(|NotNull\b|NotEmpty\b/,
      /\bis not None\s*$|\.exist\b|is_(?:some|ok)\(\)|NotNil\b|raise_error\s*$|expect\.any/,
      /Throws?(?:Any)?<(?:System\.)?Exception>|raises\(\s*(?:Base)?Exception\s*\)/,
      /assertThrows\(\s*(?:Exception|Throwable)\.class|!=\s*nil|DoesNotThrow/,
    ),
    1,
  ],
  [
    anyOf(
      /toMatch\w*|toContain\w*|toHaveLength|to(?:Be)?(?:Greater|Less)\w*|toBeCloseTo|toBeInstanceOf/,
      /toHaveProperty|(?:array|object|string)Containing|\bassert(?:Not)?In\b/,
      /assert(?:Greater|Less|AlmostEqual|Regex|IsInstance|Contains|StringContains)\w*/,
      /assert(?:MatchesRegularExpression)\w*/,
      /\bapprox\b|InDelta|InEpsilon|_NEAR\b|\bcontains?\b|\binclude[sd]?\b|\bmatch(?:es)?\b|StartsWith/,
      /EndsWith|GreaterThan|LessThan|be_(?:within|kind_of|a|an)\b|isInstance|\bin\b/,
      /[^=!<>-](?:>=|<=|>|<)[^=>]|!==?|\bNotEqual\b|assertNotEqual|\bassert(?:True|False)\b/,
      /XCTAssert(?:True|False)|assert!\s*\(\s*matches!/,
    ),
    2,
  ],
  [/./, 3],
];
