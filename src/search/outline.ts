import { addTo } from "../data/add-to.ts";
import type { IndexedFile } from "./ranking-types.ts";
import { STOP_WORDS } from "./terms.ts";

/** The share of the budget that one class may take. */
const MOST_OF_ONE = 0.6;

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
  const ranked = [...groups].map(([name, members], at) => {
    const unique = [...new Set(members)].sort((a, b) => weight(b) - weight(a));
    // The best member alone: a struct of a hundred fields would outweigh every function.
    return { name, members: unique, at, weight: weight(name) * 2 + weight(unique[0] ?? "") };
  });
  const chosen: { at: number; text: string }[] = [];
  let room = most;
  for (const { name, members, at } of ranked.sort((a, b) => b.weight - a.weight || a.at - b.at)) {
    if (name.length + 2 > room) break;
    const shown: string[] = [];
    let left = Math.min(room, most * MOST_OF_ONE) - name.length - 4;
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

/** Names shown for a file, and the longest line of one in characters. */
const MAX_NAMES = 8;

const MAX_MAP_LINE = 300;

/** How many of the best files have their folders listed, and the share of the budget up to there. */
const LISTED_AROUND = 24;

const LISTED_SHARE = 0.6;

/** Listed first in a folder: the others rarely help to find code. */
const HELPFUL: ReadonlySet<IndexedFile["group"]> = new Set(["source", "test"]);

/** What is known of some files, by path. */
interface MapKnowledge {
  /** files whose declarations are shown elsewhere */
  known?: readonly string[];
  /** of the best files */
  declared?: ReadonlyMap<string, readonly string[]>;
}

/**
 * A compact map of the repository for a model: by folder, the files most likely to matter with the names they declare,
 * the names of the files in their folders, then how many files each remaining folder holds. `relevant` are paths, best
 * first; `budget` is in characters.
 */
export function repositoryMap(
  files: readonly IndexedFile[],
  relevant: readonly string[],
  budget: number,
  { known = [], declared = new Map() }: MapKnowledge = {},
): string {
  const byPath = new Map(files.map((file) => [file.path, file]));
  const ranked = relevant.flatMap((path) => byPath.get(path) ?? []);
  const elsewhere = new Set(known);
  const shown = new Map<string, string>();
  let left = budget + 1;
  const show = (path: string, line: string, least = 0): boolean => {
    const more = line.length - (shown.get(path)?.length ?? -1);
    if (more > left - least) return false;
    left -= more;
    shown.set(path, line);
    return true;
  };
  const showDeclared = (some: readonly IndexedFile[]) =>
    some.every((file) =>
      show(file.path, describe(file, elsewhere.has(file.path) ? [] : (declared.get(file.path) ?? []))),
    );
  showDeclared(ranked.slice(0, LISTED_AROUND));
  const near = besideIn([...new Set([...shown.keys()].map(folderOf))], files);
  const showNear = (least: number) => near.every(({ path }) => shown.has(path) || show(path, nameOf(path), least));
  showNear(budget * (1 - LISTED_SHARE));
  showDeclared(ranked.slice(LISTED_AROUND));
  showNear(0);
  return [...grouped(shown), ...remaining(files, shown, left - 1)].join("\n");
}

/** The files of some folders, folder by folder, the most helpful first. */
function besideIn(folders: readonly string[], files: readonly IndexedFile[]): readonly IndexedFile[] {
  const beside = new Map<string, IndexedFile[]>(folders.map((folder) => [folder, []]));
  for (const file of files) if (!nameOf(file.path).startsWith(".")) beside.get(folderOf(file.path))?.push(file);
  const isHelpful = ({ group }: IndexedFile) => HELPFUL.has(group);
  return [...beside.values()].flatMap((held) => [
    ...held.filter(isHelpful),
    ...held.filter((file) => !isHelpful(file)),
  ]);
}

function describe({ path }: IndexedFile, declared: readonly string[]): string {
  const stem = nameOf(path).split(".")[0];
  const telling = declared.filter((name) => name.length > 2 && name !== stem && !STOP_WORDS.has(name));
  const names = [...new Set(telling)].slice(0, MAX_NAMES);
  return (names.length === 0 ? nameOf(path) : `${nameOf(path)}: ${names.join(", ")}`).slice(0, MAX_MAP_LINE);
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
