import type { MaskedSource } from "./mask-source.ts";

/** An assertion as it is written, blanks apart, with its strictness: 3 is an exact one, 1 hardly says anything. */
export interface FoundAssertion {
  readonly text: string;
  readonly strictness: number;
}

/** A test, or under "" what a test's file asserts outside of its tests, in helpers. */
export interface FoundTest {
  readonly path: string;
  readonly name: string;
  /** 1-based */
  readonly line: number;
  /** positions in the text, with the attributes above it */
  readonly start: number;
  readonly end: number;
  readonly body: string;
  readonly code: string;
  readonly assertions: readonly FoundAssertion[];
}

/** Tests that are calls with a name: `it("…", () => …)`, `test "…" do`, `TEST(Suite, Name) {`. */
const CALLED =
  /(?<![\w$@>:])(?:it|its|test|specify|scenario|example|fit|xit|xtest|xspecify|testWidgets|Deno\.test|t\.test|TEST(?:_(?!ASSERT|FAIL|IGNORE|PASS|MESSAGE)\w+)?|TYPED_TEST\w*|SCENARIO|START_TEST|BOOST_\w*TEST_CASE|DOCTEST_\w+)(?:\.\w+)*(?=\s*[(`]|[ \t]+["'])/g;

const FUNCTION =
  /\b(?:func|fun|fn|def|function|void|Task(?:<[^>\n]*>)?|ValueTask|int|static)\s+(?:\([^)\n]*\)\s*)?(?:`([^`\n]+)`|(\w+[?!]?))\s*(?:<[^>\n]*>)?(?=\s*[({:\n])/g;

const TEST_NAME = /^_?(?:[tT]est|Fuzz|Benchmark|Example)(?![a-z]*able)/;

const TEST_ATTRIBUTE =
  /[@[]\s*(?:[\w:.\\]*[:.\\])?(?:Test|ParameterizedTest|RepeatedTest|TestFactory|TestTemplate|Property|Fact|Theory|TestCase|TestCaseSource|TestMethod|DataTestMethod|DataRow|Skippable\w+|test|rstest|test_case|case|wasm_bindgen_test|proptest|quickcheck|Before\w*)\b/;

const NO_CALLS = /\.(?:pyi?|go|rs|java|cs)$/i;

/** The tests of a masked program in their order, and its assertions outside of them. */
export function readTests(source: MaskedSource): readonly FoundTest[] {
  const { path, code } = source;
  const found: FoundTest[] = [];
  const note = (name: string, from: number, end: number) => {
    if (found.length >= MAX_TESTS) return;
    const start = withAttributes(code, from);
    found.push(testOf(source, name, { start, from, end }));
  };
  if (!NO_CALLS.test(path)) {
    for (const { 0: own, index } of code.matchAll(CALLED)) {
      const end = found.length < MAX_TESTS ? endOfCall(path, code, index, index + own.length) : undefined;
      if (end !== undefined) note(nameOfCall(source, index + own.length, end), index, end);
    }
  }
  for (const { 0: own, 1: quoted, 2: plain, index } of code.matchAll(FUNCTION)) {
    const name = quoted ?? plain ?? "";
    const above = source.text.slice(withAttributes(code, index), index);
    if (!TEST_NAME.test(name) && !TEST_ATTRIBUTE.test(above) && !/@test\b/.test(above)) continue;
    const end = endOfFunction(path, code, index, index + own.length);
    if (end !== undefined) note(name, index, end);
  }
  const outside = found.reduce((rest, { start, end }) => blanked(rest, start, end), code);
  return [
    ...found.sort((a, b) => a.start - b.start),
    testOf({ ...source, code: outside }, "", { start: 0, from: 0, end: code.length }),
  ];
}

const blanked = (code: string, start: number, end: number) =>
  code.slice(0, start) + code.slice(start, end).replace(/[^\n]/g, " ") + code.slice(end);

function testOf(
  { path, text, code }: MaskedSource,
  name: string,
  { start, from, end }: { readonly start: number; readonly from: number; readonly end: number },
): FoundTest {
  const own = code.slice(start, end);
  return {
    ...{ path, name, start, end, line: text.slice(0, from).split("\n").length },
    ...{ body: text.slice(start, end), code: own, assertions: assertionsOf(text.slice(start, end), own) },
  };
}

/** Where the lines above that belong to a declaration begin: attributes, annotations and decorators, with their arguments. */
function withAttributes(code: string, from: number): number {
  let start = code.lastIndexOf("\n", from - 1) + 1;
  const indent = /^[ \t]*/.exec(code.slice(start))?.[0].length ?? 0;
  while (start > 0) {
    const above = code.lastIndexOf("\n", start - 2) + 1;
    const line = code.slice(above, start - 1);
    const depth = /^[ \t]*/.exec(line)?.[0].length ?? 0;
    const belongs =
      line.trim() !== "" && (/^\s*(?:@|\[|#\[|[)\]])/.test(line) || (depth > indent && isInAttribute(code, above)));
    if (!belongs) break;
    start = above;
  }
  return start;
}

/** Characters of the attributes above a declaration. */
const MAX_ATTRIBUTES = 4_000;

/** A line of arguments: some line before it opens an attribute, and none in between is empty. */
function isInAttribute(code: string, at: number): boolean {
  const block = code.slice(Math.max(0, code.lastIndexOf("\n\n", at), at - MAX_ATTRIBUTES), at);
  return /^\s*(?:@|#?\[)[^\n]*[([{,]\s*$/m.test(block);
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

/** Characters of one test, its assertions, and tests of one file: more are generated. */
const MAX_SPAN = 50_000;

const MAX_ASSERTIONS = 1_000;

const MAX_TESTS = 1_000;

const PAIRS: Readonly<Record<string, string>> = { "(": ")", "{": "}", "[": "]" };

/** The end of what opens at `at`; undefined where nothing closes it. */
function closing(code: string, at: number): number | undefined {
  const close = PAIRS[code[at] ?? ""];
  let depth = 0;
  for (let index = at; index < Math.min(code.length, at + MAX_SPAN); index++) {
    if (code[index] === code[at]) depth++;
    else if (code[index] === close && --depth === 0) return index + 1;
  }
  return undefined;
}

const skipBlanks = (code: string, at: number) => at + (/^\s*/.exec(code.slice(at, at + 400))?.[0].length ?? 0);

function endOfCall(path: string, code: string, start: number, after: number): number | undefined {
  if (/\.(?:rb|exs?)$/i.test(path)) return endOfRubyBlock(code, start);
  let at = skipBlanks(code, after);
  let end: number | undefined;
  while (code[at] === "(" || code[at] === "`" || (code[at] === "{" && end !== undefined)) {
    const close = code[at] === "`" ? code.indexOf("`", at + 1) + 1 : closing(code, at);
    if (close === undefined || close === 0) return end;
    const isBody = code[at] === "{";
    end = close;
    if (isBody) break;
    at = skipBlanks(code, close);
  }
  return end;
}

/** To the `end` that is as far in as its beginning; a block in braces to its brace; one without a body is none. */
function endOfRubyBlock(code: string, start: number): number | undefined {
  const line = code.lastIndexOf("\n", start - 1) + 1;
  const eol = code.indexOf("\n", start) < 0 ? code.length : code.indexOf("\n", start);
  const head = code.slice(start, eol);
  if (!/\bdo\b|^def\b/.test(head)) {
    const brace = head.indexOf("{");
    return brace < 0 ? undefined : closing(code, start + brace);
  }
  const indent = /^[ \t]*/.exec(code.slice(line))?.[0] ?? "";
  const end = new RegExp(`^${indent}end\\b`, "m").exec(code.slice(eol));
  return end ? eol + end.index + end[0].length : undefined;
}

function endOfFunction(path: string, code: string, start: number, after: number): number | undefined {
  if (/\.(?:rb|exs?)$/i.test(path)) return endOfRubyBlock(code, start);
  if (/\.pyi?$/i.test(path)) return endOfIndented(code, start);
  const brace = code.indexOf("{", after);
  const stop = code.indexOf(";", after);
  return brace < 0 || (stop >= 0 && stop < brace) ? undefined : closing(code, brace);
}

function endOfIndented(code: string, start: number): number {
  const line = code.lastIndexOf("\n", start - 1) + 1;
  const indent = /^[ \t]*/.exec(code.slice(line))?.[0].length ?? 0;
  const head = code.indexOf(":", code.indexOf(")", start));
  const next = new RegExp(`\\n[ \\t]{0,${indent}}[^\\s)]`).exec(code.slice(head));
  return next ? head + next.index : code.length;
}

const ASSERTION =
  /(?<![\w$])(?:(?:ck_|XCT|debug_|prop_)?[aA]ssert\w*!?|(?:(?:TEST_)?ASSERT|EXPECT|REQUIRE|CHECK|BOOST_(?:CHECK|REQUIRE))\w*|expect\w*|[sS]hould\w*|[vV]erify\w*|[rR]efute\w*|must_\w+|wont_\w+|pytest\.raises|[tb]\.(?:Error|Fatal|Fail|is|not|equal|same|ok|deepEqual|true|false|throws\w*|match\w*|snapshot|like|regex|plan)\w*|require(?=\.[A-Z]))(?![\w$])(?=\s*[.(!]|[ \t]+[^\s=;)},:])/g;

/** Parts of an assertion that look like one. */
const NO_ASSERTION =
  /^(?:expect\.(?:any|anything|\w+Containing|stringMatching|closeTo|extend|not)\b|should_panic|assert(?:ion)?s?\s+from\b|expected?\b)/;

function assertionsOf(text: string, code: string): FoundAssertion[] {
  return [...code.matchAll(ASSERTION)].slice(0, MAX_ASSERTIONS).flatMap(({ index }) => {
    const line = code.slice(code.lastIndexOf("\n", index) + 1, index);
    if (NO_ASSERTION.test(code.slice(index, index + 40)) || /^\s*(?:import|from|use|using|#include|@)\b/.test(line))
      return [];
    const end = endOfChain(code, index);
    const own = text
      .slice(index, end)
      .replace(/\s+/g, " ")
      .replace(/,\s*([)\]}])/g, "$1")
      .trim();
    const found = STRICTNESS.find(([pattern]) => pattern.test(code.slice(index, end).replace(/\s+/g, " ")));
    return [{ text: own, strictness: found?.[1] ?? 3 }];
  });
}

/** A call with all that is chained to it; a statement without brackets ends with its line. */
function endOfChain(code: string, start: number): number {
  const word = start + (/^[\w$.!]+(?:::\w+)*/.exec(code.slice(start, start + 120))?.[0].length ?? 1);
  let at = word;
  for (;;) {
    const next = skipBlanks(code, at);
    const link = /^(?:\?\.|\.|->|::|!)\s*[\w$]+!?|^<[\w., ?]*>(?=\()/.exec(code.slice(next, next + 120))?.[0];
    if (code[next] === "(" || (code[next] === "[" && next === at)) at = closing(code, next) ?? code.length;
    else if (link) at = next + link.length;
    else break;
  }
  if (at !== word && !/^[ \t]*(?:==|!=|to\b|be\b|is\b|in\b|and\b|or\b|[<>+*%-])/.test(code.slice(at, at + 12)))
    return at;
  for (let depth = 0; at < code.length; at++) {
    if (/[([{]/.test(code[at] ?? "")) depth++;
    else if (/[)\]}]/.test(code[at] ?? "") && --depth < 0) return at;
    else if (depth === 0 && /[\n;]/.test(code[at] ?? "")) return at;
  }
  return at;
}

/** How strict an assertion is, by its words; the first that fits. */
const STRICTNESS: readonly (readonly [RegExp, number])[] = [
  [
    /toBe(?:Truthy|Falsy|Defined|InTheDocument)\b|not\.to(?:Be(?:Null|Undefined)|Throw)|to(?:Throw|HaveBeenCalled|Reject)(?:Error)?\(\s*\)|\bassertIsNotNone\b|\bassert(?:Not)?Null\b|\bassertTrue\s*\(\s*true|isNotNull\(\)|isTruthy|be_truthy|be_present|\.ok\s*\(|NotNull\b|NotEmpty\b|\bis not None\s*$|\.exist\b|is_(?:some|ok)\(\)|NotNil\b|raise_error\s*$|expect\.any|Throws?(?:Any)?<(?:System\.)?Exception>|raises\(\s*(?:Base)?Exception\s*\)|assertThrows\(\s*(?:Exception|Throwable)\.class|!=\s*nil|DoesNotThrow/,
    1,
  ],
  [
    /toMatch\w*|toContain\w*|toHaveLength|to(?:Be)?(?:Greater|Less)\w*|toBeCloseTo|toBeInstanceOf|toHaveProperty|(?:array|object|string)Containing|\bassert(?:Not)?In\b|assert(?:Greater|Less|AlmostEqual|Regex|IsInstance|Contains|StringContains|MatchesRegularExpression)\w*|\bapprox\b|InDelta|InEpsilon|_NEAR\b|\bcontains?\b|\binclude[sd]?\b|\bmatch(?:es)?\b|StartsWith|EndsWith|GreaterThan|LessThan|be_(?:within|kind_of|a|an)\b|isInstance|\bin\b|[^=!<>-](?:>=|<=|>|<)[^=>]|!==?|\bNotEqual\b|assertNotEqual|\bassert(?:True|False)\b|XCTAssert(?:True|False)|assert!\s*\(\s*matches!/,
    2,
  ],
  [/./, 3],
];
