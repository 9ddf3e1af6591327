import { diffLines } from "../../../edits/diff.ts";
import { numberedRanges } from "../../../edits/numbered.ts";
import { readText } from "../../../edits/text-file.ts";
import { holdsDeclarations, isTestKind, type SourceParser, type SourceSymbol } from "../../../ports/source-parser.ts";
import type { TaskProgress } from "./develop-task.ts";
import type { Overlay, RepositoryView } from "./repository-view.ts";
import { CALLABLE, diffForReview, isSource } from "./view-for-task.ts";

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

/** Lines by path that QA is shown. */
export type SeenLines = ReadonlyMap<string, ReadonlySet<number>>;

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
    const { diff } = await diffForReview({ path: task.path, before, after: change.content }, parser);
    const shown = new Set(diffLines(diff).flatMap((hunk) => hunk.shown));
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

/** Declarations whose uses are looked up, and characters of what is found. */
const MAX_NAMES = 4;

const MAX_CHARACTERS = 3_000;

/** Around a line that no function is around: who uses them is not said to use what changed. */
const isContainer = (kind: string) => holdsDeclarations(kind) || isTestKind(kind);

/** `3 lines in 2 files, 3 of them declarations` */
const ONLY_DECLARED = /^(\d+) lines? in \d+ files?, \1 of them declarations/;

const COUNT = /^(\d+) lines? in/;

/** A name that is used more often is too common to tell anything. */
const MAX_USES = 60;

/** They are everywhere, and no other. */
const COMMON = /^(?:constructor|initialize|__\w+__|main|init|new|default|get|set|toString|run|test|setup)$/;

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
  return findUses([...names], where);
}

interface UsesInput {
  readonly repositoryView: Pick<RepositoryView, "toolset">;
  readonly overlay?: Overlay;
  readonly seen?: SeenLines;
  /** characters of all that is found */
  readonly most?: number;
  /** whether a file's uses are wanted */
  readonly wanted?: (path: string) => boolean;
}

/** Where the repository uses the first few of `names`, each with the lines that are not `seen`; common ones tell nothing. */
export async function findUses(
  names: readonly string[],
  { repositoryView, overlay = new Map(), seen = new Map(), most = MAX_CHARACTERS, wanted = () => true }: UsesInput,
): Promise<string> {
  const references = repositoryView.toolset(1, { overlay })?.tools.find(({ name }) => name === "find_references");
  if (!references) return "";
  const found: string[] = [];
  const chosen = names.filter((name) => name.length > 2 && !COMMON.test(name)).slice(0, MAX_NAMES);
  for (const name of chosen) {
    const text = await references.run({ name });
    if (ONLY_DECLARED.test(text) || Number(COUNT.exec(text)?.[1]) > MAX_USES) continue;
    const lines = text.split("\n").slice(1);
    const unseen = lines.filter((line) => {
      const [, path = "", number] = /^(.+?):(\d+): /.exec(line) ?? [];
      const isKnown = seen.get(path)?.has(Number(number)) === true || /\[declaration\b[^\]]*\]$/.test(line);
      return !isKnown && wanted(path);
    });
    if (unseen.length > 0) found.push(`${name}:\n${shortened(unseen.join("\n"), most / chosen.length)}`);
  }
  return found.join("\n\n");
}

/** Whole lines, the rest counted. */
function shortened(text: string, most: number): string {
  if (text.length <= most) return text;
  const end = text.lastIndexOf("\n", most);
  const shown = text.slice(0, end > 0 ? end : most);
  return `${shown}\n… ${text.slice(shown.length).trim().split("\n").length} more lines`;
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
