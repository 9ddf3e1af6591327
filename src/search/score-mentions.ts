import type { IdentifierTable } from "./identifier-table.ts";
import { getOrMake } from "./postings.ts";
import type { Evidence, IndexedFile, MentionWeights } from "./ranking-types.ts";
import type { Mentions } from "./read-mentions.ts";

const MAX_SHARERS = 8;

/** Scores files by what the issue names. A name that fits many files says little about each. */
export function scoreMentions(files: readonly IndexedFile[], mentions: Mentions, weights: MentionWeights): Evidence[] {
  const { frames, paths, modules, symbols } = mentions;
  const matcher = createPathMatcher(
    files.map(({ path }) => path),
    new Set([...frames.map(({ path }) => path), ...paths, ...modules.flatMap(tails)].map(lastPart).flatMap(spellings)),
  );
  const evidence: Evidence[] = [];
  const give = ({ files: found }: PathMatch, worth: number, reason: string) => {
    if (found.length > MAX_SHARERS) return;
    for (const file of found) evidence.push({ file, score: worth / found.length, reason: () => reason });
  };
  frames.forEach(({ path, line }, depth) => {
    const match = matcher.path(path);
    if (match.parts > 1 || !path.includes("/") || match.files.length === 1)
      give(match, (weights.frame * sureness(match)) / (1 + depth / 4), `named in the stack trace, line ${line}`);
  });
  for (const path of paths) {
    const match = lastPart(path).includes(".", 1) ? matcher.path(path) : matcher.module(path.split("/"));
    if (match.parts > 1 || !path.includes("/")) give(match, weights.path * sureness(match), `the issue names ${path}`);
  }
  for (const parts of modules) {
    const match = tails(parts)
      .map((name) => matcher.module(name.split("/")))
      .reduce((best, next) => (next.parts > best.parts ? next : best));
    if (match.parts > 1) give(match, weights.module, `the issue names the module ${parts.join(".")}`);
  }
  for (const { name, files: holders } of findDefinitions(files, symbols)) {
    if (holders.length > MAX_SHARERS) continue;
    const score = weights.symbol / Math.sqrt(holders.length);
    for (const file of holders) evidence.push({ file, score, reason: () => `defines \`${name}\`` });
  }
  return evidence;
}

/** `a.b.c` may be the module a/b/c, or a name in the module a/b or a. */
function tails(parts: readonly string[]): string[] {
  return [parts, parts.slice(0, -1), parts.slice(0, -2)]
    .filter((tail) => tail.length > 1)
    .map((tail) => tail.join("/"));
}

export function lastPart(path: string): string {
  return folded(path.slice(path.lastIndexOf("/") + 1));
}

/** Without case, in one normal form. */
const folded = (text: string): string => text.toLowerCase().normalize("NFC");

function sureness({ parts }: PathMatch): number {
  return parts > 1 ? 1 : 0.7;
}

/** Files whose path ends like a mentioned path, and how many of its last parts agree. */
export interface PathMatch {
  readonly files: readonly number[];
  readonly parts: number;
}

const INDEX_NAMES = new Set(["__init__", "index", "mod", "main", "lib"]);

const nothing: PathMatch = { files: [], parts: 0 };

/** One key for all spellings: `FirstArgument`, `first_argument` and `first-argument`. */
const joined = (name: string) => name.toLowerCase().replace(/(?<=.)[-_](?=.)/g, "");

const spellings = (name: string) => [name, joined(name)];

/** A file's path as a module name: no extension, no index file, no marks between words. */
function moduleParts(path: string): string[] {
  const parts = path.toLowerCase().split("/");
  const name = (parts.pop() as string).replace(/^([\s\S][^.]*)\.[\s\S]*/, "$1");
  return (parts.length > 0 && INDEX_NAMES.has(name) ? parts : [...parts, name]).map(joined);
}

