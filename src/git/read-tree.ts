import { MagisError } from "../data/error.ts";
import { commitLinks, type ObjectStore, packError } from "./object-store.ts";
import {
  MAX_PAST,
  MAX_PAST_MESSAGE,
  MAX_PAST_PATHS,
  type Past,
  type PastCommit,
  type TreeEntry,
} from "./repository.ts";

/** One entry of a tree object, byte for byte. */
export interface RawEntry {
  /** octal, as it stands: "40000" for a folder, and old repositories hold "100664" */
  mode: string;
  /** the name's bytes, one character each (latin1) */
  name: string;
  /** 40 hex digits */
  id: string;
}

export const FOLDER_MODE = "40000";

/** Reads a tree object's content. Throws GIT_PACK_CORRUPT. */
export function parseTree(content: Buffer): RawEntry[] {
  const entries: RawEntry[] = [];
  let at = 0;
  while (at < content.length) {
    const space = content.indexOf(32, at);
    const end = content.indexOf(0, space);
    if (space < 0 || end < 0 || end + 21 > content.length) throw packError("a tree cannot be read");
    const mode = content.toString("latin1", at, space);
    entries.push({
      mode,
      name: content.toString("latin1", space + 1, end),
      id: content.toString("hex", end + 1, end + 21),
    });
    at = end + 21;
  }
  return entries;
}

const MODES: readonly TreeEntry["mode"][] = ["100755", "120000", "160000"];

/** The same bytes in latin1 and UTF-8. */
const ASCII = /^[ -~]*$/;

/**
 * A name's bytes (as in `RawEntry`) as text. Each byte that is not UTF-8, and each of a U+FFFD, becomes U+FFFD and its
 * two hex digits: no two names become the same text, and `bytesOf` is the inverse.
 */
export function textOf(name: string): string {
  if (ASCII.test(name)) return name;
  const bytes = Buffer.from(name, "latin1");
  const text = bytes.toString("utf8");
  return text.includes("\uFFFD") ? withByteNumbers(bytes) : text;
}

function withByteNumbers(bytes: Buffer): string {
  let text = "";
  for (let at = 0; at < bytes.length; ) {
    const length = lengthOfCharacter(bytes[at] as number);
    const character = bytes.toString("utf8", at, at + length);
    const isRead = !character.includes("\uFFFD");
    text += isRead ? character : `\uFFFD${bytes.toString("hex", at, at + 1).toUpperCase()}`;
    at += isRead ? length : 1;
  }
  return text;
}

/** Bytes of a character in UTF-8, by its first one. */
function lengthOfCharacter(first: number): number {
  if (first < 0xc0) return 1;
  if (first < 0xe0) return 2;
  return first < 0xf0 ? 3 : 4;
}

const BYTE = /\uFFFD([89A-F][0-9A-F])/;

/** The bytes of a name that `textOf` gave, one character each. */
export const bytesOf = (text: string): string =>
  text
    .split(BYTE)
    .map((part, at) => (at % 2 === 0 ? Buffer.from(part, "utf8").toString("latin1") : latin1Of(part)))
    .join("");

const latin1Of = (hex: string) => String.fromCharCode(Number.parseInt(hex, 16));

/** Only a "git bomb", whose trees hold each other over and over, has more or is deeper. */
const MAX_PATHS = 500_000;

const MAX_DEPTH = 1_000;

const tooManyPaths = () =>
  new MagisError("GIT_PACK_TOO_LARGE", "The repository has too many paths.", { MAX_PATHS, MAX_DEPTH });

/** git's own reading of a mode: any file that is not executable is 100644. */
function fileMode(mode: string): TreeEntry["mode"] {
  const exact = MODES.find((known) => known === mode);
  return exact ?? (mode.startsWith("1007") ? "100755" : "100644");
}

