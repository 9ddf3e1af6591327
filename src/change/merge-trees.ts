import { type ConflictedText, mergeText } from "../code/edits/merge-text.ts";
import type { TreeEntry } from "../git/repository.ts";
import { readAttributes, type TreeAttributes } from "../search/attributes.ts";
import { classifyFile } from "../search/classify-file.ts";
import type { LeftOutKind } from "../search/path-rules.ts";
import { renewalOf } from "./generated-files.ts";
import { type Declined, type Entry, isSame, type Side, type Sides } from "./sides.ts";

/** A three-way merge of trees: what becomes different in `ours`. */
export interface TreeMerge {
  /** merged without a conflict, in path order */
  files: readonly MergedFile[];
  /** texts that both sides changed at the same places */
  conflicts: readonly (ConflictedText & Merged)[];
  /** cannot be merged here */
  declined: readonly Declined[];
  /** both sides changed them, and a program makes them: ours stay as they are */
  renewed: readonly Renewed[];
}

interface Merged {
  path: string;
  mode: "100644" | "100755";
}

export interface MergedFile extends Omit<Merged, "mode"> {
  /** undefined: the file goes away */
  content: Uint8Array | undefined;
  mode: Merged["mode"] | "120000";
}

export interface Renewed {
  path: string;
  /** the command that makes it anew; undefined when nothing names it */
  command: string | undefined;
}

/** Texts beyond this many bytes are not merged by lines. */
const MAX_TEXT = 4 * 1024 * 1024;

/** Kinds of files that a program makes: merging their lines gives a file that it would never make. */
const MADE: ReadonlySet<string> = new Set<LeftOutKind>(["generated", "lock", "minified"]);

/** Kinds that have no lines: a side's version is taken, or nothing. */
const WHOLE: ReadonlySet<string> = new Set<LeftOutKind>(["symlink", "submodule", "lfs-pointer"]);

/**
 * Merges the trees of three commits in memory, path by path. A side that did not change a path gives way to the one that
 * did. A file that one side moved and the other changed is declined by its old name, and so is a new file in a folder
 * that the other side has taken away. Lock files, generated files and recorded snapshots are not merged by lines: ours
 * stay, and `renewed` names the command that makes them anew. Throws what `readBlob` throws.
 */
export async function mergeTrees(sides: Sides): Promise<TreeMerge> {
  const { base, ours, theirs } = sides;
  const attributes = await readAttributes(
    ours.entries.values(),
    async (blob) => (await ours.readBlob(blob)) ?? new Uint8Array(),
  );
  const result = { files: [] as MergedFile[], conflicts: [] as TreeMerge["conflicts"][number][] };
  const declined: Declined[] = [...intoGone(base, ours, theirs), ...intoGone(base, theirs, ours)];
  const renewed: Renewed[] = [];
  const skipped = new Set(declined.map(({ path }) => path));
  for (const path of changedPaths(base.entries, theirs.entries)) {
    if (skipped.has(path)) continue;
    const merged = await mergePath(path, sides, attributes);
    if (merged === undefined) continue;
    if ("why" in merged) declined.push(merged);
    else if ("hunks" in merged) result.conflicts.push(merged);
    else if ("command" in merged) renewed.push(merged);
    else result.files.push(merged);
  }
  const blocked = inTheWay(ours.entries, result.files);
  const files = result.files.filter(({ path }) => !blocked.has(path));
  const folders = [...blocked].map((path) => ({ path, why: "a file where the other side has a folder" }) as const);
  return { files, conflicts: result.conflicts, declined: [...declined, ...folders].sort(byPath), renewed };
}

const byPath = (one: { path: string }, other: { path: string }) => (one.path < other.path ? -1 : 1);

/** The paths at which two trees differ, in their order. */
function changedPaths(before: Side["entries"], after: Side["entries"]): readonly string[] {
  const paths = new Set<string>();
  for (const [path, entry] of before) if (!isSame(entry, after.get(path))) paths.add(path);
  for (const path of after.keys()) if (!before.has(path)) paths.add(path);
  return [...paths].sort();
}

type Outcome = MergedFile | TreeMerge["conflicts"][number] | Declined | Renewed | undefined;

