import { linesIn, numberLine, numbersIn, type Span } from "../../../code/edits/numbered.ts";
import { longProse, takeBranches } from "../../../code/edits/take-branches.ts";
import { IMPORT, stripTerminator } from "../../../code/edits/text-file.ts";
import { CALLABLE, holdsDeclarations, type SourceParser } from "../../../code/source-parser.ts";
import type { PlanningView } from "../../../data/plan.ts";
import { groupOf } from "../../../search/classify-file.ts";
import { beginningAbove } from "../../../search/declarations.ts";
import { isKeyword } from "../../../search/terms.ts";
import type { SeenLines } from "../../tools/define-tool.ts";
import { type AboutIssue, nearnessOf } from "./about-issue.ts";
import { type ParsedFile, parseFile } from "./parsed-file.ts";

/** A part of a file that may be shown. */
export interface Excerpt {
  path: string;
  /** 1-based numbers, in order; what the file does not have does not count */
  lines: readonly number[];
  /** what it is, where it finds no room: "chosen"; "" says nothing */
  why: string;
  /** more is shown first */
  worth: number;
  /** if it has more lines than these, or finds no room, its best branches are shown up to so many; absent: whole, or not at all */
  cutTo?: number;
}

/** An excerpt of all lines of a span. */
export const excerptOf = ({ start, end }: Span, of: Omit<Excerpt, "lines">): Excerpt => ({
  ...of,
  lines: linesIn({ start: Math.max(1, start), end }),
});

/** A file that excerpts are taken from. */
export interface OpenFile extends ParsedFile {
  path: string;
  /** how near each line is to the issue; empty where nobody asked */
  scores: readonly number[];
  imports: readonly Span[];
  /** long comments and docstrings that are not near to the issue, but for their beginnings: never shown */
  folded: ReadonlySet<number>;
}

/** Of the best line's score, what a line of prose has that is near to the issue. */
const NEAR = 0.5;

/** Opens a file for excerpts. A missing, binary or empty one has no lines. */
export async function openFile(
  path: string,
  content: Uint8Array | undefined,
  { parser, terms, ...about }: { parser: SourceParser } & Partial<AboutIssue>,
): Promise<OpenFile> {
  const { lines, symbols } = await parseFile(path, content, parser);
  const prose = groupOf(path) === "documentation" ? [] : longProse(lines);
  const scores = terms ? await nearnessOf(path, lines, { ...about, terms }) : [];
  const read = lines.length > 0 ? await parser.imports(path, lines.join("")) : [];
  const byText = () => lines.flatMap((line, at) => (IMPORT.test(line) ? [{ start: at + 1, end: at + 1 }] : []));
  const best = scores.reduce((most, score) => Math.max(most, score), 0);
  const isNear = (at: number) => best > 0 && (scores[at - 1] ?? 0) >= best * NEAR;
  const folded = new Set(prose.filter((run) => !run.some(isNear)).flat());
  return { path, lines, symbols, scores, imports: read ?? byText(), folded };
}

/** What is shown of a file, and what of its excerpts found no room. */
interface Filled {
  shown: Set<number>;
  missing: { why: string; lines: readonly number[] }[];
}

interface Filling {
  /** characters */
  budget: number;
  /** what stands in the prompt already, and is not shown again */
  seen?: SeenLines;
}

/** A file in a prompt: numbered lines with `⋮` for what is left out. `size`: how many lines it has. */
export interface ShownParts {
  path: string;
  content: string;
  size: number;
  whole: boolean;
}

/**
 * Fills one budget with excerpts by their worth, and shows the files that got lines, in the order of `files`. Each
 * excerpt comes with the first lines of the declarations around it, and each file with the imports whose names occur
 * in what is shown of it. What found no room is named by what it is. Pure.
 */
