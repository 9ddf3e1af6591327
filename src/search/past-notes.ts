import { readList } from "../data/own-files.ts";
import { groupOf } from "./classify-file.ts";
import { anyGlob } from "./path-rules.ts";

/** A change as it landed. */
interface Landed {
  paths: readonly string[];
}

/** What most changes to the code came with. */
export interface PastNotes {
  /** a file of its own for each change, or an entry in a changelog */
  kind: "file" | "entry";
  /** that all files of their own are in, or below; "" for entries */
  folder: string;
  /** those that landed with code, newest first, each once: they need not exist any more */
  paths: readonly string[];
  /** changes to the code that were looked at, and those with a note */
  changes: number;
  noted: number;
}

/** With fewer changes to the code, the past says nothing. */
const LEAST_CHANGES = 8;

/** Newest changes to the code that decide. */
const DECIDING = 100;

/** Counted in 90 repositories: those with the habit have a note in two fifths of their changes, or in hardly any. */
const USUAL = 0.4;

/** One change writes a note, and a release takes it away. What more of them touch is another text. */
const TOUCHED_BY = 2;

/** A folder within that has as many notes, but for a tenth, is meant. */
const NEARLY_ALL = 0.9;

/** `.bugfix` without an extension is a text, too. */
const TEXT = /\.(?:md|rst|txt|ya?ml|json)$|\/[^./][^/.]*\.[a-z][a-z_-]*(?:\.\d+)?$/i;

const CHANGELOG = anyGlob(readList("changelogs"));

/** Whether a file lists past changes. */
export const isChangelog = (path: string): boolean => CHANGELOG.test(path.toLowerCase());

/**
 * The notes for users that merged changes to the code came with, by what landed together alone: texts in one folder,
 * each written by a change of its own, or changelogs. Undefined where fewer than two fifths of the changes had any.
 * `landed`: newest first.
 */
export function pastNotes(landed: readonly Landed[]): PastNotes | undefined {
  const isSource = (path: string) => groupOf(path) === "source" && !isChangelog(path);
  const changes = landed.filter(({ paths }) => paths.some(isSource)).slice(0, DECIDING);
  if (changes.length < LEAST_CHANGES) return undefined;
  const touched = countOf(landed.flatMap(({ paths }) => paths));
  const isOwn = (path: string) => TEXT.test(path) && !NO_NOTE.has(groupOf(path)) && !isChangelog(path);
  const isOnce = (path: string) => (touched.get(path) ?? 0) <= TOUCHED_BY && isOwn(path);
  const folder = usualFolder(changes.map(({ paths }) => paths.filter(isOnce)));
  const notesIn = (where: Pick<PastNotes, "kind" | "folder">, isNote: (path: string) => boolean) => {
    const noted = changes.filter(({ paths }) => paths.some(isNote));
    if (noted.length < USUAL * changes.length) return undefined;
    const paths = [...new Set(noted.flatMap((one) => one.paths.filter(isNote)))];
    return { ...where, paths, changes: changes.length, noted: noted.length };
  };
  return (
    notesIn({ kind: "file", folder }, (path) => path.startsWith(`${folder}/`) && isOnce(path)) ??
    notesIn({ kind: "entry", folder: "" }, isChangelog)
  );
}

const NO_NOTE: ReadonlySet<string | null> = new Set(["source", "test", "fixture"]);

/** The innermost folder with nearly the most changes in it. `changed`: the paths of each change. */
function usualFolder(changed: readonly (readonly string[])[]): string {
  const counts = countOf(changed.flatMap((paths) => [...new Set(paths.flatMap(foldersOf))]));
  const most = Math.max(0, ...counts.values());
  const usual = [...counts].filter(([, count]) => count >= NEARLY_ALL * most).map(([folder]) => folder);
  return usual.sort((a, b) => b.length - a.length)[0] ?? "";
}

/** Notes stand no deeper. Of longer paths the outermost folders count, so that none takes long. */
const MAX_DEPTH = 12;

/** The folders that a path is in, the outermost first. */
function foldersOf(path: string): readonly string[] {
  const parts = path.split("/", MAX_DEPTH);
  return parts.slice(1).map((_, at) => parts.slice(0, at + 1).join("/"));
}

function countOf(values: readonly string[]): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const value of values) counts.set(value, (counts.get(value) ?? 0) + 1);
  return counts;
}