/**
 * Every file, link and submodule below a tree, by path as `textOf` gives it, in git's order (by bytes).
 * @param mayMiss true when blobs may have been left out of the clone
 * Throws GIT_PACK_CORRUPT when a tree is not in the store, or a blob that may not be missing; GIT_PACK_TOO_LARGE.
 */
export function listEntries(store: ObjectStore, tree: string, mayMiss: boolean): Map<string, TreeEntry> {
  const entries = new Map<string, TreeEntry>();
  let paths = 0;
  const walk = (id: string, prefix: string, depth: number): void => {
    const object = store.get(id);
    if (object?.type !== "tree") throw packError(`tree ${id} is missing`);
    for (const { mode: raw, name, id: blob } of parseTree(store.content(object))) {
      if (++paths > MAX_PATHS || depth > MAX_DEPTH) throw tooManyPaths();
      const path = prefix + textOf(name);
      if (raw === FOLDER_MODE) {
        walk(blob, `${path}/`, depth + 1);
        continue;
      }
      const mode = fileMode(raw);
      const size = store.get(blob)?.size;
      if (size === undefined && mode !== "160000" && !mayMiss) throw packError(`blob ${blob} is missing`);
      entries.set(path, { path, blob, mode, size });
    }
  };
  walk(tree, "", 0);
  return entries;
}

/** Commits to walk for one history: a merge may have any number of parents. */
const MAX_WALKED = 10_000;

/**
 * The store's commits up to `tip` as `history` and `landed` of a repository. Leaves out a commit whose parent is
 * missing, since its changes are unknown. Throws GIT_PACK_CORRUPT.
 */
export function listPast(store: ObjectStore, tip: string): Past {
  const work = { left: MAX_COMPARED };
  const known = new Map<string, PastCommit>();
  const history = listHistory(store, tip, work);
  for (const one of history) known.set(one.commit, one);
  return { history, landed: listLanded(store, tip, work, known) };
}

/** The commits along first parents, each compared with its first parent; `known` holds some of them already. */
function listLanded(
  store: ObjectStore,
  tip: string,
  work: Comparison["work"],
  known: ReadonlyMap<string, PastCommit>,
): PastCommit[] {
  const landed: PastCommit[] = [];
  for (let at = readCommit(store, tip); at !== undefined && landed.length < MAX_PAST; ) {
    const { commit, tree, parents, message } = at;
    const parent = parents[0] === undefined ? undefined : readCommit(store, parents[0]);
    if (parents.length > 0 && parent === undefined) break;
    const one = known.get(commit) ?? { commit, message, paths: changedPaths(store, [parent?.tree, tree], work) };
    if (isTelling(one)) landed.push(one);
    at = parent;
  }
  return landed;
}

const isTelling = ({ paths }: PastCommit) => paths.length > 0 && paths.length <= MAX_PAST_PATHS;

/** The commits newest first by date, without merges. */
function listHistory(store: ObjectStore, tip: string, work: Comparison["work"]): PastCommit[] {
  const past: PastCommit[] = [];
  const seen = new Set([tip]);
  const waiting = [readCommit(store, tip)].flatMap((one) => one ?? []);
  while (waiting.length > 0 && past.length < MAX_PAST) {
    const { commit, tree, parents, message } = waiting.pop() as CommitObject;
    const known = parents.map((parent) => readCommit(store, parent));
    for (const parent of known) {
      if (parent === undefined || seen.has(parent.commit) || seen.size > MAX_WALKED) continue;
      seen.add(parent.commit);
      const at = waiting.findLastIndex(({ time }) => time <= parent.time) + 1;
      waiting.splice(at, 0, parent);
    }
    if (parents.length > 1 || known.includes(undefined)) continue;
    const one = { commit, message, paths: changedPaths(store, [known[0]?.tree, tree], work) };
    if (isTelling(one)) past.push(one);
  }
  return past;
}

function changedPaths(
  store: ObjectStore,
  trees: readonly [before: string | undefined, after: string | undefined],
  work: Comparison["work"],
): string[] {
  const paths: string[] = [];
  compareTrees({ store, paths, work }, trees, "");
  return paths;
}

