import { posix } from "node:path";
import ignore, { type Ignore } from "ignore";
import { type Difference, differences } from "../code/edits/file-change.ts";
import { readText } from "../code/edits/text-file.ts";
import type { SourceParser } from "../code/source-parser.ts";
import { readList } from "../data/own-files.ts";
import { fencedLines, ownWords } from "../data/own-words.ts";
import { groupOf } from "../search/classify-file.ts";
import { isCode } from "../search/path-rules.ts";
import { nextTurn } from "../text/next-turn.ts";
import { type Declaration, onlyDeclares, type Program, readProgram, wordsIn } from "./new-declarations.ts";
import type { ChangedFile } from "./working-copy.ts";

/** A file that judges the change, and what the change does to it. */
export interface EditedFile {
  path: string;
  /** 1-based line of the new version; absent if the file is gone, or is no text */
  line?: number;
  /** the end of a sentence, beginning with a verb */
  what: string;
}

/** 1-based lines of files before the change, by path. */
export type LinesOf = ReadonlyMap<string, ReadonlySet<number>>;

export function linesOf(places: readonly { path: string; line: number }[]): LinesOf {
  const lines = new Map<string, Set<number>>();
  for (const { path, line } of places) lines.set(path, (lines.get(path) ?? new Set()).add(line));
  return lines;
}

/** Reads a file of the base branch; `before`: what it is on the pull request's branch. */
export type BaseReader = (path: string, before: Uint8Array | undefined) => Promise<Uint8Array | undefined>;

/** What a change may edit without being shown. */
export interface FreeEdits {
  /** Gives a file as it is on the base branch, undefined if it is not there: it is the bot's own. Absent: as `before`. */
  onBase?: BaseReader;
  /** lines that the failing check names */
  named?: LinesOf;
  /** lines on which maintainers' threads stand: the declaration there is free */
  discussed?: LinesOf;
  /** what maintainers wrote: a file or test that they name literally is free */
  words?: readonly string[];
}

/**
 * Finds the edits of tests, of recorded results and of what configures checks that a maintainer should see: all but
 * whole new declarations and what `free` holds, one a file. It does not judge whether an edit is harmless, which no
 * text shows. Without a parser for its language, a file has no declarations: any edit of an existing one counts. Never
 * throws.
 */
export async function findEditedTests(
  files: readonly ChangedFile[],
  free: FreeEdits,
  parser: SourceParser,
): Promise<readonly EditedFile[]> {
  const kindOf = createJudgingKind();
  const literal = namedIn(free.words ?? []);
  const found: EditedFile[] = [];
  for (const file of files) {
    const kind = kindOf(file.path) ?? (file.path.endsWith(".rs") ? "inline test" : undefined);
    if (kind === undefined || literal.hasFile(file.path)) continue;
    await nextTurn();
    const edit = await editIn(file, kind, { ...free, literal }, parser);
    if (edit) found.push(edit);
  }
  return found;
}

type Kind = JudgingKind | "inline test";

interface Free extends FreeEdits {
  literal: ReturnType<typeof namedIn>;
}

async function editIn(
  { path, before, after }: ChangedFile,
  kind: Kind,
  free: Free,
  parser: SourceParser,
): Promise<EditedFile | undefined> {
  const onBase = free.onBase ? await free.onBase(path, before) : before;
  if (onBase === undefined) {
    const isNew = before === undefined && kind === "configuration";
    return isNew ? { path, line: 1, what: `adds ${WHAT.configuration}` } : undefined;
  }
  const [base, old, now] = [onBase, before, after].map(linesIn);
  if (!base || !old || !now) return { path, what: `edits ${WHAT[kind]}` };
  await nextTurn();
  const lines = await editedLines({ path, base, old, now }, kind, free, parser);
  const [line] = lines;
  if (line === undefined) return undefined;
  if (after === undefined) return { path, what: `removes ${WHAT[kind]}` };
  return { path, line, what: `edits ${WHAT[kind]} (${rangesOf(lines)})` };
}

const WHAT: Readonly<Record<Kind, string>> = {
  configuration: "a file that says what checks do or how they are run",
  recorded: "recorded results",
  test: "existing tests",
  "inline test": "existing tests",
};

/** None for a file that does not exist; undefined for a binary one. */
const linesIn = (bytes: Uint8Array | undefined) => (bytes === undefined ? [] : readText(bytes)?.lines);

/** A file's lines on the base branch, before the change and after it. */
interface Versions {
  path: string;
  base: readonly string[];
  old: readonly string[];
  now: readonly string[];
}

