import { groupOf } from "../classify-file.ts";
import { listed } from "../patterns.ts";
import { packagePart, type ReadName, readName } from "./note-names.ts";
import { folderOf, isChangelog, isNotePath } from "./note-paths.ts";

/** A change as it landed. */
interface Landed {
  readonly message: string;
  readonly paths: readonly string[];
}

/** What most changes to the code have beside it. */
export type NoteHabit = FileHabit | EntryHabit;

interface Counted {
  /** changes to the code that were looked at, and those with a note */
  readonly changes: number;
  readonly noted: number;
}

/** An entry in a changelog. */
export interface EntryHabit extends Counted {
  readonly kind: "entry";
  /** of the changelogs, by how often they were changed */
  readonly paths: readonly string[];
}

/** A file of its own. */
export interface FileHabit extends Counted {
  readonly kind: "file";
  /** of the newest notes, newest first, each once; they need not exist any more */
  readonly paths: readonly string[];
  /** the form of most names */
  readonly form: string;
  /** folders of notes of this form, the usual first */
  readonly folders: readonly string[];
  /** by how often they were used */
  readonly types: readonly string[];
  /** a change of several packages has a note for each of them */
  readonly isForEach: boolean;
}

/** With fewer changes to the code, the past says nothing. */
const LEAST_CHANGES = 8;

/** A habit, counted in 90 repositories: those with it have a note in two fifths of their changes, or in hardly any. */
const USUAL = 0.4;

/** Releases and mass changes touch many notes, and are no example. */
const MAX_NOTES = 4;

/** Newest changes to the code that decide. */
const DECIDING = 100;

const MAX_EXAMPLES = 40;

/**
 * What merged changes to the code have beside it; undefined when fewer than two fifths have anything. The past alone
 * decides, since a configuration file may stand there unused.
 */
export function noteHabit(landed: readonly Landed[]): NoteHabit | undefined {
  const all = landed.filter(isByPeople);
  const changes = all.filter(({ paths }) => paths.some(isSource)).slice(0, DECIDING);
  if (changes.length < LEAST_CHANGES) return undefined;
  const lists = listsAmong(all);
  const isNote = (path: string) => isNotePath(path) && !lists.has(path);
  const withNote = changes.filter(({ paths }) => paths.some(isNote));
  if (withNote.length >= USUAL * changes.length)
    return fileHabit(all, isNote, { changes: changes.length, noted: withNote.length });
  return entryHabit(changes, lists);
}

/** `Bump x from 1 to 2`, `chore(deps): …`, `Release 1.2.3` */
const BY_MACHINE = listed(
  "^",
  String.raw`bump update\x20dependency (?:chore|build)\(deps \[pre-commit\.ci\] version\x20packages release\b v?\d+\.\d+`,
  "",
  "i",
);

const isByPeople = ({ message }: Landed) => !BY_MACHINE.test(message);

const isSource = (path: string) => groupOf(path) === "source" && !isNotePath(path);

/** A file that so many changes touched lists them; a note belongs to one. */
const LISTED = 5;

function listsAmong(landed: readonly Landed[]): ReadonlySet<string> {
  const counts = new Map<string, number>();
  for (const { paths } of landed)
    for (const path of paths) if (isNotePath(path)) counts.set(path, (counts.get(path) ?? 0) + 1);
  return new Set([...counts].filter(([, count]) => count >= LISTED).map(([path]) => path));
}

function entryHabit(changes: readonly Landed[], lists: ReadonlySet<string>): EntryHabit | undefined {
  const isList = (path: string) => isChangelog(path) || lists.has(path);
  const withEntry = changes.filter(({ paths }) => paths.some(isList));
  if (withEntry.length < USUAL * changes.length) return undefined;
  const paths = byCount(withEntry.flatMap((one) => one.paths.filter(isList)));
  return { kind: "entry", paths, changes: changes.length, noted: withEntry.length };
}

interface SeenNote {
  readonly path: string;
  readonly name: ReadName;
}

function fileHabit(
  landed: readonly Landed[],
  isNote: (path: string) => boolean,
  counted: Counted,
): FileHabit | undefined {
  const seen = new Map<string, SeenNote>();
  for (const { paths } of landed) {
    const notes = paths.filter(isNote);
    if (notes.length > MAX_NOTES) continue;
    for (const path of notes) {
      const name = readName(path);
      if (name && !seen.has(path)) seen.set(path, { path, name });
    }
  }
  const notes = [...seen.values()].slice(0, MAX_EXAMPLES);
  const [form] = byCount(notes.map(({ name }) => name.form));
  if (form === undefined) return undefined;
  const own = notes.filter(({ name }) => name.form === form);
  return {
    kind: "file",
    ...counted,
    paths: own.map(({ path }) => path),
    form,
    folders: byCount(own.map(({ path }) => folderOf(path))),
    types: byCount(notes.flatMap(({ name }) => name.type ?? [])),
    isForEach: landed.filter(({ paths }) => hasNotesOfPackages(paths.filter(isNote))).length >= LEAST_TIMES,
  };
}

/** How often changes had notes of several packages, at least. */
const LEAST_TIMES = 2;

/** `common/changes/PACKAGE/NAME.json` and `change/PACKAGE-UUID.json`, of more than one package. */
function hasNotesOfPackages(notes: readonly string[]): boolean {
  const packages = notes.flatMap((path) => packagePart(path) ?? []);
  return packages.length <= MAX_NOTES && new Set(packages).size > 1;
}

function byCount(values: readonly string[]): readonly string[] {
  const counts = new Map<string, number>();
  for (const value of values) counts.set(value, (counts.get(value) ?? 0) + 1);
  return [...counts].sort((a, b) => b[1] - a[1]).map(([value]) => value);
}
