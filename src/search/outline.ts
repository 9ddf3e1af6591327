import { addTo } from "../data/add-to.ts";
import type { IndexedFile } from "./ranking-types.ts";
import { STOP_WORDS } from "./terms.ts";

/** The share of the outline for the beginning of a file, which says what it is for. */
const HEAD_SHARE = 0.2;

const MAX_LINE_LENGTH = 160;

const GAP = "…";

/** Only `#` with a blank is a comment: `#private` is a member, `## Heading` says what follows. */
const COMMENT = /^(?:\/\/|\/\*|\*|# |--|"""|''')/;

const ONLY_CLOSES = /^[\s)\]};,]*$/;

interface RankedLine {
  readonly at: number;
  readonly text: string;
  readonly rank: number;
}

/**
 * The outline of a text in any language, about `most` characters: its beginning, then the least indented lines, code
 * before comments. Lines keep their order, and `…` stands for what is left out. This shows what a file declares without
 * a parser. A short text is returned as it is.
 */
export function outlineText(text: string, most: number): string {
  if (text.length <= most) return text;
  const lines = text.split(/\r?\n/);
  const chosen = new Set<number>();
  let room = most;
  const choose = (at: number): boolean => {
    const cost = Math.min(MAX_LINE_LENGTH, lines[at]?.length ?? 0) + 3;
    if (chosen.has(at) || cost > room) return cost <= room;
    room -= cost;
    chosen.add(at);
    return true;
  };
  for (let at = 0; at < lines.length && room > most * (1 - HEAD_SHARE); at++) if (!choose(at)) break;
  for (const group of byRank(lines)) {
    // Thin out a level that does not fit evenly, to keep some of the file's end.
    const cost = group.reduce((sum, { text: line }) => sum + Math.min(MAX_LINE_LENGTH, line.length) + 3, 0);
    const step = Math.max(1, cost / Math.max(1, room));
    for (let i = 0; i < group.length; i += step) choose((group[Math.floor(i)] as RankedLine).at);
    if (step > 1) break;
  }
  return written(lines, chosen);
}

/** Lines of more than closing brackets, grouped by indent, least first; a comment comes after code one level deeper. */
function byRank(lines: readonly string[]): RankedLine[][] {
  const ranked = lines.flatMap((text, at): RankedLine[] => {
    if (ONLY_CLOSES.test(text)) return [];
    const line = text.trimStart();
    const indent = text.slice(0, text.length - line.length).replaceAll("\t", "    ").length;
    return [{ at, text, rank: indent + (COMMENT.test(line) ? 5 : 0) }];
  });
  const groups = new Map<number, RankedLine[]>();
  for (const line of ranked) {
    const group = groups.get(line.rank);
    if (group) group.push(line);
    else groups.set(line.rank, [line]);
  }
  return [...groups].sort(([a], [b]) => a - b).map(([, group]) => group);
}

function written(lines: readonly string[], chosen: ReadonlySet<number>): string {
  const shown: string[] = [];
  let last = -1;
  for (const at of [...chosen].sort((a, b) => a - b)) {
    if (at > last + 1) shown.push(GAP);
    const line = lines[at] ?? "";
    shown.push(line.length > MAX_LINE_LENGTH ? `${line.slice(0, MAX_LINE_LENGTH)}${GAP}` : line);
    last = at;
  }
  if (last < lines.length - 1) shown.push(GAP);
  return shown.join("\n");
}

/** The share of the budget that one class may take, and in a file of many declarations. */
const MOST_OF_ONE = 0.7;

const MOST_OF_MANY = 0.2;

const MANY = 200;

/** The parts of a declaration that are listed. */
interface Declared {
  readonly name: string;
  readonly parent?: string;
}

/**
 * What a file declares, on one line of at most `most` characters: top-level names, each with its members in
 * parentheses. If not all fit, those that share terms with the issue come first. `splits` gives a name's terms, `terms`
 * their weights.
 */
