import { parse as parseToml } from "smol-toml";
import { CST, Lexer, parse as parseYaml } from "yaml";
import { readText } from "../../../edits/text-file.ts";
import type { Repository } from "../../../ports/repository.ts";
import type { EntryHabit, FileHabit, NoteHabit } from "../../../search/notes/note-habit.ts";
import { readName } from "../../../search/notes/note-names.ts";
import { folderOf, isNotePath, nameIn } from "../../../search/notes/note-paths.ts";
import { cutEnd } from "../../../text/cut.ts";
import { countYamlNesting } from "../../../text/yaml-nesting.ts";
import { viewEntries } from "../../change/changelog.ts";

/** How a note of this repository has to look. */
export type NoteForm = FileForm | EntryForm;

/** A file of its own. */
export interface FileForm {
  readonly kind: "file";
  readonly habit: FileHabit;
  /** the newest notes that stand there, whole */
  readonly examples: readonly Example[];
  /** what the repository says of its notes */
  readonly guide: Example | null;
  /** folders to choose from, the likeliest first */
  readonly folders: readonly string[];
  /** of the name; none where names have no type */
  readonly types: readonly string[];
  /** names that a note may give; none where notes name no packages */
  readonly packages: readonly string[];
  /** of these, those that the change touches and that are published */
  readonly touched: readonly string[];
  /** that notes have; none where they are prose */
  readonly keys: readonly string[];
  /** those that every note has */
  readonly always: readonly string[];
  /** those whose values the configuration of a tool lists */
  readonly values: readonly FixedKey[];
}

/** A key whose values come from a fixed set. */
interface FixedKey {
  readonly key: string;
  readonly allowed: readonly string[];
}

/** An entry in a changelog. */
export interface EntryForm {
  readonly kind: "entry";
  readonly habit: EntryHabit;
  readonly path: string;
  /** the places of new entries, numbered */
  readonly content: string;
}

export interface Example {
  readonly path: string;
  readonly content: string;
}

type Files = Pick<Repository, "entries" | "readBlob">;

const MAX_EXAMPLES = 4;

const MAX_LENGTH = 2_500;

const MAX_FOLDERS = 12;

/** Files read for the names of packages. */
const MAX_READ = 300;

/** Notes read for the values of keys. */
const MAX_NOTES = 30;

/**
 * Reads how notes of this habit look at the commit. `changed`: the paths of the change. Undefined when there is nothing
 * to go by: structured notes without any that still stands there.
 */
export async function readForm(
  habit: NoteHabit,
  files: Files,
  changed: readonly string[],
): Promise<NoteForm | undefined> {
  if (habit.kind === "entry") return readEntryForm(habit, files, changed);
  const standing = standingNotes(habit, files);
  const examples = await readAll(standing.slice(0, MAX_EXAMPLES), files);
  const isStructured = /\.(?:ya?ml|json)$/.test(habit.paths[0] ?? "");
  if (examples.length === 0 && isStructured) return undefined;
  const packages = namesPackages(habit) ? await packageNames(files) : new Map<string, string>();
  const folders = foldersFor(habit, changed, packages);
  return {
    kind: "file",
    habit,
    examples,
    guide: await readGuide(folders[0] ?? "", files),
    folders,
    types: habit.form.includes("type") ? [...new Set([...habit.types, ...(await towncrierTypes(files))])] : [],
    packages: [...packages.values()],
    touched: await touchedBy(changed, packages, files),
    ...(await keysOf(isStructured ? standing : [], files)),
  };
}

async function readEntryForm(
  habit: EntryHabit,
  files: Files,
  changed: readonly string[],
): Promise<EntryForm | undefined> {
  const there = habit.paths.filter((path) => files.entries.has(path));
  const above = there.filter((path) => changed.some((one) => one.startsWith(`${folderOf(path)}/`)));
  const [nearest] = [...above].sort((a, b) => folderOf(b).length - folderOf(a).length);
  const path = nearest ?? there[0];
  const view = path === undefined ? null : await viewEntries(path, { read: (one) => readFile(one, files) });
  return view ? { kind: "entry", habit, ...view } : undefined;
}

async function readFile(path: string, { entries, readBlob }: Files): Promise<Uint8Array | undefined> {
  const entry = entries.get(path);
  return entry?.mode.startsWith("100") ? readBlob(entry.blob) : undefined;
}

