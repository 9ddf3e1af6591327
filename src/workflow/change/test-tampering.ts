import { readText } from "../../edits/text-file.ts";
import type { Tampering } from "../../model/work.ts";
import type { SourceParser } from "../../ports/source-parser.ts";
import { classifyFile } from "../../search/classify-file.ts";
import { nextTurn } from "../../text/next-turn.ts";
import { changedConfiguration, RECORDED, type TextChange } from "./check-files.ts";
import { compareTests, meaningful, minus, share, short } from "./compare-tests.ts";
import { lineFinder, type MaskedSource, maskSource } from "./mask-source.ts";
import { LIMITS, PROGRAM, SKIPS, SUPPRESSING_CODE, SUPPRESSING_COMMENTS, type TextRule } from "./tampering-rules.ts";
import { type FoundTest, readTests } from "./test-inventory.ts";
import type { ChangedFile } from "./working-copy.ts";

/** A changed program, both versions masked; undefined if it does not exist. */
interface Side {
  readonly path: string;
  readonly isTest: boolean;
  readonly before: MaskedSource | undefined;
  readonly after: MaskedSource | undefined;
}

/**
 * Finds how a change weakens its checks: tests that are gone, skipped or assert less, wider limits, rewritten recorded
 * results, changed check configuration, and words that silence a check. Compares all files together: what only moves,
 * or is asserted more strictly elsewhere, does not count. Never throws.
 */
export async function findTampering(
  files: readonly ChangedFile[],
  parser: SourceParser,
): Promise<readonly Tampering[]> {
  const changes = textChanges(files);
  const sides = await Promise.all(changes.filter(isProgram).map((change) => sideOf(change, parser)));
  const tests = sides.filter(({ isTest }) => isTest);
  const [before, after]: [FoundTest[], FoundTest[]] = [[], []];
  const sources = tests.flatMap((side) => [[side.before, before] as const, [side.after, after] as const]);
  for (const [source, all] of sources) {
    await nextTurn();
    if (source) all.push(...readTests(source));
  }
  const found: Tampering[] = [];
  const parts = [
    () => compareTests(before, after),
    () => removedFiles(changes, before),
    () => newSkips(tests, before, after),
    () => widerLimits(tests),
    () => rewrittenResults(changes),
    () => changedConfiguration(changes).map((one) => ({ kind: "configuration" as const, ...one })),
    () => newSuppressions(sides),
  ];
  // Large files take their time: others get a turn in between.
  for (const part of parts) {
    await nextTurn();
    found.push(...part());
  }
  return found;
}

/** The changed files that are text. */
export function textChanges(files: readonly ChangedFile[]): readonly TextChange[] {
  const textOf = (bytes: Uint8Array | undefined) => bytes && readText(bytes)?.lines.join("");
  return files.map(({ path, before, after }) => ({ path, before: textOf(before), after: textOf(after) }));
}

const groupOf = (path: string) => classifyFile({ path, mode: "100644", size: 1 }).group;

/** Longer texts and lines are data, and slow to match. */
const MAX_LINE = 4_000;
const MAX_LENGTH = 200_000;

const isShort = (text = "") => text.length <= MAX_LENGTH && text.split("\n").every(({ length }) => length < MAX_LINE);

const isProgram = ({ path, before, after }: TextChange) =>
  PROGRAM.test(path.toLowerCase()) &&
  isShort(before) &&
  isShort(after) &&
  !["fixture", "documentation", "data", "locale"].includes(groupOf(path) ?? "");

async function sideOf({ path, before, after }: TextChange, parser: SourceParser): Promise<Side> {
  const masked = async (text: string | undefined) => (text === undefined ? undefined : maskSource(path, text, parser));
  // Rust's tests stand beside the code.
  const isTest = groupOf(path) === "test" || path.endsWith(".rs") || CONFTEST.test(path);
  return { path, isTest, before: await masked(before), after: await masked(after) };
}

