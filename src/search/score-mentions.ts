import type { IdentifierTable } from "./identifier-table.ts";
import { getOrMake } from "./postings.ts";
import type { Evidence, IndexedFile } from "./ranking-types.ts";
import type { Mentions } from "./read-mentions.ts";
import { joinedName, stemOf } from "./terms.ts";

/** What a frame, a path and a name are worth, where the best text score is 1. */
const FRAME_WEIGHT = 1;

const PATH_WEIGHT = 1;

const SYMBOL_WEIGHT = 0.3;

/** What fits more files says little about each. */
const MAX_SHARERS = 8;

/** Scores files by what the issue names: paths, in stack traces too, and what they declare or are called. */
export function scoreMentions(files: readonly IndexedFile[], { frames, paths, symbols }: Mentions): Evidence[] {
  const find = createPathMatcher(files.map(({ path }) => path));
  const evidence: Evidence[] = [];
  const give = (found: readonly number[], worth: number, reason: string) => {
    if (found.length > MAX_SHARERS) return;
    for (const file of found) evidence.push({ file, score: worth / found.length, reason: () => reason });
  };
  frames.forEach(({ path, line }, depth) => {
    give(find(path).files, FRAME_WEIGHT / (1 + depth / 4), `named in the stack trace, line ${line}`);
  });
  for (const path of paths) give(find(path).files, PATH_WEIGHT, `the issue names ${path}`);
  for (const { name, files: found } of findDefinitions(files, symbols))
    give(found, SYMBOL_WEIGHT, `defines \`${name}\``);
  return evidence;
}

/** Without case, in one normal form. */
const folded = (text: string): string => text.toLowerCase().normalize("NFC");

const nameOf = (path: string): string => path.slice(path.lastIndexOf("/") + 1);

/** Files whose path ends like a written path, and how many of its last parts agree. */
interface PathMatch {
  readonly files: readonly number[];
  readonly parts: number;
}

/**
 * Gives a function that finds files by the end of their path, whatever its case: a trace has the path on another machine
 * (`/usr/lib/x/y/z.py` is `src/y/z.py`). Of a path with folders one must agree, unless the file is in none.
 */
export function createPathMatcher(paths: readonly string[]): (written: string) => PathMatch {
  const byName = new Map<string, number[]>();
  paths.forEach((path, file) => {
    getOrMake(byName, folded(nameOf(path)), () => []).push(file);
  });
  return (written) => {
    const wanted = folded(written)
      .split("/")
      .filter((part) => part !== "" && part !== "." && part !== "..");
    let best: number[] = [];
    let most = 0;
    for (const file of byName.get(wanted.at(-1) ?? "") ?? []) {
      const parts = folded(paths[file] as string).split("/");
      let same = 0;
      while (same < wanted.length && same < parts.length && parts.at(-1 - same) === wanted.at(-1 - same)) same++;
      if (same < Math.min(2, wanted.length, parts.length)) continue;
      if (same > most) [best, most] = [[], same];
      if (same === most) best.push(file);
    }
    return { files: best, parts: most };
  };
}

/** A name and the files that declare it, as indexes. */
interface DefinedName {
  readonly name: string;
  readonly files: readonly number[];
}

/**
 * Which files declare each of `names` or are called so, however its words are joined (`v-for` is `vFor`); those that
 * spell it exactly so, if there are any. Leaves out names that no file declares.
 */
function findDefinitions(files: readonly IndexedFile[], names: readonly string[]): DefinedName[] {
  const holders = names.map((): { exact: number[]; other: number[] } => ({ exact: [], other: [] }));
  const spelt = new Map<IdentifierTable, Int32Array>();
  const called = new Map(names.map((name, at) => [joinedName(name), at]));
  files.forEach(({ path, tokens: { table, data, countsEnd } }, file) => {
    const wanted = getOrMake(spelt, table, () => idsOf(table, names));
    for (let i = countsEnd; i < data.length; i++) {
      const found = wanted[data[i] as number] as number;
      if (found > 0) holders[found - 1]?.exact.push(file);
      else if (found < 0) holders[-found - 1]?.other.push(file);
    }
    const at = called.get(joinedName(nameOf(path).replace(/(?<=.)\.[\s\S]*/, "")));
    if (at !== undefined) holders[at]?.other.push(file);
  });
  return names.flatMap((name, at) => {
    const { exact, other } = holders[at] as { exact: number[]; other: number[] };
    const found = exact.length > 0 ? exact : [...new Set(other)];
    return found.length > 0 ? [{ name, files: found }] : [];
  });
}

/** By identifier: the place of a name that it is, from 1; negative where it joins the name's words in another way. */
function idsOf(table: IdentifierTable, names: readonly string[]): Int32Array {
  const ids = new Int32Array(table.size);
  names.forEach((name, i) => {
    const joined = joinedName(name);
    for (const id of table.carriers(stemOf(joined)))
      if (joinedName(table.identifiers.name(id)) === joined) ids[id] = -(i + 1);
  });
  names.forEach((name, i) => {
    const id = table.identifiers.find(name);
    if (id >= 0) ids[id] = i + 1;
  });
  return ids;
}