async function textOf(path: string, files: Files): Promise<string> {
  return readText((await readFile(path, files)) ?? new Uint8Array())?.lines.join("") ?? "";
}

async function readAll(paths: readonly string[], files: Files): Promise<readonly Example[]> {
  const read = await Promise.all(
    paths.map(async (path) => ({ path, content: cutEnd(await textOf(path, files), MAX_LENGTH) })),
  );
  return read.filter(({ content }) => content.trim() !== "");
}

/** Notes that stand there, the newest first; after a release those of the history are gone. */
function standingNotes(habit: FileHabit, { entries }: Files): readonly string[] {
  const newest = habit.paths.filter((path) => entries.has(path));
  const folders = new Set(habit.folders);
  const others = [...entries.keys()].filter(
    (path) =>
      folders.has(folderOf(path)) && isNotePath(path) && readName(path)?.form === habit.form && !newest.includes(path),
  );
  return [...newest, ...others];
}

const GUIDE = /^_?(?:readme|template)\b/i;

/** The boilerplate that the tool puts there says nothing of this repository. */
const TOOL_FOLDER = /(?:^|\/)\.changeset$/;

async function readGuide(folder: string, files: Files): Promise<Example | null> {
  if (TOOL_FOLDER.test(folder)) return null;
  const found = [...files.entries.keys()].filter((path) => folderOf(path) === folder && GUIDE.test(nameIn(path)));
  const path = found.find((one) => /template/i.test(one)) ?? found[0];
  const [guide] = path === undefined ? [] : await readAll([path], files);
  return guide ?? null;
}

/** Changesets, rush and beachball name packages. */
const namesPackages = ({ form, folders, paths }: FileHabit) =>
  folders.some((folder) => TOOL_FOLDER.test(folder)) || form === "uuid" || /\.json$/.test(paths[0] ?? "");

/** Names of the repository's packages, by folder. */
async function packageNames(files: Files): Promise<ReadonlyMap<string, string>> {
  const paths = [...files.entries.keys()].filter(
    (path) => nameIn(path) === "package.json" && !/(?:^|\/)(?:node_modules|fixtures?|__fixtures__|tests?)\//.test(path),
  );
  const names = new Map<string, string>();
  for (const path of paths.slice(0, MAX_READ)) {
    const name = /"name"\s*:\s*"([^"\\\n]{1,214})"/.exec(await textOf(path, files))?.[1];
    if (name !== undefined) names.set(folderOf(path), name);
  }
  return names;
}

/** The likeliest folder first: that of the changed package, then that which shares most names with the changed paths. */
function foldersFor(
  { folders }: FileHabit,
  changed: readonly string[],
  packages: ReadonlyMap<string, string>,
): readonly string[] {
  const named = new Set([...packages.values()]);
  const own = new Set(changed.flatMap((path) => packageOf(path, packages) ?? []));
  // `common/changes/@scope/package`
  const byPackage = folders.flatMap((folder) => {
    const name = [...named].find((one) => folder.endsWith(`/${one}`));
    return name === undefined ? [] : [folder.slice(0, -name.length)];
  });
  const made = byPackage[0] === undefined ? [] : [...own].map((name) => `${byPackage[0]}${name}`);
  const parts = new Set(changed.flatMap((path) => path.split("/")));
  const likeness = (folder: string) => folder.split("/").filter((part) => parts.has(part)).length;
  const sorted = [...folders].sort((a, b) => likeness(b) - likeness(a));
  return [...new Set([...made, ...sorted])].slice(0, MAX_FOLDERS);
}

async function touchedBy(
  changed: readonly string[],
  packages: ReadonlyMap<string, string>,
  files: Files,
): Promise<readonly string[]> {
  const own = new Set(changed.flatMap((path) => packageOf(path, packages) ?? []));
  const found: string[] = [];
  for (const [folder, name] of packages)
    if (own.has(name) && !PRIVATE.test(await textOf(`${folder}/package.json`, files))) found.push(name);
  return found;
}

const PRIVATE = /"private"\s*:\s*true/;

function packageOf(path: string, packages: ReadonlyMap<string, string>): string | undefined {
  for (let folder = folderOf(path); folder !== ""; folder = folderOf(folder)) {
    const name = packages.get(folder);
    if (name !== undefined) return name;
  }
  return undefined;
}