export function declaredNames(
  declared: readonly Declared[],
  splits: (name: string) => readonly string[],
  terms: ReadonlyMap<string, number>,
  most: number,
): string {
  const weight = (name: string) => splits(name).reduce((sum, term) => sum + (terms.get(term) ?? 0), 0);
  const groups = new Map<string, string[]>();
  for (const { name, parent } of declared) {
    if (parent === undefined) groups.set(name, groups.get(name) ?? []);
    else addTo(groups, parent, name);
  }
  const isLarge = groups.size > MANY;
  const ofOne = most * (isLarge ? MOST_OF_MANY : MOST_OF_ONE);
  const ranked = [...groups].map(([name, members], at) => {
    const unique = [...new Set(members)].sort((a, b) => weight(b) - weight(a));
    const ofMembers = unique.map(weight);
    // A struct of a hundred fields would outweigh every function.
    const inAll = isLarge ? (ofMembers[0] ?? 0) : ofMembers.reduce((sum, one) => sum + one, 0);
    return { name, members: unique, at, weight: weight(name) * 2 + inAll };
  });
  const chosen: { at: number; text: string }[] = [];
  let room = most;
  for (const { name, members, at } of ranked.sort((a, b) => b.weight - a.weight || a.at - b.at)) {
    if (name.length + 2 > room) break;
    const shown: string[] = [];
    let left = Math.min(room, ofOne) - name.length - 4;
    for (const member of members) {
      if (member.length + 2 > left) break;
      left -= member.length + 2;
      shown.push(member);
    }
    const more = shown.length < members.length ? [...shown, "…"] : shown;
    const text = more.length > 0 ? `${name} (${more.join(", ")})` : name;
    room -= text.length + 2;
    chosen.push({ at, text });
  }
  const names = chosen.sort((a, b) => a.at - b.at).map(({ text }) => text);
  return [...names, ...(chosen.length < ranked.length ? ["…"] : [])].join("; ");
}

/** Names shown for each of the best files, for each of the others, and the longest line of a file in characters. */
const MAX_NAMES = 12;

const MAX_NAMES_BEYOND = 5;

const MAX_MAP_LINE = 300;

/** How many of the best files have their folders listed whole, and the share of the budget up to there. */
const LISTED_AROUND = 24;

const LISTED_SHARE = 0.6;

/** How many of the best tests have their folders listed, too. */
const TEST_FOLDERS = 2;

/** Groups listed last in a folder: they rarely help to find code, and a test's name repeats its code's. */
const LAST: Partial<Record<IndexedFile["group"], number>> = {
  test: 1,
  example: 2,
  documentation: 2,
  config: 2,
  other: 2,
  data: 3,
  locale: 3,
  fixture: 3,
};

const NEVER = /^(?:\.|licen[cs]e|copying|notice|authors|contributors)|\.(?:snap|min\.\w+|lock)$/i;

/** What is known of some files, by path. */
interface MapKnowledge {
  /** files whose declarations are shown elsewhere */
  readonly known?: readonly string[];
  /** of the best files */
  readonly declared?: ReadonlyMap<string, readonly string[]>;
}

/**
 * A compact map of the repository for a model: by folder, the files most likely to matter with the names they declare,
 * then how many files each remaining folder holds. `relevant` are paths, best first. The `budget` (characters) goes to the best files first, then to names of files beside them, code and
 * tests before the rest, then to what the other relevant files declare.
 */