/** With more separate edits, all of a file counts as edited. */
const MAX_EDITS = 300;

/** The new version's lines, 1-based and in order, where something of the base is edited and not free. */
async function editedLines(
  { path, base, old, now }: Versions,
  kind: Kind,
  free: Free,
  parser: SourceParser,
): Promise<readonly number[]> {
  const edits = differences(old, now);
  if (edits.length > MAX_EDITS) return [1];
  const [were, are] = [await readProgram(path, old, parser), await readProgram(path, now, parser)];
  await nextTurn();
  const [isOwn, isNew] = [notIn(base, old), notIn(base, now)];
  const places = freePlaces(path, were, { ...free, isOwn });
  const tests = kind === "inline test" ? were.declarations.filter((one) => one.isTest) : undefined;
  const isFree = (edit: Difference) => {
    const gone = rows(edit.from, edit.to).filter((line) => !isBlank(old[line - 1]));
    const isIn = (line: number) => places.some(({ from, to }) => from <= line && line <= to);
    if (gone.length > 0 ? gone.every(isIn) : places.some((place) => takes(place, edit.from))) return true;
    if (tests && !tests.some(({ from, end }) => edit.from < end && edit.to >= from - 1)) return true;
    const lost = gone.filter((line) => !isIn(line) && !isOwn(line));
    const added = rows(edit.newFrom, edit.newTo).filter((line) => !isBlank(now[line - 1]) && isNew(line));
    if (lost.length + added.length === 0) return true;
    const canDeclare = kind === "test" || kind === "inline test";
    return canDeclare && onlyDeclares({ path, edit, lost, added, were, are });
  };
  return edits
    .filter((edit) => !slides(edit, old, now).some(isFree))
    .flatMap(({ newFrom, newTo }) => rows(newFrom, Math.max(newTo, newFrom + 1)))
    .map((line) => Math.min(line, Math.max(1, now.length)));
}

const isBlank = (line = "") => line.trim() === "";

/** The 1-based numbers of lines that are given 0-based, the end exclusive. */
const rows = (from: number, to: number): readonly number[] =>
  Array.from({ length: to - from }, (_, at) => from + at + 1);

/** Whether a line of `text`, 1-based, is not among those that it shares with `other`. */
function notIn(other: readonly string[], text: readonly string[]): (line: number) => boolean {
  const only = new Set(differences(other, text).flatMap(({ newFrom, newTo }) => rows(newFrom, newTo)));
  return (line) => only.has(line);
}

/** How far an edit may be moved: the lines of a test's frame that are the same in the next. */
const MAX_SLIDE = 12;

/** An edit that only adds or only removes, in all places where it has the same result: `});` and `@Test` repeat. */
function slides(edit: Difference, old: readonly string[], now: readonly string[]): readonly Difference[] {
  const adds = edit.from === edit.to;
  if (!adds && edit.newFrom < edit.newTo) return [edit];
  const [lines, from, to] = adds ? [now, edit.newFrom, edit.newTo] : [old, edit.from, edit.to];
  const found = [edit];
  const move = (by: number) =>
    found.push({ from: edit.from + by, to: edit.to + by, newFrom: edit.newFrom + by, newTo: edit.newTo + by });
  for (let by = -1; by >= -MAX_SLIDE && lines[from + by] !== undefined && lines[from + by] === lines[to + by]; by--)
    move(by);
  for (let by = 1; by <= MAX_SLIDE && to + by <= lines.length && lines[from + by - 1] === lines[to + by - 1]; by++)
    move(by);
  return found;
}

/** 1-based lines of the old version, inclusive. */
interface Place {
  from: number;
  to: number;
  /** what is put directly before or behind it is free, too */
  around?: true;
}

/** Whether new lines behind line `after` belong to the place. */
const takes = ({ from, to, around }: Place, after: number) =>
  around ? from - 1 <= after && after <= to : from <= after && after < to;

function freePlaces(
  path: string,
  { declarations }: Program,
  { named, discussed, literal, isOwn }: Free & { isOwn: (line: number) => boolean },
): readonly Place[] {
  const placeOf = ({ from, end }: Declaration): Place => ({ from, to: end });
  const alone = [...(named?.get(path) ?? [])].map((line): Place => ({ from: line, to: line }));
  const underThreads = [...(discussed?.get(path) ?? [])].map((line): Place => {
    const declaration = declarationAt(line, declarations);
    return declaration ? placeOf(declaration) : { from: line, to: line, around: true };
  });
  const meant = declarations.filter((one) => !one.isGroup && literal.hasName(one.name)).map(placeOf);
  const own = declarations.filter(({ start, end }) => rows(start - 1, end).every(isOwn)).map(placeOf);
  return [...alone, ...underThreads, ...meant, ...own];
}

