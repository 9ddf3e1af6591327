import { LRUCache } from "lru-cache";
import type { Tampering } from "../../model/work.ts";
import { either, listed } from "../../search/patterns.ts";
import { counted } from "../../text/counted.ts";
import { SWALLOWS } from "./tampering-rules.ts";
import type { FoundAssertion, FoundTest } from "./test-inventory.ts";

/** Tests that are gone, and tests that assert less. */
export function compareTests(before: readonly FoundTest[], after: readonly FoundTest[]): Tampering[] {
  const pairs = pairTests(before, after);
  const [was, is] = [before, after].map((tests) =>
    countOf(tests.flatMap(({ assertions }) => assertions.map(({ text }) => text))),
  );
  return before.flatMap((old): Tampering[] => {
    const now = pairs.get(old);
    const gone = minus(old.assertions, now?.assertions ?? []).filter(
      ({ text }) => (is?.get(text) ?? 0) < (was?.get(text) ?? 0),
    );
    const shared = () =>
      after
        .flatMap(({ assertions }) => minus(assertions, old.assertions))
        .filter(({ text }) => (was?.get(text) ?? 0) < (is?.get(text) ?? 0));
    // Only what tests share is looked for everywhere.
    const fresh = old.name === "" && gone.length > 0 ? shared() : [];
    if (!now)
      return old.name === "" || isMerged(old, gone, after)
        ? lostHelpers(old, gone, fresh)
        : [{ kind: "test", path: old.path, what: `removes the test "${old.name}"` }];
    return weakerTest(old, now, gone, fresh);
  });
}

/** A helper's assertions that are gone and repeated nowhere else. */
function lostHelpers(old: FoundTest, gone: readonly FoundAssertion[], fresh: readonly FoundAssertion[]): Tampering[] {
  if (old.name !== "" || gone.length === 0 || fresh.length >= gone.length) return [];
  return [
    {
      kind: "assertion",
      path: old.path,
      what: `removes the assertion \`${short(gone[0]?.text ?? "")}\` from what tests share`,
    },
  ];
}

function weakerTest(
  old: FoundTest,
  now: FoundTest,
  gone: readonly FoundAssertion[],
  fresh: readonly FoundAssertion[],
): Tampering[] {
  const own = minus(now.assertions, old.assertions);
  const { path, line } = now;
  const inTest = now.name === "" ? "what tests share" : `the test "${now.name}"`;
  const weaker = (what: string, kind: Tampering["kind"] = "assertion"): Tampering[] => [{ kind, path, line, what }];
  const covered = (one: FoundAssertion) =>
    own.some((other) => other.strictness >= one.strictness && saysAll(other.text, one.text));
  const lost = gone.filter((one) => !covered(one));
  if (count(now.code, SWALLOWS) > count(old.code, SWALLOWS) && old.name !== "")
    return weaker(`swallows errors in ${inTest}`);
  if (old.name !== "" && endsEarly(now) && !endsEarly(old)) return weaker(`lets ${inTest} end before its assertions`);
  if (lost.length > Math.max(own.length, now.name === "" ? fresh.length : 0))
    return weaker(`removes the assertion \`${short(lost[0]?.text ?? "")}\` from ${inTest}`);
  const looser = lost.find((one, at) => {
    const [other = own[at]] = own.filter(({ text }) => subjectOf(text) === subjectOf(one.text));
    return other !== undefined && (other.strictness < one.strictness || isEmptyClaim(other.text));
  });
  if (looser) return weaker(`loosens the assertion \`${short(looser.text)}\` in ${inTest}`);
  const rows = caseRows(old) - caseRows(now);
  return rows > 0 && own.length === 0 ? weaker(`removes ${counted(rows, "case")} of ${inTest}`, "test") : [];
}

/** New tests that may be renamed old ones. */
const MAX_RENAMED = 300;

/**
 * Pairs `before` with `after`: by name in the same file, by name elsewhere, then renamed tests by their common words.
 */
function pairTests(before: readonly FoundTest[], after: readonly FoundTest[]): ReadonlyMap<FoundTest, FoundTest> {
  const pairs = new Map<FoundTest, FoundTest>();
  const free = new Set(after);
  const take = (fits: (old: FoundTest, now: FoundTest) => boolean) => {
    for (const old of before.filter((one) => !pairs.has(one))) {
      for (const now of free) {
        if (!fits(old, now)) continue;
        free.delete(now);
        pairs.set(old, now);
        break;
      }
    }
  };
  take((old, now) => old.name === now.name && old.path === now.path);
  take((old, now) => old.name !== "" && old.name === now.name);
  if (free.size * before.length > MAX_RENAMED ** 2) return pairs;
  take((old, now) => old.name !== "" && now.name !== "" && likeness(old, now) >= 0.6);
  return pairs;
}

/** The share of a test's words that another one has, too. */
function likeness(old: FoundTest, now: FoundTest): number {
  const [own, other] = [wordsOf(old.body), new Set(wordsOf(now.body))];
  return own.length === 0 ? 0 : own.filter((word) => other.has(word)).length / own.length;
}