export function repositoryMap(
  files: readonly IndexedFile[],
  relevant: readonly string[],
  budget: number,
  { known = [], declared = new Map() }: MapKnowledge = {},
): string {
  const byPath = new Map(files.map((file) => [file.path, file]));
  const shown = new Map<string, string>();
  let used = 0;
  const show = (path: string, line: string, most = budget): boolean => {
    const more = line.length - (shown.get(path)?.length ?? -1);
    if (used + more > most + 1) return false;
    used += more;
    shown.set(path, line);
    return true;
  };
  const elsewhere = new Set(known);
  const ranked = relevant.flatMap((path) => byPath.get(path) ?? []);
  const lineOf = (file: IndexedFile, names: number) =>
    elsewhere.has(file.path) ? nameOf(file.path) : describe(file, declared.get(file.path) ?? [], names);
  for (const file of ranked.slice(0, LISTED_AROUND)) if (!show(file.path, lineOf(file, MAX_NAMES))) break;
  const tests = ranked.filter(({ group, path }) => group === "test" && !shown.has(path)).slice(0, TEST_FOLDERS);
  const folders = [...new Set([...shown.keys(), ...tests.map(({ path }) => path)].map(folderOf))];
  const beside = besideIn(folders, files);
  const listed = Math.max(used, budget * LISTED_SHARE);
  for (const folder of folders)
    for (const { path } of beside.get(folder) ?? []) if (!shown.has(path) && !show(path, nameOf(path), listed)) break;
  for (const file of ranked.slice(LISTED_AROUND)) if (!show(file.path, lineOf(file, MAX_NAMES_BEYOND))) break;
  for (const folder of folders)
    for (const { path } of beside.get(folder) ?? []) if (!shown.has(path) && !show(path, nameOf(path))) break;
  return [...grouped(shown), ...remaining(files, shown, budget - used)].join("\n");
}

/** The files of each folder, the least helpful last. */
function besideIn(folders: readonly string[], files: readonly IndexedFile[]): ReadonlyMap<string, IndexedFile[]> {
  const beside = new Map<string, IndexedFile[]>(folders.map((folder) => [folder, []]));
  for (const file of files) if (!NEVER.test(nameOf(file.path))) beside.get(folderOf(file.path))?.push(file);
  for (const held of beside.values()) held.sort((a, b) => (LAST[a.group] ?? 0) - (LAST[b.group] ?? 0));
  return beside;
}

function describe({ path }: IndexedFile, declared: readonly string[], most: number): string {
  const names = new Set<string>();
  const stem = nameOf(path).split(".")[0];
  for (const name of declared) {
    if (names.size >= most) break;
    if (name.length > 2 && name !== stem && !STOP_WORDS.has(name)) names.add(name);
  }
  return (names.size === 0 ? nameOf(path) : `${nameOf(path)}: ${[...names].join(", ")}`).slice(0, MAX_MAP_LINE);
}

/** By folder: a line for each file with declared names, one line for all others. */
function grouped(shown: ReadonlyMap<string, string>): string[] {
  const folders = new Map<string, { described: string[]; bare: string[] }>();
  for (const [path, line] of [...shown].sort(([a], [b]) => (a < b ? -1 : 1))) {
    const held = folders.get(folderOf(path)) ?? { described: [], bare: [] };
    (line === nameOf(path) ? held.bare : held.described).push(line);
    folders.set(folderOf(path), held);
  }
  return [...folders].flatMap(([folder, { described, bare }]) => [
    `${folder || "."}/`,
    ...described.map((line) => `  ${line}`),
    ...(bare.length > 0 ? [`  ${bare.join(", ")}`] : []),
  ]);
}

/** How many files each folder has beyond those shown, the largest first. */
function remaining(files: readonly IndexedFile[], shown: ReadonlyMap<string, string>, room: number): string[] {
  const counts = new Map<string, number>();
  for (const { path } of files) if (!shown.has(path)) counts.set(folderOf(path), (counts.get(folderOf(path)) ?? 0) + 1);
  const lines: string[] = [];
  for (const [folder, count] of [...counts].sort((a, b) => b[1] - a[1] || (a[0] < b[0] ? -1 : 1))) {
    const line = `${folder || "."}/ (${count} more ${count === 1 ? "file" : "files"})`;
    if (line.length > room) break;
    room -= line.length + 1;
    lines.push(line);
  }
  return lines;
}

const folderOf = (path: string) => path.slice(0, Math.max(0, path.lastIndexOf("/")));

const nameOf = (path: string) => path.slice(path.lastIndexOf("/") + 1);