function longest(files: readonly number[], partsOf: (file: number) => string[], wanted: readonly string[]): PathMatch {
  let best: number[] = [];
  let most = 0;
  for (const file of files) {
    const parts = partsOf(file);
    let same = 0;
    while (same < wanted.length && same < parts.length && parts.at(-1 - same) === wanted.at(-1 - same)) same++;
    if (same > most) [best, most] = [[], same];
    if (same === most && same > 0) best.push(file);
  }
  return { files: best, parts: most };
}

/**
 * Finds files by the end of their path: a trace has the path on another machine (`/usr/lib/x/y/z.py` is `src/y/z.py`),
 * and a module name has no extension. Ignores case. Takes all `names` in advance, to skip most paths.
 */
export function createPathMatcher(paths: readonly string[], names: ReadonlySet<string>) {
  const byName = new Map<string, number[]>();
  const byModule = new Map<string, number[]>();
  const mayBe = createBeginningFilter(names);
  paths.forEach((path, file) => {
    const start = path.lastIndexOf("/") + 1;
    if (!mayBe(path.slice(start, start + 2))) return;
    const name = folded(path.slice(start));
    if (names.has(name)) getOrMake(byName, name, () => []).push(file);
    const stem = name.includes(".", 1) ? name.slice(0, name.indexOf(".", 1)) : name;
    const module = INDEX_NAMES.has(stem) ? (moduleParts(path).at(-1) as string) : joined(stem);
    if (names.has(module)) getOrMake(byModule, module, () => []).push(file);
  });

  return {
    /** Files that a written path may mean. */
    path(written: string): PathMatch {
      const wanted = folded(written)
        .split("/")
        .filter((part) => part !== "" && part !== "." && part !== "..");
      const found = byName.get(wanted.at(-1) ?? "");
      return found === undefined ? nothing : longest(found, (file) => folded(paths[file] as string).split("/"), wanted);
    },
    /** Files that a module name may mean. */
    module(parts: readonly string[]): PathMatch {
      const wanted = parts.map(joined);
      const found = byModule.get(wanted.at(-1) ?? "");
      return found === undefined ? nothing : longest(found, (file) => moduleParts(paths[file] as string), wanted);
    },
  };
}

/**
 * Whether a file's name may be one of `names`, by its first two characters: that rules most files out cheaply. When in
 * doubt it says yes: joining words drops a mark in second place, and an index file goes by its folder's name.
 */
function createBeginningFilter(names: ReadonlySet<string>): (beginning: string) => boolean {
  const beginnings = new Set([...names, ...INDEX_NAMES].map((name) => name.slice(0, 2)));
  return (beginning) => !PLAIN_BEGINNING.test(beginning) || beginnings.has(beginning.toLowerCase());
}

const PLAIN_BEGINNING = /^[a-z0-9]{2}$/i;

/** A name and the files that declare it, as indexes. */
export interface DefinedName {
  readonly name: string;
  readonly files: readonly number[];
}

/** Which files declare each of `names`, spelt exactly so. Leaves out names that no file declares. */
function findDefinitions(files: readonly IndexedFile[], names: readonly string[]): DefinedName[] {
  const holders = names.map((): number[] => []);
  const wantedIn = new Map<IdentifierTable, Int32Array>();
  files.forEach(({ tokens: { table, data, countsEnd } }, file) => {
    const wanted = getOrMake(wantedIn, table, () => idsOf(table, names));
    for (let i = countsEnd; i < data.length; i++) {
      const name = wanted[data[i] as number] as number;
      if (name > 0) holders[name - 1]?.push(file);
    }
  });
  return names.flatMap((name, i) => {
    const found = holders[i] as number[];
    return found.length > 0 ? [{ name, files: found }] : [];
  });
}

function idsOf(table: IdentifierTable, names: readonly string[]): Int32Array {
  const ids = new Int32Array(table.size);
  names.forEach((name, i) => {
    const id = table.identifiers.find(name);
    if (id >= 0) ids[id] = i + 1;
  });
  return ids;
}
