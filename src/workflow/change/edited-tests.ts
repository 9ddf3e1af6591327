import { structuredPatch } from "diff";
import type { SourceParser } from "../../ports/source-parser.ts";
import { classifyFile } from "../../search/classify-file.ts";
import { nextTurn } from "../../text/next-turn.ts";
import { isCheckConfiguration, RECORDED, type TextChange } from "./check-files.ts";
import { lineFinder, maskSource } from "./mask-source.ts";
import { PROGRAM } from "./tampering-rules.ts";
import { readTests } from "./test-inventory.ts";

/** An edit for a maintainer to review: it touches what was there before and judges the change. */
export interface ShownEdit {
  readonly path: string;
  /** 1-based line of the new version; absent if the file is gone */
  readonly line?: number;
  readonly what: string;
}

/** Lines of the repository's files in a failing check's log, by path, of the checked version. */
export type NamedLines = ReadonlyMap<string, ReadonlySet<number>>;

/** An edit, 1-based; `removed` and `added` count lines. Lines that are only added go before `oldStart`. */
interface Hunk {
  readonly oldStart: number;
  readonly removed: number;
  readonly newStart: number;
  readonly added: number;
}

/** Longer files are compared as a whole. */
const MAX_EDITS = 2_000;

/**
 * Finds what a repair does to existing tests and to the configuration of checks, beyond what it may do: add its own
 * tests, and change lines that the failing log names. It does not judge whether an edit is harmless, which the text
 * cannot show: an assertion that never runs looks as before. Never throws.
 * @param named lines in the log of the failing check
 */
export async function findShownEdits(
  changes: readonly TextChange[],
  named: NamedLines,
  parser: SourceParser,
): Promise<readonly ShownEdit[]> {
  const found: ShownEdit[] = [];
  for (const change of changes) {
    await nextTurn();
    const edit = await shownEdit(change, named.get(change.path) ?? new Set(), parser);
    if (edit) found.push(edit);
  }
  return found;
}

async function shownEdit(
  change: TextChange,
  named: ReadonlySet<number>,
  parser: SourceParser,
): Promise<ShownEdit | undefined> {
  const { path, before, after } = change;
  if (before === after) return undefined;
  const lower = path.toLowerCase();
  if (isCheckConfiguration(lower)) {
    const verb = verbOf(change);
    return { path, ...firstLine(change), what: `${verb} a file that says what checks do or how they are run` };
  }
  if (RECORDED.test(lower)) {
    return before === undefined
      ? undefined
      : { path, ...firstLine(change), what: `${verbOf(change)} recorded results` };
  }
  const group = classifyFile({ path, mode: "100644", size: 1 }).group;
  const isTest = group === "test" || group === "fixture";
  if (before === undefined) return undefined;
  if (after === undefined) return isTest ? { path, what: "removes a file that tests need" } : undefined;
  const lines = await editedLines({ path, before, after }, { named, isTest }, parser);
  const [line] = lines;
  if (line === undefined) return undefined;
  return {
    path,
    line,
    what: `edits existing tests (${rangesOf(lines)})${named.size > 0 ? " where the failing check named nothing" : ""}`,
  };
}

function verbOf({ before, after }: TextChange): string {
  if (before === undefined) return "adds";
  return after === undefined ? "removes" : "changes";
}

function firstLine({ before = "", after }: TextChange): { readonly line?: number } {
  if (after === undefined) return {};
  const [hunk] = hunksOf(before, after) ?? [];
  return { line: Math.min(hunk?.newStart ?? 1, after.split("\n").length) };
}