const CONFTEST = /(?:^|\/)(?:conftest\.py|(?:test|spec)_helper\.rb|setup-?tests?\.[jt]s)$/i;

/** Deleted test files whose single tests are unknown. */
function removedFiles(changes: readonly TextChange[], tests: readonly FoundTest[]): Tampering[] {
  return changes
    .filter(({ path, before, after }) => before !== undefined && after === undefined && groupOf(path) === "test")
    .filter(({ path }) => !tests.some((test) => test.path === path && test.name !== ""))
    .filter(({ before = "" }) => {
      const lines = meaningful(before);
      const moved = changes.some((one) => one.before === undefined && share(lines, meaningful(one.after ?? "")) >= 0.6);
      return lines.length > 0 && !moved;
    })
    .map(({ path }) => ({ kind: "test", path, what: "removes a file of tests" }));
}

/** A word that was found, with what it belongs to. */
interface Mark {
  readonly text: string;
  readonly word: string;
  readonly owner: string;
  readonly path: string;
  readonly line: number;
}

/** Tests newly skipped, retried or singled out. A renamed test keeps its mark. */
function newSkips(sides: readonly Side[], before: readonly FoundTest[], after: readonly FoundTest[]): Tampering[] {
  const [was, is] = [
    sides.flatMap((side) => skipsOf(side.before, before)),
    sides.flatMap((side) => skipsOf(side.after, after)),
  ];
  const gone = minus(was, is);
  const known = new Set(before.map(({ name }) => name));
  return minus(is, was)
    .filter(({ word, owner }) => {
      if (owner !== "" && known.has(owner)) return true;
      const at = gone.findIndex((one) => one.word === word);
      if (at >= 0) gone.splice(at, 1);
      return at < 0;
    })
    .map(({ path, line, word, owner }) => ({
      kind: "skip",
      path,
      line,
      what: `puts \`${short(word)}\` on ${owner === "" ? "tests" : `the test "${owner}"`}`,
    }));
}

function skipsOf(source: MaskedSource | undefined, tests: readonly FoundTest[]): Mark[] {
  if (!source) return [];
  const { path, text, code } = source;
  const own = tests.filter((test) => test.path === path && test.name !== "");
  const lineAt = lineFinder(text);
  return matches(SKIPS, path, code).map(({ at, found }) => {
    const holder = own.findLast(({ start, end }) => start <= at && at < end);
    const title = /^[^\n"'`]*["'`]([^\n"'`]*)/.exec(text.slice(at))?.[1] ?? "";
    const word = found.replace(/\s+/g, " ").trim();
    return { text: `${word} ${holder?.name ?? title}`, word, owner: holder?.name ?? "", path, line: lineAt(at) };
  });
}

/** The most words of one kind in one file. */
const MAX_MARKS = 500;
function matches(
  rules: readonly TextRule[],
  path: string,
  code: string,
): { readonly at: number; readonly found: string }[] {
  return rules
    .filter(({ files }) => files.test(path.toLowerCase()))
    .flatMap(({ pattern }) =>
      [...code.matchAll(pattern)].slice(0, MAX_MARKS).map((one) => ({ at: one.index, found: one[0] })),
    );
}

/** Tolerances, time limits and retries of tests that let more pass than before. */
function widerLimits(sides: readonly Side[]): Tampering[] {
  return sides.flatMap(({ path, before, after }) => {
    if (!before || !after) return [];
    return LIMITS.filter(({ files }) => files.test(path.toLowerCase())).flatMap((rule) => {
      const [was, is] = [before, after].map(({ code }) =>
        [...code.matchAll(rule.pattern)].slice(0, MAX_MARKS).map((one) => {
          const number = one.at(-1) ?? "";
          const key = one[0].slice(0, one[0].lastIndexOf(number)).replace(/\s+/g, "");
          return { text: `${key} ${productOf(number)}`, key, value: productOf(number), at: one.index };
        }),
      );
      const gone = minus(was ?? [], is ?? []);
      const wide = minus(is ?? [], was ?? []).filter(({ key, value }) => {
        const at = gone.findIndex((one) => one.key === key);
        const [old] = at < 0 ? [] : gone.splice(at, 1);
        if (!old) return rule.begun === true && !(was ?? []).some((one) => one.key === key);
        return rule.wider === "up" ? value > old.value : value < old.value;
      });
      return wide.map(({ at, key, value }) => ({
        kind: "limit" as const,
        path,
        line: lineFinder(after.code)(at),
        what: `widens a ${rule.what}: \`${short(`${key}${value}`)}\``,
      }));
    });
  });
}

