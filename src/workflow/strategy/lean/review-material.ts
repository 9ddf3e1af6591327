import { diffLines, unifiedDiff } from "../../../edits/diff.ts";
import { numberedDiff, numberedRanges } from "../../../edits/numbered.ts";
import { readText, stripTerminator } from "../../../edits/text-file.ts";
import {
  CALLABLE,
  holdsDeclarations,
  isTestKind,
  type SourceParser,
  type SourceSymbol,
} from "../../../ports/source-parser.ts";
import { classifyFile } from "../../../search/classify-file.ts";
import type { TaskProgress } from "./develop-task.ts";
import { callsIn } from "./neighbours.ts";
import { findUses, type SeenLines, type UsesInput } from "./repository-view.ts";

const groupOf = (path: string) => classifyFile({ path, mode: "100644", size: 1 }).group;

const isSource = (path: string) => groupOf(path) === "source";

const CODE: ReadonlySet<string | null> = new Set(["source", "test"]);

/** Lines shown around each change: of code more than of tests, of a changelog that it is one. */
const leastContextOf = (path: string) => (isSource(path) ? 6 : groupOf(path) === "documentation" ? 1 : 3);

/** Lines of a function that is shown whole when one or two places change: what leads to them decides. */
const MAX_WHOLE_LENGTH = 100;

const MAX_WHOLE_PLACES = 2;

/** The lines of the new file that are shown: what is around the changes, and the short functions that one or two of them stand in. */
function shownAround(
  path: string,
  { before, after, symbols }: Versions & { readonly symbols: readonly SourceSymbol[] },
): { readonly lines: ReadonlySet<number>; readonly context: number } {
  const least = leastContextOf(path);
  const places = diffLines(unifiedDiff(path, before, after, { context: 1 }));
  const isWhole = isSource(path) && places.length <= MAX_WHOLE_PLACES;
  const spans = places.flatMap(({ added, besideRemoved }) => {
    const lines = [...added, ...besideRemoved];
    const [first, last] = [Math.min(...lines), Math.max(...lines)];
    const around = symbols
      .filter(({ kind, start, end }) => CALLABLE.has(kind) && start <= first && last <= end)
      .sort((a, b) => b.start - a.start)[0];
    const isShort = isWhole && around !== undefined && around.end - around.start < MAX_WHOLE_LENGTH;
    const near = { from: first - least, to: last + least, context: least };
    if (!isShort) return [near];
    const context = Math.max(first - around.start, around.end - last);
    return [near, { from: around.start, to: around.end, context }];
  });
  const lines = spans.flatMap(({ from, to }) => Array.from({ length: to - from + 1 }, (_, at) => from + at));
  return { lines: new Set(lines), context: Math.max(least, ...spans.map(({ context }) => context)) };
}

interface Versions {
  readonly before: Uint8Array | undefined;
  readonly after: Uint8Array | undefined;
}

/** The unified diff of which QA is shown the hunks, and the file as it is then. */
async function diffForReview(change: Versions & { readonly path: string }, parser: SourceParser) {
  const { path, before, after } = change;
  const lines = (after && readText(after)?.lines) ?? [];
  const symbols = (isSource(path) && (await parser.symbols(path, lines.join("")))) || [];
  const around = shownAround(path, { before, after, symbols });
  const diff = unifiedDiff(path, before, after, { context: around.context });
  const shown = diffLines(diff).flatMap((hunk) => [...hunk.shown.filter((at) => around.lines.has(at)), ...hunk.added]);
  return { lines, symbols, diff, shown: new Set(shown) };
}

/** What has changed in a file, as QA is shown it: `numberedDiff`, with the first lines of the functions around. */
export async function viewDiff(
  { path, before, after }: Versions & { readonly path: string },
  parser: SourceParser,
): Promise<string> {
  const { diff, lines, symbols, shown } = await diffForReview({ path, before, after }, parser);
  const headOf = (first: number) => {
    const around = symbols.filter(({ kind, start, end }) => CALLABLE.has(kind) && start < first && first <= end);
    const start = Math.max(...around.map((symbol) => symbol.start));
    const text = lines[start - 1];
    return text === undefined ? undefined : { line: start, text: stripTerminator(text) };
  };
  return numberedDiff(diff, headOf, (line) => shown.has(line));
}

const linesOf = (content: Uint8Array | undefined) => (content && readText(content)?.lines) || [];

/** Lines of a declaration that is worth showing, of one that is no function, and characters of all of them. */
const MAX_LENGTH = 30;

const MAX_VALUE_LENGTH = 8;

const BUDGET = 2_500;

