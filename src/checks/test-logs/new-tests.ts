import type { NewTest } from "../../data/verdict.ts";
import { anyOf } from "../../text/patterns.ts";
import { isSameFile } from "./clean-log.ts";

/** A declaration from the parser. */
interface Declared {
  name: string;
  kind: string;
  /** 1-based lines, both inclusive */
  start: number;
  end: number;
  parent?: string;
}

/** A version of a file; `symbols`: its declarations, if there is a grammar for its language. */
export interface ParsedText {
  text: string;
  symbols: readonly Declared[] | undefined;
}

const MAX_TESTS = 200;

/** The tests of a file that are new or whose text has changed. */
export function newTestsOf(path: string, before: ParsedText | undefined, after: ParsedText): readonly NewTest[] {
  const old = new Map((before ? testsIn(path, before) : []).map(({ test, body }) => [keyOf(test), body]));
  return testsIn(path, after)
    .filter(({ test, body }) => old.get(keyOf(test)) !== body)
    .map(({ test }) => (old.has(keyOf(test)) ? { ...test, before: true as const } : test))
    .slice(0, MAX_TESTS);
}

const keyOf = ({ within, name }: NewTest) => [...within, name].join("\u0000");

interface FoundTest {
  test: NewTest;
  body: string;
}

function testsIn(path: string, { text, symbols = [] }: ParsedText): readonly FoundTest[] {
  const lines = text.split(/\r?\n/);
  // Blank lines after a test are not part of it.
  const body = (start: number, end: number) => lines.slice(start, end).join("\n").trimEnd();
  const declared = symbols.flatMap(({ name, kind, start, end, parent }): FoundTest[] => {
    if (!/^(?:function|method)$/.test(kind)) return [];
    const above = marksOf(lines, start - 1, name);
    if (!isTest(path, name, above)) return [];
    const found = { path, within: parent === undefined ? [] : [parent], name };
    const shown = above.map((line) => DISPLAY_NAME.exec(line)?.[1]).find((title) => title !== undefined);
    const called = shown === undefined ? [] : [{ path, within: [], name: shown, also: true as const }];
    return [found, ...called].map((test) => ({ test, body: body(start - 1, end) }));
  });
  const called = callsIn(path, lines).map(({ start, end, within, name }) => ({
    test: { path, within, name },
    body: body(start, end),
  }));
  return declared.length + called.length > 0 ? [...declared, ...called] : [...titledIn(path, lines)];
}

/**
 * For files without a known form of test: any string that could be a title, since a project's own harness names its
 * checks in strings.
 */
function* titledIn(path: string, lines: readonly string[]): Generator<FoundTest> {
  for (const [at, line] of lines.entries()) {
    for (const [, , title = ""] of line.slice(0, MAX_LINE).matchAll(STRING)) {
      // Take the next line too: in shell scripts it holds what is checked.
      if (title.length > 7 && /^\p{L}.*\s\p{L}/u.test(title) && !/[%$\\]/.test(title))
        yield { test: { path, within: [], name: title, loose: true }, body: line + (lines[at + 1] ?? "") };
    }
  }
}