/** Lines of the new version where existing tests are edited beyond what is allowed, in order. */
async function editedLines(
  { path, before, after }: { readonly path: string; readonly before: string; readonly after: string },
  { named, isTest }: { readonly named: ReadonlySet<number>; readonly isTest: boolean },
  parser: SourceParser,
): Promise<readonly number[]> {
  const hunks = hunksOf(before, after);
  if (hunks === undefined) return isTest ? [1] : [];
  const isProgram = PROGRAM.test(path.toLowerCase());
  const old = isProgram ? await testLines(path, before, parser) : [];
  // Tests that stand in the program's own file, as Rust's do, are all that counts of it.
  if (!isTest && old.length === 0) return [];
  const tests = isProgram ? await testLines(path, after, parser) : [];
  const rows = after.split("\n");
  const isInOldTest = (line: number) => old.some(({ from, to }) => from <= line && line <= to);
  return hunks.flatMap(({ oldStart, removed, newStart, added }) => {
    const gone = range(oldStart, removed).filter((line) => !named.has(line) && (isTest || isInOldTest(line)));
    if (gone.length > 0) return range(newStart, Math.max(added, 1));
    if (removed > 0) return [];
    const inserted = range(newStart, added);
    const end = newStart + added;
    const touched = tests.filter(({ from, to }) => from < end && to >= newStart);
    const own = touched.filter(({ from, to, isHook }) => from >= newStart && to < end && !isHook);
    // Between two lines of one test, or above it as an attribute: it is no longer what it was.
    const splitsTest = old.some(({ from, to }) => from < oldStart && oldStart <= to);
    if (splitsTest || own.length < touched.length) return inserted;
    if (!isTest) return [];
    return inserted.filter((line) => {
      const isOwn = own.some(({ from, to }) => from <= line && line <= to);
      return !isOwn && !(isProgram && SAYS_NOTHING.test(rows[line - 1] ?? ""));
    });
  });
}

/**
 * Blank lines, brackets, imports and plain comments without directives: a new test needs them, and they change no
 * other.
 */
const SAYS_NOTHING = /^\s*(?:[\])};,]*|(?:\/\/|#|--|\*|\/\*)\s[\w\s,.'"`()-]*|(?:import|from|use|using|require)\b.*)$/;

/** Looks like a test and runs around others. */
const HOOK_NAME = /^(?:TestMain|set_?up|tear_?down|before|after)/i;
const HOOK_ATTRIBUTE =
  /[@[]\s*(?:\w+[:.])*(?:Before|After|Set_?Up|Tear_?Down|OneTime|Class(?:Initialize|Cleanup)|fixture)/i;

/** Line ranges of a program's tests; tests without a name are helpers. */
async function testLines(
  path: string,
  text: string,
  parser: SourceParser,
): Promise<readonly { readonly from: number; readonly to: number; readonly isHook: boolean }[]> {
  const lineAt = lineFinder(text);
  return readTests(await maskSource(path, text, parser))
    .filter(({ name }) => name !== "")
    .map(({ name, start, end, line }) => ({
      from: lineAt(start),
      // Blank lines behind a test belong to what is put there.
      to: lineAt(start + text.slice(start, end).trimEnd().length),
      isHook:
        HOOK_NAME.test(name) ||
        HOOK_ATTRIBUTE.test(
          text
            .split("\n")
            .slice(lineAt(start) - 1, line)
            .join("\n"),
        ),
    }));
}

/** The edits between two texts; undefined if there are too many to tell apart. */
function hunksOf(before: string, after: string): readonly Hunk[] | undefined {
  const patch = structuredPatch("", "", before, after, "", "", { context: 0, maxEditLength: MAX_EDITS });
  return patch?.hunks.map(({ oldStart, oldLines, newStart, newLines }) => ({
    oldStart,
    removed: oldLines,
    newStart,
    added: newLines,
  }));
}

const range = (from: number, count: number): readonly number[] => Array.from({ length: count }, (_, at) => from + at);

/** Ranges named in a sentence. */
const MAX_RANGES = 4;

/** `lines 3 to 5 and 9` */
function rangesOf(lines: readonly number[]): string {
  const ranges: [number, number][] = [];
  for (const line of lines) {
    const last = ranges.at(-1);
    if (last && line === last[1] + 1) last[1] = line;
    else ranges.push([line, line]);
  }
  const shown = ranges.slice(0, MAX_RANGES).map(([from, to]) => (from === to ? `${from}` : `${from} to ${to}`));
  if (ranges.length > shown.length) shown.push("further ones");
  const word = lines.length === 1 ? "line" : "lines";
  return `${word} ${shown.length === 1 ? shown[0] : `${shown.slice(0, -1).join(", ")} and ${shown.at(-1)}`}`;
}