const WORD = /[\p{L}_$][\p{L}\p{N}_$]{4,}\(?/gu;

/** The names in a text: a plain word is one where it is called. */
const namesIn = (text: string): string[] =>
  (text.match(WORD) ?? [])
    .filter((word) => word.endsWith("(") || /[\p{Lu}_$\d]/u.test(word.slice(1)))
    .map((word) => word.replace("(", ""));

const A_PATH = /[\w./-]+/g;

/** Places in a changed file that use what changed, and lines around each. */
const MAX_SITES = 4;

const AROUND = 2;

/**
 * What QA would have to look up otherwise: short declarations of the changed files that the new lines or the words on the
 * cause name, and the places in these files that use what changed, where the diffs do not show them. `seen` has all lines
 * that are shown then.
 */
export async function viewCalled(
  team: readonly TaskProgress[],
  { parser, reason }: { parser: SourceParser; reason: string },
): Promise<{ readonly text: string; readonly seen: SeenLines }> {
  const named = new Set(namesIn(reason.replace(A_PATH, (text) => (text.includes("/") ? "" : text))));
  for (const { task, change } of team) {
    // What only a test calls says nothing of the change.
    if (!isSource(task.path)) continue;
    const added = change?.diff.match(/^\+(?!\+\+).*$/gm) ?? [];
    for (const name of namesIn(added.join("\n"))) named.add(name);
  }
  const parts: string[] = [];
  const seen = new Map<string, Set<number>>();
  let room = BUDGET;
  for (const progress of team) {
    const { task, before, change } = progress;
    const lines = linesOf(change?.content);
    if (!change || lines.length === 0) continue;
    const { shown } = await diffForReview({ path: task.path, before, after: change.content }, parser);
    seen.set(task.path, shown);
    if (!isSource(task.path)) continue;
    const wanted = [
      ...(await usedIn(progress, lines, shown, parser)),
      ...(await declaredIn(progress, lines, shown, { parser, named })),
    ];
    const ranges: Range[] = [];
    let text = "";
    for (const range of wanted) {
      const more = `${task.path}\n${numberedRanges(
        lines,
        [...ranges, range].sort((a, b) => a.from - b.from),
      )}`;
      if (more.length > room) continue;
      text = more;
      ranges.push(range);
    }
    if (text === "") continue;
    for (const { from, to } of ranges) for (let line = from; line <= to; line++) shown.add(line);
    room -= text.length;
    parts.push(text);
  }
  return { text: parts.join("\n\n"), seen };
}

/** The names that the new lines of sources call, in their order. */
export function calledIn(team: readonly TaskProgress[]): readonly string[] {
  const added = team
    .filter(({ task }) => isSource(task.path))
    .flatMap(({ change }) => change?.diff.match(/^\+(?!\+\+).*$/gm) ?? []);
  return [...callsIn(added.join("\n"))];
}

interface Range {
  readonly from: number;
  readonly to: number;
}

async function declaredIn(
  { task }: TaskProgress,
  lines: readonly string[],
  shown: ReadonlySet<number>,
  { parser, named }: { parser: SourceParser; named: ReadonlySet<string> },
): Promise<Range[]> {
  const symbols = (await parser.symbols(task.path, lines.join(""))) ?? [];
  return symbols
    .filter(({ name, start, end }) => named.has(name) && end > start && end - start < MAX_LENGTH)
    .filter(({ kind, start, end }) => CALLABLE.has(kind) || isContainer(kind) || end - start < MAX_VALUE_LENGTH)
    .filter(({ start, end }) => unseenIn(shown, start, end) > (end - start + 1) / 2)
    .map(({ start, end }) => ({ from: start, to: end }));
}

function unseenIn(shown: ReadonlySet<number>, start: number, end: number): number {
  let count = 0;
  for (let line = start; line <= end; line++) if (!shown.has(line)) count++;
  return count;
}

/** Where the changed file itself uses what changed. */
async function usedIn(
  progress: TaskProgress,
  lines: readonly string[],
  shown: ReadonlySet<number>,
  parser: SourceParser,
): Promise<Range[]> {
  const symbols = (await parser.symbols(progress.task.path, lines.join(""))) ?? [];
  const sites = new Set<number>();
  for (const name of await touchedNames(progress, parser)) {
    const used = (await parser.references(progress.task.path, lines.join(""), name)) ?? [];
    const declared = new Set(symbols.filter((symbol) => symbol.name === name).map(({ start }) => start));
    for (const line of used) if (!shown.has(line) && !declared.has(line)) sites.add(line);
  }
  return [...sites].slice(0, MAX_SITES).map((line) => ({ from: line - AROUND, to: line + AROUND }));
}

/** Around a line that no function is around: who uses them is not said to use what changed. */
const isContainer = (kind: string) => holdsDeclarations(kind) || isTestKind(kind);

/**
 * Where else the repository uses what a change has touched: for the innermost declarations around the changed lines of
 * source files, what `find_references` gives, without lines that are `seen` already; "" where no grammar is known, and
 * without tools.
 */
export async function findUsesOfChange(
  progress: readonly TaskProgress[],
  { parser, ...where }: UsesInput & { readonly parser: SourceParser },
): Promise<string> {
  const names = new Set<string>();
  for (const one of progress) for (const name of await touchedNames(one, parser)) names.add(name);
  return findUses([...names], { ...where, wanted: (path) => CODE.has(groupOf(path)) });
}

async function touchedNames({ task, change, before }: TaskProgress, parser: SourceParser): Promise<string[]> {
  if (!change || before === undefined) return [];
  if (!isSource(task.path)) return [];
  const lines = change.content && readText(change.content)?.lines;
  const symbols = (lines && (await parser.symbols(task.path, lines.join("")))) ?? [];
  // What the change brings in is used nowhere else.
  const old = new Set(
    (await parser.symbols(task.path, readText(before)?.lines.join("") ?? ""))?.map(({ name }) => name),
  );
  const touched = diffLines(change.diff).flatMap(({ added, besideRemoved }) => [...added, ...besideRemoved]);
  const inner = touched.flatMap((line) => {
    const around = symbols.filter(({ start, end }) => start <= line && line <= end);
    const size = ({ start, end }: SourceSymbol) => end - start;
    // What is declared in a function cannot be used elsewhere: the function can.
    const callable = around.filter(({ kind }) => CALLABLE.has(kind)).sort((a, b) => size(b) - size(a));
    if (callable.length > 0) return callable.slice(0, 1);
    const own = around.filter(({ kind, start }) => !isContainer(kind) || start === line);
    return own.sort((a, b) => size(a) - size(b)).slice(0, 1);
  });
  return [...new Set(inner.map(({ name }) => name))].filter((name) => old.has(name));
}
