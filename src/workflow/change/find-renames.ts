import { basename } from "node:path/posix";
import type { TreeEntry } from "../../ports/repository.ts";
import type { Side } from "./sides.ts";

/** The new path of each file that a side renamed, by its old path; undefined if several files could be it. */
export type Renames = ReadonlyMap<string, string | undefined>;

/** Git's share of equal content for a rename. */
const SIMILAR = 0.5;

/** From this share on, files that alone have their name are matched before all others. */
const SAME_NAME = 0.75;

/** A rival this close leaves a match unclear. */
const CLEARLY = 0.05;

/** Files that are looked for by content, and candidates for each. */
const MAX_SOURCES = 100;
const MAX_COMPARED = 200;

/** Bytes of one file, and of all that are read; lines that are compared. */
const MAX_FILE = 1024 * 1024;
const MAX_READ = 32 * 1024 * 1024;
const MAX_WORK = 5_000_000;

/**
 * Finds the files of `base` that a side has under another name, as git's merge does: by equal content, then the
 * `wanted` ones by similar content. The work is bounded by counts and sizes, so that it is the same at every try; what
 * lies beyond counts as deleted. Throws what `readBlob` throws.
 */
export async function findRenames(base: Side, side: Side, wanted: readonly string[]): Promise<Renames> {
  const gone = [...base.entries.values()].filter((entry) => isFile(entry) && !side.entries.has(entry.path));
  if (gone.length === 0) return new Map();
  const added = [...side.entries.values()].filter((entry) => isFile(entry) && !base.entries.has(entry.path));
  const found = byBlob(gone, added);
  const taken = new Set(found.values());
  const asked = new Set(wanted);
  const sources = gone.filter(({ path }) => asked.has(path) && !found.has(path)).slice(0, MAX_SOURCES);
  const rest = added.filter(({ path }) => !taken.has(path));
  return new Map([...found, ...choose(await compare({ base, side, sources, added: rest }))]);
}

/** Git never matches empty files. */
const isFile = ({ mode, size }: TreeEntry) => (mode === "100644" || mode === "100755") && size !== 0;

/** Matches files of equal content, among several by their names; undefined where that is not clear either. */
function byBlob(gone: readonly TreeEntry[], added: readonly TreeEntry[]): Map<string, string | undefined> {
  const [from, to] = [gone, added].map((all) => groupBy(all, ({ blob }) => blob)) as [Groups, Groups];
  const found = new Map<string, string | undefined>();
  for (const [blob, sources] of from) {
    const targets = to.get(blob) ?? [];
    for (const source of targets.length > 0 ? sources : []) {
      const named = sameName(source, targets);
      const isOnly = sources.length === 1 && targets.length === 1;
      const isNamed = named.length === 1 && sameName(source, sources).length === 1;
      const match = isNamed ? named[0] : targets[0];
      found.set(source.path, isOnly || isNamed ? match?.path : undefined);
    }
  }
  return found;
}

type Groups = ReadonlyMap<string, readonly TreeEntry[]>;

export function groupBy<Item>(
  items: Iterable<Item>,
  keyOf: (item: Item) => string,
): ReadonlyMap<string, readonly Item[]> {
  const groups = new Map<string, Item[]>();
  for (const item of items) {
    const group = groups.get(keyOf(item));
    if (group) group.push(item);
    else groups.set(keyOf(item), [item]);
  }
  return groups;
}

const nameOf = ({ path }: Pick<TreeEntry, "path">) => basename(path);

const sameName = (entry: TreeEntry, entries: readonly TreeEntry[]) =>
  entries.filter((one) => nameOf(one) === nameOf(entry));

interface Pair {
  readonly from: string;
  readonly to: string;
  /** 0 to 1 */
  readonly score: number;
  /** no other file of either side has this name */
  readonly isNamed: boolean;
}

interface Comparison {
  readonly base: Side;
  readonly side: Side;
  readonly sources: readonly TreeEntry[];
  readonly added: readonly TreeEntry[];
}