/** The first words of a text, each once. */
const wordsOf = remembered((text) => [...new Set(text.slice(0, MAX_COMPARED).match(/[\w$]+/g) ?? [])]);

const MAX_COMPARED = 4_000;

/** Caches results for the last texts, since each is compared with many others. */
function remembered<T extends object>(make: (text: string) => T): (text: string) => T {
  const known = new LRUCache<string, T>({ max: 4_000, memoMethod: make });
  return (text) => known.memo(text);
}

/** Whether other tests took over a test, a table for instance: they name everything that it asserted. */
function isMerged(old: FoundTest, gone: readonly FoundAssertion[], after: readonly FoundTest[]): boolean {
  if (old.assertions.length === 0) return false;
  if (gone.length === 0) return true;
  return after.some(
    (now) =>
      now.assertions.length > 0 &&
      gone.every(
        ({ text, strictness }) => now.assertions.some((one) => one.strictness >= strictness) && saysAll(now.body, text),
      ),
  );
}

/** Whether a text names every value of an assertion: numbers, strings and names. */
function saysAll(text: string, assertion: string): boolean {
  const words = wordSet(text);
  const verb = /^[\w$.!]+/.exec(assertion)?.[0] ?? "";
  return (assertion.slice(verb.length).match(/(?<!\.)\b[\w$]+\b(?!\s*\()/g) ?? []).every((word) => words.has(word));
}

const wordSet = remembered((text) => new Set(text.match(/[\w$]+/g) ?? []));

/** What an assertion is about: the first argument. */
const subjectOf = (assertion: string) => /[(\s]\s*([^(),\s]+)/.exec(assertion)?.[1] ?? "";

/** An assertion that always holds. */
const isEmptyClaim = (assertion: string) => EMPTY_CLAIMS.some((form) => form.test(assertion));

const EMPTY_CLAIMS: readonly RegExp[] = [
  /\(\s*(true|1|"\w*")\s*\)(?:\.to(?:Be|Equal|StrictEqual)\(\s*\1\s*\)|\.toBeTruthy\(\))/,
  /^assert\s+True$|(?:assertTrue|assert!|Assert\.True|assert)\s*\(\s*[tT]rue\s*\)/,
  /\(\s*([\w.]+)\s*,\s*\1\s*\)/,
];

/** A bare return at the level of the test's own statements, before the last of them. */
function endsEarly({ code }: FoundTest): boolean {
  const lines = code.split("\n").filter((line) => line.trim() !== "");
  const head = lines.findIndex((line) => /[{:(]\s*$|\bdo\b/.test(line));
  const indent = indentOf(lines[head + 1] ?? "");
  const own = lines.slice(head + 1).filter((line) => indentOf(line) === indent);
  const at = own.findIndex((line) => /^\s*return;?\s*$/.test(line));
  return head >= 0 && at >= 0 && at < own.length - 1;
}

const indentOf = (line: string) => /^[ \t]*/.exec(line)?.[0].length ?? 0;

/** Blanks within one line, never twice in a row: else each of many empty lines would be tried from every other. */
const CASE = either(
  "gm",
  /^[ \t]*(?:\{.*\}|\[.*\]|\(.*\)|pytest\.param\(.*\)|[\w$:]+[ \t]*=>[ \t]*\[.*\]),?[ \t]*$/,
  listed(
    String.raw`^[ \t]*(?:[@#]\[?[ \t]*|\[[ \t]*)?`,
    "InlineData TestCase DataRow case test_case TestWith CsvSource ValueSource",
    String.raw`\b`,
  ),
);

const caseRows = ({ code }: FoundTest) => count(code, CASE);

const count = (text: string, pattern: RegExp) => text.match(pattern)?.length ?? 0;

/** Items of `all` that `others` lack, by text and count. */
export function minus<Item extends { readonly text: string }>(
  all: readonly Item[],
  others: readonly { readonly text: string }[],
): Item[] {
  const left = countOf(others.map(({ text }) => text));
  return all.filter(({ text }) => {
    const known = left.get(text) ?? 0;
    left.set(text, known - 1);
    return known <= 0;
  });
}

function countOf(texts: readonly string[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const text of texts) counts.set(text, (counts.get(text) ?? 0) + 1);
  return counts;
}

const MAX_QUOTE_LENGTH = 120;

/** A piece of program for a sentence. */
export const short = (text: string) =>
  (text.length > MAX_QUOTE_LENGTH ? `${text.slice(0, MAX_QUOTE_LENGTH)} …` : text).replaceAll("`", "'");

/** The lines of a text that are not blank or brackets. */
export const meaningful = (text: string) =>
  text
    .split("\n")
    .map((line) => line.trim())
    .filter((line) => line.length > 2);

/** The share of lines that others have, too. */
export function share(lines: readonly string[], others: readonly string[]): number {
  const known = new Set(others);
  return lines.filter((line) => known.has(line)).length / Math.max(1, lines.length);
}
