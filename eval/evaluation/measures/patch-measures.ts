import type { SourceParser } from "../../../src/code/source-parser.ts";
import type { PatchFile } from "./patch.ts";

/**
 * The lines of the old file that a patch changes: the intervals of the paper's Eq. 1, without the lines of context, as a
 * set of 1-based numbers. A pure insertion has no old lines: it counts as the lines that it stands between (the one
 * before where there is one, the one after where the hunk does not show that the file ends there). A created file has
 * no old lines at all.
 */
export function changedLines({ oldPath, hunks }: PatchFile): ReadonlySet<number> {
  const lines = new Set<number>();
  if (oldPath === undefined) return lines;
  for (const { oldStart, removed, followed } of hunks.flatMap(({ runs }) => runs)) {
    for (const index of removed.keys()) lines.add(oldStart + index);
    if (removed.length > 0) continue;
    if (oldStart > 1) lines.add(oldStart - 1);
    if (followed !== false) lines.add(oldStart);
  }
  return lines;
}

export const COMPLEXITY_FIGURES = [
  "files",
  /** functions of existing files that have a changed line, and functions of created files */
  "functions",
  "hunks",
  "added",
  "deleted",
  /** added and deleted lines together */
  "changed",
  /** the first and last changed line over all files, in the file before the change; 0 when no existing line changes */
  "first",
  "last",
] as const;

/** How large a change is: a row of the paper's Table 5. */
export type Complexity = Readonly<Record<(typeof COMPLEXITY_FIGURES)[number], number>>;

/**
 * The complexity of a change (the paper's Table 5). `functions`: how many functions each file's change touches, by its
 * place in `files`; where that is not known, the distinct headings of the hunks count (git's guess at the function around).
 */
export function complexityOf(files: readonly PatchFile[], functions?: readonly (number | undefined)[]): Complexity {
  const runs = files.flatMap(({ hunks }) => hunks.flatMap((hunk) => hunk.runs));
  const added = runs.reduce((sum, run) => sum + run.added.length, 0);
  const deleted = runs.reduce((sum, run) => sum + run.removed.length, 0);
  const lines = files.flatMap((file) => [...changedLines(file)]);
  return {
    files: files.length,
    functions: files.reduce((sum, file, index) => sum + (functions?.[index] ?? headingsOf(file)), 0),
    hunks: files.reduce((sum, { hunks }) => sum + hunks.length, 0),
    added,
    deleted,
    changed: added + deleted,
    first: lines.length === 0 ? 0 : lines.reduce((least, line) => Math.min(least, line)),
    last: lines.reduce((most, line) => Math.max(most, line), 0),
  };
}

function headingsOf({ hunks }: PatchFile): number {
  return new Set(hunks.map(({ heading }) => heading).filter((heading) => heading !== "")).size;
}

/**
 * The files to locate: those of the base commit that the reference change modifies, renames or deletes. A file that it
 * creates does not exist yet, so it does not count.
 */
export function goldFiles(reference: readonly PatchFile[]): readonly string[] {
  return [...new Set(reference.flatMap(({ oldPath }) => oldPath ?? []))];
}

export interface LineCoverage {
  /** lines that both change */
  covered: number;
  /** lines that the reference changes */
  lines: number;
  /** `both` divided by `reference`; undefined when the reference changes no existing line */
  ratio: number | undefined;
}

/**
 * Line-locating coverage (the paper's Eq. 1, sections 2 and 4.4): of the lines in the reference change's intervals, the share
 * that lies in the generated change's intervals too. Intervals are old-side lines (`changedLines`), file by file, by the
 * path before the change. Between 0 and 1; lines that only the generated change touches do not count.
 */
export function lineLocatingCoverage(reference: readonly PatchFile[], generated: readonly PatchFile[]): LineCoverage {
  const theirs = linesByPath(generated);
  let [covered, lines] = [0, 0];
  for (const [path, wanted] of linesByPath(reference)) {
    lines += wanted.size;
    for (const line of wanted) if (theirs.get(path)?.has(line)) covered += 1;
  }
  return { covered, lines, ratio: lines === 0 ? undefined : covered / lines };
}

function linesByPath(files: readonly PatchFile[]): ReadonlyMap<string, ReadonlySet<number>> {
  const byPath = new Map<string, Set<number>>();
  for (const file of files) {
    if (file.oldPath === undefined) continue;
    const known = byPath.get(file.oldPath) ?? new Set();
    for (const line of changedLines(file)) known.add(line);
    byPath.set(file.oldPath, known);
  }
  return byPath;
}

/** A declaration, by the grammar of its language: 1-based lines, both inclusive. */
interface Declaration {
  kind: string;
  start: number;
  end: number;
}

const FUNCTIONS = /function|method|constructor|getter|setter/i;

/**
 * How many functions have one of `lines` in them: for each line the innermost function around it, counted once. A line
 * outside of all functions counts as none.
 */
export function touchedFunctions(declarations: readonly Declaration[], lines: Iterable<number>): number {
  const functions = declarations.filter(({ kind }) => FUNCTIONS.test(kind));
  const touched = new Set<Declaration>();
  for (const line of lines) {
    const [innermost] = functions
      .filter(({ start, end }) => start <= line && line <= end)
      .sort((a, b) => a.end - a.start - (b.end - b.start));
    if (innermost) touched.add(innermost);
  }
  return touched.size;
}

/**
 * How many functions the change of one file touches, by its language's grammar: in the old file those with a changed
 * line, in a created file all of them. Undefined where there is no grammar. `oldText`: of the file before the change.
 */
export async function countFunctions(
  file: PatchFile,
  oldText: string | undefined,
  parser: Pick<SourceParser, "symbols">,
): Promise<number | undefined> {
  if (file.oldPath !== undefined) {
    const symbols = oldText === undefined ? undefined : await parser.symbols(file.oldPath, oldText);
    return symbols && touchedFunctions(symbols, changedLines(file));
  }
  if (file.newPath === undefined) return undefined;
  const added = file.hunks.flatMap(({ runs }) => runs.flatMap((run) => run.added));
  const symbols = await parser.symbols(file.newPath, `${added.join("\n")}\n`);
  const lines = added.map((_, index) => index + 1);
  return symbols && touchedFunctions(symbols, lines);
}
