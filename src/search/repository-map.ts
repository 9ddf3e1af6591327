import type { IndexedFile } from "./ranking-types.ts";
import { STOP_WORDS } from "./terms.ts";

/** Names shown of one of the best files, of any other, and the most a file's line may take, characters. */
const MAX_NAMES = 12;

const MAX_NAMES_BEYOND = 5;

const MAX_LINE_LENGTH = 300;

/** The best files whose folders are listed whole, and the part of the budget for that. */
const LISTED_AROUND = 24;

const LISTED_SHARE = 0.6;

/** The best tests whose folders are listed, too. */
const TEST_FOLDERS = 2;

/** Beside others they are last: who looks for code has no use for them, and a test's name tells what its code's does. */
const LAST: Partial<Record<IndexedFile["group"], number>> = {
  ...{ test: 1, example: 2, documentation: 2, config: 2, other: 2, data: 3, locale: 3, fixture: 3 },
};

const NEVER = /^(?:\.|licen[cs]e|copying|notice|authors|contributors)|\.(?:snap|min\.\w+|lock)$/i;

/**
 * A compact map of the repository for a model to read: the files most likely to matter with the names they declare,
 * by folder, then how many files each remaining folder holds. `relevant` are paths, best first; what `known` ones declare
 * is shown elsewhere. The best ones come first, then all names of files in their folders, code and tests before the rest,
 * then what the others declare, as long as `budget` characters last.
 */
export function repositoryMap(
  files: readonly IndexedFile[],
  relevant: readonly string[],
  budget: number,
  known: readonly string[] = [],
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
    elsewhere.has(file.path) ? nameOf(file.path) : describe(file, names);
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

/** The files of folders, those last that tell least. */
function besideIn(folders: readonly string[], files: readonly IndexedFile[]): ReadonlyMap<string, IndexedFile[]> {
  const beside = new Map<string, IndexedFile[]>(folders.map((folder) => [folder, []]));
  for (const file of files) if (!NEVER.test(nameOf(file.path))) beside.get(folderOf(file.path))?.push(file);
  for (const held of beside.values()) held.sort((a, b) => (LAST[a.group] ?? 0) - (LAST[b.group] ?? 0));
  return beside;
}

function describe({ path, tokens: { table, data, countsEnd } }: IndexedFile, most: number): string {
  const names = new Set<string>();
  const stem = nameOf(path).split(".")[0];
  for (let i = countsEnd; i < data.length && names.size < most; i++) {
    const name = table.identifiers.name(data[i] as number);
    // Declarations are found by the look of a line, and so words of comments are among them.
    if (name.length > 2 && name !== stem && !STOP_WORDS.has(name)) names.add(name);
  }
  return (names.size === 0 ? nameOf(path) : `${nameOf(path)}: ${[...names].join(", ")}`).slice(0, MAX_LINE_LENGTH);
}

/** By folder: a line for each file of which names are shown, the others in one. */
function grouped(shown: ReadonlyMap<string, string>): string[] {
  const folders = new Map<string, { told: string[]; bare: string[] }>();
  for (const [path, line] of [...shown].sort(([a], [b]) => (a < b ? -1 : 1))) {
    const held = folders.get(folderOf(path)) ?? { told: [], bare: [] };
    (line === nameOf(path) ? held.bare : held.told).push(line);
    folders.set(folderOf(path), held);
  }
  return [...folders].flatMap(([folder, { told, bare }]) => [
    `${folder || "."}/`,
    ...told.map((line) => `  ${line}`),
    ...(bare.length > 0 ? [`  ${bare.join(", ")}`] : []),
  ]);
}

/** The folders that are not shown file by file, the largest first. */
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