/** What becomes of a path that `theirs` changed; undefined when nothing does. */
async function mergePath(path: string, sides: Sides, tree: TreeAttributes): Promise<Outcome> {
  const [old, own, other] = [sides.base, sides.ours, sides.theirs].map(({ entries }) => entries.get(path));
  if (isSame(own, other)) return undefined;
  if (isSame(old, own)) return take(path, sides.theirs);
  const kinds = [own, other].flatMap((entry) => entry ?? []);
  const attributes = tree.of(path);
  const classes = kinds.map(({ mode, size }) => classifyFile({ path, mode, size, attributes }));
  if (classes.some(({ kind }) => WHOLE.has(kind)))
    return { path, why: "a link, submodule or file in Git LFS that both sides changed" };
  if (classes.some(({ kind }) => MADE.has(kind))) return { path, command: await commandFor(path, sides, own ?? other) };
  if (!own) return { path, why: "deleted or moved on the base, changed on the branch" };
  if (!other) return { path, why: "changed on the base, deleted or moved on the branch" };
  return mergeContents(path, sides, { old, own, other });
}

/** A side's version of a path as it is. */
async function take(path: string, side: Side): Promise<MergedFile | Declined> {
  const entry = side.entries.get(path);
  if (!entry) return { path, content: undefined, mode: "100644" };
  if (entry.mode === "160000") return { path, why: "a submodule" };
  const content = await side.readBlob(entry.blob);
  return content ? { path, content, mode: entry.mode } : { path, why: "it is too large" };
}

async function mergeContents(
  path: string,
  { base, ours, theirs }: Sides,
  { old, own, other }: { old: Entry; own: TreeEntry; other: TreeEntry },
): Promise<Outcome> {
  const mode = own.mode === old?.mode ? other.mode : own.mode;
  if (own.mode !== other.mode && own.mode !== old?.mode && other.mode !== old?.mode)
    return { path, why: "its mode differs on both sides" };
  if (mode !== "100644" && mode !== "100755")
    return { path, why: "a link, submodule or file in Git LFS that both sides changed" };
  const contents = await Promise.all([
    old ? base.readBlob(old.blob) : new Uint8Array(),
    ours.readBlob(own.blob),
    theirs.readBlob(other.blob),
  ]);
  const [before, here, there] = contents;
  if (!before || !here || !there || contents.some((content) => content && content.length > MAX_TEXT))
    return { path, why: "it is too large" };
  const heads = [here, there].map((content) => classifyFile({ path, mode, size: content.length, head: content }));
  if (heads.some(({ kind }) => kind === "lfs-pointer"))
    return { path, why: "a link, submodule or file in Git LFS that both sides changed" };
  if (heads.some(({ kind }) => MADE.has(kind))) return { path, command: await renewalOf(path, here, ours) };
  const merged = mergeText({ base: before, ours: here, theirs: there });
  if (merged.kind === "binary") return { path, why: "a binary file that both sides changed" };
  if (merged.kind === "conflict") return { path, mode, hunks: merged.hunks, resolve: merged.resolve };
  if (Buffer.compare(merged.content, here) === 0 && mode === own.mode) return undefined;
  return { path, content: merged.content, mode };
}

/** The command that makes a file anew, by its name or its own header. */
async function commandFor(path: string, { ours, theirs }: Sides, entry: Entry): Promise<string | undefined> {
  const content = entry && ((await ours.readBlob(entry.blob)) ?? (await theirs.readBlob(entry.blob)));
  return renewalOf(path, content ?? new Uint8Array(), ours);
}

/** The new files that stand where a folder is, or below a file. */
function inTheWay(entries: Side["entries"], files: readonly MergedFile[]): ReadonlySet<string> {
  const gone = new Set(files.filter(({ content }) => content === undefined).map(({ path }) => path));
  const made = files.filter(({ content }) => content !== undefined).map(({ path }) => path);
  const there = new Set([...entries.keys(), ...made].filter((path) => !gone.has(path)));
  const folders = new Set([...there].flatMap(foldersOf));
  return new Set(made.filter((path) => folders.has(path) || foldersOf(path).some((folder) => there.has(folder))));
}

/** New files of `other` in folders that `side` has taken away or moved: they may belong to the folder's new place. */
function intoGone(base: Side, side: Side, other: Side): readonly Declined[] {
  const before = new Set([...base.entries.keys()].flatMap(foldersOf));
  const left = new Set([...side.entries.keys()].flatMap(foldersOf));
  return [...other.entries.keys()]
    .filter((path) => !base.entries.has(path) && foldersOf(path).some((one) => before.has(one) && !left.has(one)))
    .map((path) => ({ path, why: "it is new in a folder that the other side has taken away" }));
}

/** The folders that a path is in, the outermost first. */
function foldersOf(path: string): readonly string[] {
  const parts = path.split("/");
  return parts.slice(1).map((_, at) => parts.slice(0, at + 1).join("/"));
}