/** The smallest declaration at a line; none for a line in a group of tests that is neither its head nor in a test. */
function declarationAt(line: number, declarations: readonly Declaration[]): Declaration | undefined {
  const [smallest] = declarations
    .filter(({ from, end }) => from <= line && line <= end)
    .sort((one, other) => one.end - one.from - (other.end - other.from));
  return smallest?.isGroup && line > smallest.start ? undefined : smallest;
}

/** Quoted words, and words that are written as names: with an underscore, a digit, or a capital inside. */
const QUOTED = /`([^`\n]{1,200})`|"([^"\n]{1,200})"|“([^”\n]{1,200})”|'([^'\n]{1,200})'/g;

const WRITTEN_AS_NAME = /_|\d|[a-z][A-Z]/;

/** The files and tests that maintainers name in their own words, not in quotations and pieces of code. */
function namedIn(words: readonly string[]) {
  const own = words.map(withoutQuotes).join("\n");
  const quoted = [...own.matchAll(QUOTED)].map((found) => found.slice(1).find((one) => one !== undefined) ?? "");
  const tokens = own.match(/[\p{L}\p{N}_$@./+-]+/gu) ?? [];
  const files = new Set(tokens.map((token) => token.replace(/^(?:\.?\/)+/, "").replace(/[.-]{1,9}$/, "")));
  const names = new Set([...quoted, ...wordsIn(own).filter((word) => WRITTEN_AS_NAME.test(word))]);
  return {
    hasFile: (path: string) => path.split("/").some((_, at, parts) => files.has(parts.slice(at).join("/"))),
    hasName: (name: string) => names.has(name),
  };
}

/** A comment without what it quotes and its pieces of code. */
function withoutQuotes(comment: string): string {
  const lines = ownWords(comment).split("\n");
  const fenced = fencedLines(lines);
  return lines.filter((_, at) => !fenced[at]).join("\n");
}

/** Ranges named in a sentence. */
const MAX_RANGES = 4;

/** `lines 3 to 5 and 9` */
function rangesOf(lines: readonly number[]): string {
  const ranges: [number, number][] = [];
  for (const line of lines) {
    const last = ranges.at(-1);
    if (last && line <= last[1] + 1) last[1] = line;
    else ranges.push([line, line]);
  }
  const shown = ranges.slice(0, MAX_RANGES).map(([from, to]) => (from === to ? `${from}` : `${from} to ${to}`));
  if (ranges.length > shown.length) shown.push("further ones");
  const word = new Set(lines).size === 1 ? "line" : "lines";
  return `${word} ${shown.length === 1 ? shown[0] : `${shown.slice(0, -1).join(", ")} and ${shown.at(-1)}`}`;
}

/** How a file judges changes: it configures checks, holds recorded results, or is a test or its material. */
export type JudgingKind = "configuration" | "recorded" | "test";

/** How a file judges changes, by its path; undefined if it does not. Rust's inline tests are not known by it. */
export function createJudgingKind(): (file: string) => JudgingKind | undefined {
  rules ??= {
    configuration: matcher().add([...readList("check-files"), ...readList("protected-files")]),
    recorded: matcher().add([...readList("recorded-results")]),
  };
  // A matcher remembers the paths that it was asked about.
  const [configuration, recorded] = [matcher().add(rules.configuration), matcher().add(rules.recorded)];
  return (file) => {
    if (configuration.ignores(file)) return "configuration";
    if (recorded.ignores(file)) return "recorded";
    const { dir, ext, name } = posix.parse(file);
    // It may be a command that runs tests, but a needless thread harms less than an edit that nobody sees.
    if (name.toLowerCase() === "test" && isCode(file.toLowerCase())) return "test";
    // What is left out by its own name (`a.min.js`, `a.png`) is material in a folder of material.
    const group = groupOf(file) ?? (ext === "" ? null : groupOf(posix.join(dir, "material.json")));
    return group === "test" || group === "fixture" ? "test" : undefined;
  };
}

let rules: { configuration: Ignore; recorded: Ignore } | undefined;

const matcher = () => ignore({ ignorecase: true, allowRelativePaths: true });
