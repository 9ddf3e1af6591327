import { createHash } from "node:crypto";
import { MagisError } from "../../src/data/error.ts";
import type { PastCommit, Repository, TreeEntry } from "../../src/git/repository.ts";

/** The files of a tree, with git's modes and blob ids. */
type FakeTree = ReadonlyMap<string, { mode: TreeEntry["mode"]; blob: string }>;
interface FakeCommit {
  id: string;
  tree: string;
  parents: readonly string[];
  message: string;
  author: string;
  verified: boolean;
}
type TreeEdit = { path: string; mode?: string | undefined; blob: string | null };

const sha1 = (...parts: (string | Uint8Array)[]) => {
  const hash = createHash("sha1");
  for (const part of parts) hash.update(part);
  return hash.digest("hex");
};

/** One repository's objects and refs. Blob ids are git's; tree ids are not, since trees are flat lists. */
export function createGitObjects() {
  const blobs = new Map<string, Uint8Array>();
  const trees = new Map<string, FakeTree>();
  const commits = new Map<string, FakeCommit>();
  const refs = new Map<string, string>();
  const found = <T>(map: ReadonlyMap<string, T>, id: string): T => {
    const object = map.get(id);
    if (object === undefined) throw new MagisError("HOST_NOT_FOUND", `There is no object ${id}.`);
    return object;
  };
  const addBlob = (content: Uint8Array) => {
    const id = sha1(`blob ${content.length}\0`, content);
    blobs.set(id, content);
    return id;
  };
  const addTree = (base: string | undefined, edits: readonly TreeEdit[]) => {
    const tree = new Map(base === undefined ? [] : found(trees, base));
    for (const { path, mode, blob } of edits) {
      if (blob === null) tree.delete(path);
      else tree.set(path, { mode: (mode ?? tree.get(path)?.mode ?? "100644") as TreeEntry["mode"], blob });
    }
    const entries = [...tree].sort(([a], [b]) => (a < b ? -1 : 1));
    const id = sha1(JSON.stringify(entries));
    trees.set(id, new Map(entries));
    return id;
  };
  const addCommit = (commit: Omit<FakeCommit, "id">, date: string) => {
    const id = sha1(JSON.stringify({ ...commit, date }));
    commits.set(id, { ...commit, id });
    return id;
  };
  return {
    blobs,
    refs,
    addBlob,
    addTree,
    addCommit,
    tree: (id: string) => found(trees, id),
    commit: (id: string) => found(commits, id),
    /** the text of a file at a commit, or undefined */
    textAt(commit: string, path: string): string | undefined {
      const entry = found(trees, found(commits, commit).tree).get(path);
      return entry && Buffer.from(found(blobs, entry.blob)).toString("utf8");
    },
  };
}

export type GitObjects = ReturnType<typeof createGitObjects>;

/** The commits along first parents, newest first, each with its changed paths; `merges`: those, too. */
function pastOf(objects: GitObjects, tip: string, merges = false): PastCommit[] {
  const past: PastCommit[] = [];
  for (let at: string | undefined = tip; at !== undefined; ) {
    const { id, tree, parents, message }: FakeCommit = objects.commit(at);
    const [before, after] = [
      parents[0] ? objects.tree(objects.commit(parents[0]).tree) : new Map(),
      objects.tree(tree),
    ];
    const paths = [...new Set([...before.keys(), ...after.keys()])].filter(
      (path) => before.get(path)?.blob !== after.get(path)?.blob,
    );
    if (paths.length > 0 && (merges || parents.length < 2)) past.push({ commit: id, message, paths });
    at = parents[0];
  }
  return past;
}

/** A Repository at `commit` that shares its objects with the host. */
export function createFakeRepository(objects: GitObjects, commit: string): Repository {
  const { tree } = objects.commit(commit);
  const entries = new Map<string, TreeEntry>();
  for (const [path, { mode, blob }] of objects.tree(tree)) {
    entries.set(path, { path, mode, blob, size: objects.blobs.get(blob)?.length ?? 0 });
  }
  const isAncestor = (old: string, id: string): boolean =>
    old === id || objects.commit(id).parents.some((parent) => isAncestor(old, parent));
  return {
    commit,
    entries,
    history: async () => pastOf(objects, commit),
    landed: async () => pastOf(objects, commit, true),
    async readBlob(blob) {
      const content = objects.blobs.get(blob);
      if (content === undefined) throw new MagisError("BLOB_MISSING", `There is no blob ${blob}.`);
      return content;
    },
    writeTree: async (changes) =>
      objects.addTree(
        tree,
        changes.map(({ path, content, mode }) => ({ path, mode, blob: content && objects.addBlob(content) })),
      ),
    writeCommit: async ({ tree, parents, message, author, date }) => {
      // Without a date the commit differs each time, as in git a second later.
      const when = date?.toISOString() ?? `now ${performance.now()}`;
      return objects.addCommit({ tree, parents, message, author: author.name, verified: false }, when);
    },
    async push(id, ref) {
      const old = objects.refs.get(ref);
      if (old !== undefined && !isAncestor(old, id)) throw new MagisError("GIT_BRANCH_MOVED", `${ref} has moved.`);
      objects.refs.set(ref, id);
    },
    close: () => undefined,
  };
}