/** `5 * 60 * 1000`, `10_000` */
const productOf = (number: string) =>
  number.split("*").reduce((product, factor) => product * Number(factor.replaceAll("_", "").trim() || Number.NaN), 1);

/** Recorded lines that may change before all count as rewritten. */
const MAX_RECORDED = 20;

function rewrittenResults(changes: readonly TextChange[]): Tampering[] {
  return changes.flatMap(({ path, before, after }): Tampering[] => {
    if (before === undefined) return [];
    const inline = isShort(before) && isShort(after) ? minus(inlineOf(before), inlineOf(after ?? "")) : [];
    if (inline.length > 3) return [{ kind: "snapshot", path, what: `writes ${inline.length} snapshots anew` }];
    if (!RECORDED.test(path.toLowerCase()) || PROGRAM.test(path.toLowerCase())) return [];
    if (after === undefined) return [{ kind: "snapshot", path, what: "deletes recorded results" }];
    const lines = meaningful(before);
    const lost = Math.round(lines.length * (1 - share(lines, meaningful(after))));
    const isWhole = lost > MAX_RECORDED || (lines.length > 4 && lost > lines.length / 2);
    return isWhole ? [{ kind: "snapshot", path, what: "writes recorded results anew" }] : [];
  });
}

const inlineOf = (text: string) =>
  (text.match(/toMatchInlineSnapshot\(\s*`[^`]*`|InlineSnapshot\(\s*"""[\s\S]*?"""/g) ?? []).map((one) => ({
    text: one,
  }));

/** New words that silence a check. One that silences less than before is not new. */
function newSuppressions(sides: readonly Side[]): Tampering[] {
  const was = sides.flatMap(({ before }) => suppressionsOf(before));
  const is = sides.flatMap(({ after }) => suppressionsOf(after));
  const gone = minus(was, is);
  return minus(is, was)
    .filter(({ text, path }) => {
      const at = gone.findIndex((one) => one.path === path && isNarrower(text, one.text));
      if (at >= 0) gone.splice(at, 1);
      return at < 0;
    })
    .map(({ path, line, text }) => ({ kind: "suppression", path, line, what: `adds \`${short(text)}\`` }));
}

/** `noqa: E501` says less than `noqa`. */
const isNarrower = (text: string, wider: string) =>
  text !== wider && text.startsWith(wider) && /^\W/.test(text.slice(wider.length));

function suppressionsOf(source: MaskedSource | undefined) {
  if (!source) return [];
  const { path, text, code, comments } = source;
  const rules = SUPPRESSING_COMMENTS.filter(({ files }) => files.test(path.toLowerCase()));
  const lineAt = lineFinder(text);
  const inComments = comments.flatMap((comment) =>
    comment.text.split("\n").flatMap((raw, row) => {
      const said = raw.replace(/^[\s/*#!<-]*|[\s*/]*$/g, "");
      const rule = rules.find(({ pattern }) => pattern.test(said));
      const from = rule?.pattern.exec(said)?.index ?? 0;
      return rule ? [{ text: said.slice(from).replace(/\s+/g, " "), path, line: comment.line + row }] : [];
    }),
  );
  const inCode = matches(SUPPRESSING_CODE, path, code).map(({ at, found }) => ({
    text: text
      .slice(at, at + found.length)
      .replace(/\s+/g, " ")
      .trim(),
    path,
    line: lineAt(at),
  }));
  return [...inComments.slice(0, MAX_MARKS), ...inCode];
}