export function fillBudget(
  excerpts: readonly Excerpt[],
  files: readonly OpenFile[],
  { budget, seen = new Map() }: Filling,
): readonly ShownParts[] {
  const filled = new Map(
    files.map((file) => [file.path, { file, shown: new Set<number>(), missing: [] } as Filled & { file: OpenFile }]),
  );
  let left = budget;
  const inOrder = excerpts.filter(({ path }) => filled.has(path)).sort((a, b) => b.worth - a.worth);
  for (const one of inOrder) {
    const { file, shown, missing } = filled.get(one.path) as Filled & { file: OpenFile };
    const before = seen.get(one.path);
    const wanted = withBeginnings(file, one.lines).filter((at) => at <= file.lines.length && !file.folded.has(at));
    const take = (numbers: readonly number[]): boolean => {
      const fresh = numbers.filter((at) => !shown.has(at) && !file.folded.has(at) && !before?.has(at));
      const cost = fresh.reduce((sum, at) => sum + costOf(file, at), 0);
      if (cost > left) return false;
      left -= cost;
      for (const at of fresh) shown.add(at);
      return true;
    };
    const [first = 1, last = 0] = [wanted[0], wanted.at(-1)];
    const heads = wanted.length > 0 ? headsAround(file, first) : [];
    const fits = one.cutTo === undefined || wanted.length <= one.cutTo;
    if (fits && take([...heads, ...wanted])) continue;
    if (one.cutTo !== undefined && take(heads)) {
      takeBranches(file.lines, { start: first, end: last }, { scores: file.scores, take: atMost(one.cutTo, take) });
    }
    missing.push({ why: one.why, lines: wanted.filter((at) => !shown.has(at) && !before?.has(at)) });
  }
  return [...filled.values()]
    .filter(({ shown, missing }) => shown.size > 0 || missing.some(({ why }) => why !== ""))
    .map(written);
}

/** Lines, with what is above each declaration whose beginning they show: else an edit lands below its attributes. */
function withBeginnings({ lines, symbols }: ParsedFile, wanted: readonly number[]): readonly number[] {
  const all = new Set(wanted);
  for (const { start, end } of symbols) {
    const begins = all.has(start) && !all.has(start - 1) && (start === end || all.has(start + 1));
    if (begins) for (let at = beginningAbove(lines, start); at < start; at++) all.add(at);
  }
  return [...all].sort((a, b) => a - b);
}

/** Characters of a line with its number. */
const costOf = ({ lines }: ParsedFile, at: number): number => (lines[at - 1]?.length ?? 0) + String(at).length + 1;

/** The characters of all lines that may be shown. */
export const wholeCost = (file: OpenFile): number =>
  file.lines.reduce((sum, _, index) => (file.folded.has(index + 1) ? sum : sum + costOf(file, index + 1)), 0);

function atMost(most: number, take: (numbers: readonly number[]) => boolean) {
  let left = most;
  return (numbers: readonly number[]): boolean => {
    const isTaken = numbers.length <= left && take(numbers);
    if (isTaken) left -= numbers.length;
    return isTaken;
  };
}

/** The first lines of the declarations that hold a line. */
function headsAround({ lines, symbols }: ParsedFile, at: number): readonly number[] {
  return symbols
    .filter(({ kind, start, end }) => (CALLABLE.has(kind) || holdsDeclarations(kind)) && start < at && at <= end)
    .map(({ start }) => headLine(lines, start));
}

const MAX_DECORATORS = 3;