/** Pairs of similar files. */
async function compare({ base, side, sources, added }: Comparison): Promise<readonly Pair[]> {
  const pairs: Pair[] = [];
  const names = [sources, added].map((all) => groupBy(all, nameOf));
  const known = new Map<string, Chunks | undefined>();
  let left = MAX_READ;
  let work = MAX_WORK;
  const chunksIn = async (from: Side, { blob, size = 0 }: TreeEntry) => {
    if (!known.has(blob)) {
      left -= size;
      const content = left < 0 ? undefined : await from.readBlob(blob);
      known.set(blob, content && chunksOf(content));
    }
    return known.get(blob);
  };
  for (const source of sources) {
    const near = added.filter((one) => isNearSize(source, one)).sort(byLikeness(source));
    const one = near.length > 0 ? await chunksIn(base, source) : undefined;
    for (const target of one ? near.slice(0, MAX_COMPARED) : []) {
      const other = await chunksIn(side, target);
      work -= other?.bytes.size ?? 0;
      const score = one && other && work > 0 ? similarity(one, other) : 0;
      const isOnly = names.every((all) => all.get(nameOf(source))?.length === 1);
      const isNamed = isOnly && nameOf(source) === nameOf(target);
      if (score >= SIMILAR) pairs.push({ from: source.path, to: target.path, score, isNamed });
    }
  }
  return pairs;
}

/** Files of other sizes cannot be similar enough. A large blob that the clone left out has no size. */
function isNearSize({ size: one = MAX_FILE }: TreeEntry, { size: other = MAX_FILE }: TreeEntry): boolean {
  const [small, large] = [Math.min(one, other), Math.max(one, other)];
  return large < MAX_FILE && small >= SIMILAR * large;
}

/** The likeliest first: those of the same name, then of the nearest size. */
function byLikeness(entry: TreeEntry): (one: TreeEntry, other: TreeEntry) => number {
  const { size = 0 } = entry;
  const rank = (one: TreeEntry) => (nameOf(one) === nameOf(entry) ? -1 : Math.abs((one.size ?? 0) - size));
  return (one, other) => rank(one) - rank(other) || (one.path < other.path ? -1 : 1);
}

/** How many bytes of a file its chunks have: lines, cut after 64 bytes. */
interface Chunks {
  readonly bytes: ReadonlyMap<string, number>;
  readonly size: number;
}

const MAX_CHUNK = 64;

function chunksOf(content: Uint8Array): Chunks {
  const text = Buffer.from(content).toString("latin1");
  const bytes = new Map<string, number>();
  for (let start = 0; start < text.length; ) {
    const line = text.indexOf("\n", start) + 1 || text.length;
    const end = Math.min(line, start + MAX_CHUNK);
    const chunk = text.slice(start, end).replace("\r\n", "\n");
    bytes.set(chunk, (bytes.get(chunk) ?? 0) + chunk.length);
    start = end;
  }
  return { bytes, size: text.length };
}

/** The share of the larger file that stands in both. */
function similarity(one: Chunks, other: Chunks): number {
  let both = 0;
  for (const [chunk, bytes] of other.bytes) both += Math.min(bytes, one.bytes.get(chunk) ?? 0);
  return both / Math.max(one.size, other.size);
}

/** The best pairs first; each file once. */
function choose(pairs: readonly Pair[]): Renames {
  const chosen = new Map<string, string | undefined>();
  const taken = new Set<string>();
  const isSure = ({ isNamed, score }: Pair) => isNamed && score >= SAME_NAME;
  const sorted = [...pairs].sort(
    (one, other) => Number(isSure(other)) - Number(isSure(one)) || other.score - one.score,
  );
  for (const pair of sorted) {
    const { from, to, score } = pair;
    if (chosen.has(from) || taken.has(to)) continue;
    const isOpen = (one: Pair) => one !== pair && !chosen.has(one.from) && !taken.has(one.to);
    const rivals = pairs.filter((one) => (one.from === from || one.to === to) && isOpen(one));
    const isClear = isSure(pair) || rivals.every((one) => one.score < score - CLEARLY);
    chosen.set(from, isClear ? to : undefined);
    if (isClear) taken.add(to);
  }
  return chosen;
}