interface CommitObject {
  commit: string;
  tree: string;
  parents: readonly string[];
  /** seconds, by the committer's clock */
  time: number;
  message: string;
}

function readCommit(store: ObjectStore, commit: string): CommitObject | undefined {
  const object = store.get(commit);
  if (object?.type !== "commit") return undefined;
  const content = store.content(object);
  const end = content.indexOf("\n\n");
  const time = /^committer .*> (\d{1,12}) /m.exec(content.toString("latin1", 0, end < 0 ? content.length : end))?.[1];
  const text = end < 0 ? "" : content.toString("utf8", end + 2, end + 2 + 4 * MAX_PAST_MESSAGE);
  const message = text.slice(0, MAX_PAST_MESSAGE).trim();
  return { commit, ...commitLinks(content), time: Number(time ?? 0), message };
}

const NO_TREE: Buffer = Buffer.alloc(0);

/** Entries to compare for one history: trees that hold each other over and over have no end. */
const MAX_COMPARED = 5_000_000;

interface Comparison {
  store: ObjectStore;
  paths: string[];
  /** entries that may still be compared */
  work: { left: number };
}

/** The end of the entry at `at`; `at` itself at the end of the tree. */
function endOf(tree: Buffer, at: number): number {
  if (at >= tree.length) return at;
  const zero = tree.indexOf(0, at);
  if (zero < 0 || zero + 21 > tree.length) throw packError("a tree cannot be read");
  return zero + 21;
}

/**
 * Adds the paths in which two trees differ to `paths`, and stops at one more than is useful. Skips equal entries by
 * their bytes: most of a large folder is equal.
 */
function compareTrees(
  comparison: Comparison,
  trees: readonly [before: string | undefined, after: string | undefined],
  prefix: string,
  depth = 0,
): void {
  const { store, paths, work } = comparison;
  const [left, right] = trees.map((id) => {
    const object = id === undefined ? undefined : store.get(id);
    if (id !== undefined && object?.type !== "tree") throw packError(`tree ${id} is missing`);
    return object ? store.content(object) : NO_TREE;
  }) as [Buffer, Buffer];
  const take = (before: RawEntry | undefined, after: RawEntry | undefined) => {
    const folders = [before, after].map((one) => (one?.mode === FOLDER_MODE ? one.id : undefined));
    const path = prefix + textOf((before ?? after)?.name ?? "");
    if ([before, after].some((one) => one !== undefined && one.mode !== FOLDER_MODE)) paths.push(path);
    if (folders.some((id) => id !== undefined))
      compareTrees(comparison, [folders[0], folders[1]], `${path}/`, depth + 1);
  };
  let [i, j] = [0, 0];
  while ((i < left.length || j < right.length) && paths.length <= MAX_PAST_PATHS) {
    if (--work.left < 0 || depth > MAX_DEPTH) throw tooManyPaths();
    const ends = [endOf(left, i), endOf(right, j)] as const;
    const same = ends[0] - i === ends[1] - j && left.compare(right, j, ends[1], i, ends[0]) === 0;
    const [before] = same ? [] : parseTree(left.subarray(i, ends[0]));
    const [after] = same ? [] : parseTree(right.subarray(j, ends[1]));
    const missing = before ? -1 : 1;
    const order = before && after ? compareNames(before, after) : missing;
    if (same || order <= 0) i = ends[0];
    if (same || order >= 0) j = ends[1];
    if (!same) take(order <= 0 ? before : undefined, order >= 0 ? after : undefined);
  }
}

/** git's order: by bytes, folders as if ending with a slash. */
export function compareNames(a: RawEntry, b: RawEntry): number {
  const left = a.mode === FOLDER_MODE ? `${a.name}/` : a.name;
  const right = b.mode === FOLDER_MODE ? `${b.name}/` : b.name;
  if (left === right) return 0;
  return left < right ? -1 : 1;
}