/** The types of a towncrier configuration; none where there is none that can be read. */
async function towncrierTypes(files: Files): Promise<readonly string[]> {
  for (const path of ["towncrier.toml", "pyproject.toml"]) {
    const { type, fragment } = settingsIn(await textOf(path, files));
    const listed = Array.isArray(type) ? type.map((one: unknown) => (one as { directory?: unknown })?.directory) : [];
    const named = typeof fragment === "object" && fragment !== null ? Object.keys(fragment) : [];
    const types = [...listed, ...named].filter((one): one is string => typeof one === "string" && one !== "");
    if (types.length > 0) return types;
  }
  return [];
}

function settingsIn(text: string): Readonly<Record<string, unknown>> {
  if (text.length > MAX_SETTINGS || !text.includes("towncrier")) return {};
  try {
    const { tool } = parseToml(text) as { tool?: { towncrier?: Record<string, unknown> } };
    return tool?.towncrier ?? {};
  } catch {
    return {};
  }
}

const MAX_SETTINGS = 200_000;

/** Tools whose notes have a key for each kind of change: what stands there may lack the one that is needed. */
const SECTIONED = [
  {
    folder: /(?:^|\/)changelogs\/fragments$/,
    keys: ["bugfixes", "minor_changes", "major_changes", "breaking_changes", "security_fixes", "deprecated_features"],
  },
  {
    folder: /(?:^|\/)releasenotes\/notes(?:\/|$)/,
    keys: ["fixes", "features", "upgrade", "deprecations", "security", "issues", "other"],
  },
];

/** The keys of the notes that stand there, and their values there and in the configuration of their tool. */
async function keysOf(notes: readonly string[], files: Files): Promise<Pick<FileForm, "keys" | "always" | "values">> {
  if (notes.length === 0) return { keys: [], always: [], values: [] };
  const texts = await Promise.all(notes.slice(0, MAX_NOTES).map((path) => textOf(path, files)));
  const read = texts.map(readMapping).filter((note) => note !== undefined);
  const components = listIn(await textOf(".chloggen/config.yaml", files), /^components:/, /^\s*-\s+(\S+)$/);
  const kinds = listIn(await textOf(".changie.yaml", files), /^kinds:/, /^\s*-\s+label:\s+(\S.*)$/);
  const own = SECTIONED.find(({ folder }) => folder.test(folderOf(notes[0] ?? "")))?.keys ?? [];
  const keys = [...new Set([...read.flatMap((note) => Object.keys(note)), ...own])];
  return {
    keys,
    always: read.length < 2 ? [] : keys.filter((key) => read.every((note) => key in note)),
    values: [
      { key: "component", allowed: components },
      { key: "kind", allowed: kinds },
    ].filter(({ key, allowed }) => keys.includes(key) && allowed.length > 0),
  };
}

/** The items of a list in a tool's configuration, one on each line below `begins`. */
function listIn(text: string, begins: RegExp, item: RegExp): readonly string[] {
  const lines = text.slice(0, MAX_SETTINGS).split("\n");
  const from = lines.findIndex((line) => begins.test(line)) + 1;
  const next = lines.findIndex((line, at) => at >= from && /^\w/.test(line));
  const part = from === 0 ? [] : lines.slice(from, next < 0 ? undefined : next);
  return part.flatMap((line) => item.exec(line.trimEnd())?.[1]?.replace(/^["']|["']$/g, "") ?? []);
}

/** Longer ones, and deeper ones, are no notes; a parser would take long for them. */
const MAX_NOTE = 4_000;

const MAX_DEPTH = 12;

/** A YAML or JSON mapping, as notes are; undefined for anything else. */
export function readMapping(text: string): Readonly<Record<string, unknown>> | undefined {
  if (text.length > MAX_NOTE) return undefined;
  const depthAfter = countYamlNesting();
  for (const lexeme of new Lexer().lex(text)) if (depthAfter(CST.tokenType(lexeme)) > MAX_DEPTH) return undefined;
  try {
    const value: unknown = parseYaml(text, { maxAliasCount: 0 });
    return typeof value === "object" && value !== null && !Array.isArray(value)
      ? (value as Record<string, unknown>)
      : undefined;
  } catch {
    return undefined;
  }
}
