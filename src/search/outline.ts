import { addTo } from "../data/add-to.ts";
import type { IndexedFile } from "./ranking-types.ts";
import { STOP_WORDS } from "./terms.ts";

/** The share of the budget that one class may take, and in a file of many declarations. */
const MOST_OF_ONE = 0.7;

const MOST_OF_MANY = 0.2;

const MANY = 200;

/** The parts of a declaration that are listed. */
interface Declared {
  name: string;
  parent?: string;
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
  known?: readonly string[];
  /** of the best files */
  declared?: ReadonlyMap<string, readonly string[]>;
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
