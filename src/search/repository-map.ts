import type { IndexedFile } from "./ranking-types.ts";
import { STOP_WORDS } from "./terms.ts";

/** Names shown of one file, and the most a file's line may take, characters. */
const MAX_NAMES = 12;

const MAX_LINE_LENGTH = 300;

/**
 * A compact map of the repository for a model to read: the files most likely to matter with the names they declare,
 * by folder, then how many files each remaining folder holds. `relevant` are paths, best first; they are taken until
 * `budget` characters are used, then other files of the same folders by name alone while there is room.
 */
export function repositoryMap(files: readonly IndexedFile[], relevant: readonly string[], budget: number): string {
  const byPath = new Map(files.map((file) => [file.path, file]));
  const shown = new Map<string, string>();
  let used = 0;
  const show = (path: string, line: string): boolean => {
    if (used + line.length > budget) return false;
    used += line.length + 1;
    shown.set(path, line);
    return true;
  };
  for (const path of relevant) {
    const file = byPath.get(path);
    if (file && !show(path, describe(file))) break;
  }
  const folders = new Set([...shown.keys()].map(folderOf));
  for (const { path, group } of files) {
    if (!shown.has(path) && group === "source" && folders.has(folderOf(path)) && !show(path, nameOf(path))) break;
  }
  return [...listed(shown), ...remaining(files, shown, budget - used)].join("\n");
}

function describe({ path, tokens: { table, data, countsEnd } }: IndexedFile): string {
  const names = new Set<string>();
  for (let i = countsEnd; i < data.length && names.size < MAX_NAMES; i++) {
    const name = table.identifiers.name(data[i] as number);
    // Declarations are found by the look of a line, and so words of comments are among them.
    if (name.length > 2 && !STOP_WORDS.has(name)) names.add(name);
  }
  return (names.size === 0 ? nameOf(path) : `${nameOf(path)}: ${[...names].join(", ")}`).slice(0, MAX_LINE_LENGTH);
}

function listed(shown: ReadonlyMap<string, string>): string[] {
  const folders = new Map<string, string[]>();
  for (const [path, line] of [...shown].sort(([a], [b]) => (a < b ? -1 : 1))) {
    const lines = folders.get(folderOf(path)) ?? [];
    lines.push(`  ${line}`);
    folders.set(folderOf(path), lines);
  }
  return [...folders].flatMap(([folder, lines]) => [`${folder || "."}/`, ...lines]);
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
