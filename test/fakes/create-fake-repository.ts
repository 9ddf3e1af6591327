import { MagisError } from "../../src/model/error.ts";
import type { PastCommit, Repository, TreeEntry } from "../../src/ports/repository.ts";
import type { FakeCommit, GitObjects } from "./create-git-objects.ts";

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