const MAX_LINE = 1_000;
const STRING = /(["'])((?:(?!\1)[^\\]|\\.){0,200})\1/g;

/** The lines above a declaration (comments, attributes), and its own up to its name. */
function marksOf(lines: readonly string[], start: number, name: string): readonly string[] {
  let first = start;
  while (first > 0 && /^\s*(?:@|#\[|\[|\/\/|\/?\*)/.test(lines[first - 1] ?? "")) first--;
  const own = lines.slice(start, start + 12).findIndex((line) => line.includes(name));
  return lines.slice(first, start + own + 1);
}

const DISPLAY_NAME = /(?:@DisplayName\(|DisplayName ?= ?)"([^"]{1,300})"/;

/** How tests are named, and below how they are marked, by the file's extension. */
const NAMED: readonly (readonly [RegExp, RegExp])[] = [
  [/\.py$/, /^test/],
  [/\.go$/, /^(?:Test|Fuzz|Example)/],
  [/\.php$/, /^test/],
  [/\.rb$/, /^test_/],
  [/\.java$/, /^test[A-Z_]/],
  [/\.(?:c|cc|cpp|cxx|m|mm)$/, /^test_?\w/],
];

const MARKED: readonly (readonly [RegExp, RegExp])[] = [
  [/\.rs$/, /#\[(?:\w+::)*(?:test|rstest|test_case|case|quickcheck|proptest)\b/],
  [/\.java$/, /@(?:\w*Test|Property|Theory)\b/],
  [/\.cs$/, /\[(?:\w+, ?)*(?:Fact|Theory|Test|TestCase|TestCaseSource|TestMethod|DataTestMethod|\w+Fact|\w+Theory)\b/],
  [/\.php$/, /@test\b|#\[Test/],
];

function isTest(path: string, name: string, above: readonly string[]): boolean {
  const fits = (table: typeof NAMED, holds: (pattern: RegExp) => boolean) =>
    table.some(([file, pattern]) => file.test(path) && holds(pattern));
  return (
    fits(NAMED, (pattern) => pattern.test(name)) || fits(MARKED, (pattern) => above.some((line) => pattern.test(line)))
  );
}

interface Call {
  start: number;
  end: number;
  within: readonly string[];
  name: string;
}

/** A computed title: any text. */
const ANY = "%s";

/** Names of calls that are a test or a group of tests. */
const CALLED = anyOf(
  /f?describe|suite|f?context|feature|f?it|F?(?:Describe|Context|When|It)|test|specify|scenario|example|should|group/,
  /testWidgets|test_that|subtest|TEST(?:_[FP]|_CASE\w*)?|SCENARIO|BOOST_\w{1,20}_TEST_CASE/,
).source;

const CALL = new RegExp(
  `^(\\s*)(?:(?:export|await|return|void) )?(?:(\\w{1,30})\\.)?(${CALLED})((?:\\.\\w+)*)` +
    `(?:\\s*\\(|\\s+(?=["'A-Z]))(.*)$`,
);

const GROUPS = /^(?:f?describe|suite|f?context|feature|group|F?(?:Describe|Context|When))$/;

const TITLE = /^(["'`])((?:\\.|(?!\1).)*)\1/;

/** By file name: a line that begins a test, with its title; `marked`: only when a mark stands above it or in it. */
const TEST_LINES: readonly { file: RegExp; line: RegExp; marked?: RegExp }[] = [
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

function lineTest(path: string, lines: readonly string[], at: number): RegExpExecArray | undefined {
  for (const { file, line, marked } of TEST_LINES) {
    const found = file.test(path) ? line.exec((lines[at] ?? "").slice(0, MAX_LINE)) : null;
    if (found && (!marked || lines.slice(Math.max(0, at - 3), at + 1).some((one) => marked.test(one)))) return found;
  }
  return undefined;
}

/** Tests that are calls with a title, as in JavaScript and Ruby; nesting is read from the indent. */
function callsIn(path: string, lines: readonly string[]): readonly Call[] {
  const calls: Call[] = [];
  const groups: { indent: number; title: string }[] = [];
  for (const [at, line] of lines.entries()) {
    const marked = lineTest(path, lines, at);
    const call = marked ? null : CALL.exec(line);
    if (!call && !marked) continue;
    const indent = (call ?? marked)?.[1]?.length ?? 0;
    while ((groups.at(-1)?.indent ?? -1) >= indent) groups.pop();
    const title = marked
      ? [marked[2] ?? marked[3] ?? ANY]
      : titleOf(lines, at, call?.[4] ?? "", call?.[5]?.trimStart() ?? "");
    const name = title?.at(-1) ?? ANY;
    if (title === undefined || (name === ANY && call?.[2] !== undefined)) continue;
    const outer = [...groups.map(({ title: name }) => name), ...title.slice(0, -1)];
    if (call && GROUPS.test(call[3] ?? "")) groups.push({ indent, title: name });
    // A computed title cannot identify a test.
    else if (/[\p{L}\p{N}]{2}/u.test(name.split(PLACEHOLDER).join(" ")))
      calls.push({ start: at, end: endOf(lines, at, indent), within: outer, name });
  }
  return calls;
}

const MAX_TABLE = 200;

/** The title, after its suite if the call names both (`TEST(Suite, Name)`); undefined: not a test. */
function titleOf(lines: readonly string[], at: number, members: string, rest: string): readonly string[] | undefined {
  if (/\.each$/.test(members)) {
    // `it.each(table)("title", …)`: the title comes after the table.
    const behind = lines.slice(at, at + MAX_TABLE).map((line) => /[\])`]\s*\(\s*(["'`].*)$/.exec(line)?.[1]);
    const found = TITLE.exec(behind.find((text) => text !== undefined) ?? "");
    return [found?.[2] === undefined ? ANY : unescaped(found[2])];
  }
  const call = rest === "" ? (lines[at + 1] ?? "").trim() : rest;
  const title = TITLE.exec(call);
  if (title) return [unescaped(title[2] ?? "")];
  const pair = /^(\w+), ?(\w+)\)/.exec(call);
  if (pair) return [pair[1] ?? "", pair[2] ?? ""];
  const single = /^\s*BOOST/.test(lines[at] ?? "") ? /^([a-z]\w*)/.exec(call) : null;
  if (single) return [single[1] ?? ANY];
  const constant = /^([A-Z][\w:]*)(?:, *(["'])(.*?)\2)?/.exec(call);
  if (constant) return [constant[3] ?? constant[1] ?? ANY];
  return /^(?:async\b|\(|function\b|\{)/.test(call) ? undefined : [ANY];
}

const unescaped = (title: string) => title.replace(/\\(.)/g, "$1");

/** The end (exclusive) of the block that begins at `at`: the next line indented no further, included if it closes. */
function endOf(lines: readonly string[], at: number, indent: number): number {
  for (let end = at + 1; end < lines.length; end++) {
    const line = lines[end] ?? "";
    const own = line.length - line.trimStart().length;
    if (line.trim() !== "" && own <= indent) return /^\s*(?:[)}\]]|end\b)/.test(line) ? end + 1 : end;
  }
  return lines.length;
}

/** The new test that a runner means by `name`, in the file `path` if the runner says so. */
export function findTest(
  tests: readonly NewTest[],
  { name, path }: { name: string; path?: string | undefined },
): NewTest | undefined {
  const fitting = path === undefined ? tests : tests.filter((test) => isSameFile(test.path, path));
  const forms = [...new Set([name, ...withoutCases(name)])];
  return fitting.find((test) => forms.some((text) => names(text, test)));
}

/** Surefire's "Sub>Super.method" for an inherited test. */
const INHERITED = /^([\w.$]+)>[\w.$>]*\.(\w+)/;

/** Possible names without what a runner adds for one case: parameters, data sets, sub-tests. */
function withoutCases(name: string): readonly string[] {
  const bare = name
    .replace(/ with data set .*$/, "")
    .replace(/ > \[\d+\].*$/, "")
    .replace(/ \((?:FAILED|ERROR|retry|repeat).*\)$/, "")
    .replace(/ <- \S+$/, "");
  const cut = [
    bare.replace(INHERITED, "$1.$2"),
    bare,
    bare.replace(/\[[^[\]]*\]$/, ""),
    (bare.split(/[({[]/, 1)[0] ?? "").trimEnd(),
  ];
  return /^\w+\/./.test(bare) ? [...cut, bare.slice(0, bare.indexOf("/"))] : cut;
}

/** Whether a runner means one of several cases of a test, whose number cannot be counted in its text. */
export function isCaseOf(
  tests: readonly NewTest[],
  { name, path }: { name: string; path?: string | undefined },
): boolean {
  const test = findTest(tests, { name, path });
  return test !== undefined && (PLACEHOLDER.test(test.name) || !names(name.replace(/\s+/g, " ").trim(), test));
}

function names(reported: string, test: NewTest): boolean {
  const text = reported.replace(/\s+/g, " ").trim();
  const start = endsWith(text, test.name.replace(/\s+/g, " ").trim());
  if (start >= 0) return standsIn(text.slice(0, start), test);
  const last = text.split(/[.:>›#\\/]/).at(-1) ?? "";
  return sameLetters(last, test.name) && standsIn(text.slice(0, text.length - last.length), test);
}

const JOINTS = /[\s.:>›#/$\\-]{1,40}(?:it\s{1,4})?$/;

/**
 * Whether what a runner puts before a test's name fits where the test is: its groups or class, in its file or package.
 */
function standsIn(before: string, { path, within }: NewTest): boolean {
  let rest = before.replace(JOINTS, "");
  if (rest === "") return true;
  for (const outer of [...within].reverse()) {
    const start = endsWith(rest, outer.replace(/\s+/g, " ").replace(JOINTS, ""), "glued");
    if (start < 0) return false;
    const [glued = ""] = (/^\w/.test(outer) && /(?<!\w)\w*$/.exec(rest.slice(0, start))) || [];
    // In Go, TestSuiteName runs the suite SuiteName.
    if (glued !== "" && glued !== "Test") return false;
    rest = rest.slice(0, start - glued.length).replace(JOINTS, "");
    // Some runners name only the innermost group.
    if (rest === "") return true;
  }
  const parts = path.split("/").map((part) => wordsIn(part.replace(/\.\w+$/, "")).join(""));
  const inPath = [...wordsIn(path), ...parts];
  const known = new Set([...inPath, ...inPath.map((word) => word.replace(/(?:tests?|spec|suite)$/, "")), ...ANYWHERE]);
  const words = wordsIn(rest);
  // Classes match by name, or by the file's; the path need not show the package.
  if (PACKAGES.test(path) && !/\s/.test(rest)) {
    if (FOLLOWS_FOLDERS.test(path))
      return isPlaceOf(rest, path) && (within.length > 0 || known.has(words.at(-1) ?? ""));
    return within.length > 0 || known.has(words.at(-1) ?? "");
  }
  // The first word may be the crate.
  return words.slice(CRATES.test(path) ? 1 : 0).every((word) => known.has(word));
}

const PACKAGES = /\.(?:java|kts?|hs|scala|sc|cs|vb|fs|php|swift|py|m|mm|exs?|clj[cs]?)$/;
/** Languages whose packages, or modules, are their folders. */
const FOLLOWS_FOLDERS = /\.(?:java|py)$/;
const CRATES = /\.rs$/;
/**
 * Whether the package or module before a class can be the file's, as far as both say: `a.b` fits `src/a/b/CTest.java`
 * and `a/b.py`.
 */
function isPlaceOf(reported: string, path: string): boolean {
  const file = path.replace(/(?:\/__init__)?\.\w+$/, "").split("/");
  const parts = reported.split(/[.$:#/]/).filter((part) => part !== "");
  const named = parts.lastIndexOf(file.at(-1) ?? "");
  const end = named < 0 ? parts.findIndex((part) => /^[A-Z]/.test(part)) : named;
  const place = end < 0 ? parts : parts.slice(0, end);
  const held = named < 0 && path.endsWith(".py") ? file : file.slice(0, -1);
  const both = Math.min(place.length, held.length);
  return both === 0 || place.slice(-both).join() === held.slice(-both).join();
}

const ANYWHERE = ["test", "tests", "spec", "it", "should", "must", "can"];

const wordsIn = (text: string) =>
  text
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word !== "");

/** Placeholders for values in a title: `${x}`, `#{x}`, `%s`, `$x`. */
const PLACEHOLDER = /\$\{[^}]*\}|#\{[^}]*\}|%[sdifjopc#%]|\$[\w.]+/;

/**
 * Where `title`, with any values for its placeholders, begins at the end of `text`; -1 if `text` does not end with it.
 */
function endsWith(text: string, title: string, glued?: "glued"): number {
  const parts = title.split(PLACEHOLDER);
  let end = text.length;
  for (let at = parts.length - 1; at >= 0; at--) {
    const part = parts[at] ?? "";
    const start = at === parts.length - 1 ? end - part.length : text.lastIndexOf(part, end - part.length);
    if (start < 0 || !text.startsWith(part, start)) return -1;
    end = start;
  }
  if (parts[0] === "") return 0;
  return end === 0 || glued || /[\s.:>›#/$\\]/.test(text[end - 1] ?? "") ? end : -1;
}

/** Whether two names have the same letters: runners turn titles into methods, and methods into titles. */
function sameLetters(reported: string, name: string): boolean {
  const letters = (text: string) => text.toLowerCase().replace(/[^\p{L}\p{N}]/gu, "");
  const bare = (text: string) => letters(text.replace(/^\s*(?:test_\d{4}_|tests?(?=[A-Z_ ]))/, ""));
  return bare(name).length > 5 && bare(reported) === bare(name);
}