/** The line that names a declaration, behind its decorators. */
export function headLine(lines: readonly string[], start: number): number {
  let at = start;
  while (at < start + MAX_DECORATORS && /^\s*(?:@|#\[)/.test(lines[at - 1] ?? "")) at += 1;
  return at;
}

/** A gap of so few lines is shown. */
const SMALL_GAP = 3;

function written({ file, shown, missing }: Filled & { file: OpenFile }): ShownParts {
  const { path, lines } = file;
  const numbers = withoutLoneBlanks(
    lines,
    [...new Set([...shown, ...usedImports(file, shown)])].sort((a, b) => a - b),
  );
  const imported = new Set(file.imports.flatMap(linesIn));
  const parts: string[] = [];
  let last = 0;
  let count = 0;
  for (const at of [...numbers, lines.length + 1]) {
    const gap = linesIn({ start: last + 1, end: at - 1 });
    const isShort = gap.length <= SMALL_GAP && numbers.length > 0 && !gap.some((one) => imported.has(one));
    if (isShort) parts.push(...gap.map((one) => rowOf(lines, one)));
    else parts.push(markOf(gap, missing));
    if (at <= lines.length) parts.push(rowOf(lines, at));
    count += (isShort ? gap.length : 0) + (at <= lines.length ? 1 : 0);
    last = at;
  }
  return { path, content: parts.join("\n"), size: lines.length, whole: count === lines.length };
}

const rowOf = (lines: readonly string[], at: number) => numberLine(at, stripTerminator(lines[at - 1] ?? ""));

/** The mark for left-out lines; it names excerpts that found no room. */
function markOf(gap: readonly number[], missing: Filled["missing"]): string {
  const inside = new Set(gap);
  const named = missing.flatMap(({ why, lines }) => {
    const held = lines.filter((at) => inside.has(at));
    return why === "" || held.length === 0 ? [] : [`${why}, no room: ${held[0]}-${held.at(-1)}`];
  });
  return ["⋮", ...new Set(named)].join(" ");
}

/** Leaves out blank lines that stand alone between gaps. */
function withoutLoneBlanks(lines: readonly string[], numbers: readonly number[]): readonly number[] {
  const isBlank = (at: number) => (lines[at - 1] ?? "").trim() === "";
  const near = (at: number, index: number, step: -1 | 1) => {
    const other = numbers[index + step];
    return other !== undefined && Math.abs(other - at) <= SMALL_GAP + 1 && !isBlank(other);
  };
  return numbers.filter((at, index) => !isBlank(at) || near(at, index, -1) || near(at, index, 1));
}

const WORD = /[\p{L}_$][\p{L}\p{N}_$]*/gu;

/** A longer import is shown by the lines whose names are used. */
const MAX_IMPORT = 8;

/** A word of an import with what follows it: within a path only the last one is a name, but for a version. */
const IMPORTED = /[\p{L}_$][\p{L}\p{N}_$]*(?:[./\\:](?!v\d))?/gu;

/** Where JavaScript imports from: no name. */
const FROM_PATH = /\bfrom\s*(?:"[^"]*"|'[^']*')/;

/** The imports whose names occur in the shown lines. */
function usedImports({ lines, imports }: OpenFile, shown: ReadonlySet<number>): readonly number[] {
  const used = new Set([...shown].flatMap((at) => lines[at - 1]?.match(WORD) ?? []));
  const isUsed = (at: number) =>
    (lines[at - 1]?.replace(FROM_PATH, "").match(IMPORTED) ?? []).some((word) => used.has(word) && !isKeyword(word));
  return imports.flatMap((span) => {
    const numbers = linesIn(span);
    const hits = numbers.filter(isUsed);
    if (hits.length === 0) return [];
    return numbers.length <= MAX_IMPORT ? numbers : [span.start, ...hits, span.end];
  });
}

/** Files in a prompt that has no list of them: each path above its lines. */
export const partsText = (parts: readonly ShownParts[]): string =>
  parts.map(({ path, content }) => `${path}\n${content.replace(/^⋮\n|\n⋮$/g, "")}`).join("\n\n");

/** The files and tests of a view that have numbered lines. */
export const linedFiles = ({ files, tests }: Pick<PlanningView, "files" | "tests">) => [
  ...files,
  ...tests.map(({ path, sample }) => ({ path, content: sample })),
];

/** The numbers of the lines that stand in files of a prompt. */
export const seenIn = (files: readonly { path: string; content: string }[]): SeenLines =>
  new Map(files.map(({ path, content }) => [path, new Set(numbersIn(content))]));
