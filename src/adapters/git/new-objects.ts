import { commitLinks } from "./commit-links.ts";
import { newCommits } from "./new-commits.ts";
import type { ObjectStore } from "./object-store.ts";
import { parseTree } from "./parse-tree.ts";

/**
 * Ids of the objects a push of `commit` must carry: those made here, found by following only trees made here.
 * isomorphic-git's own push walks every tree of the repository for this, and cannot read a tree that holds a name with
 * a backslash.
 */
export function newObjects(store: ObjectStore, commit: string): string[] {
  const found = new Set<string>();
  const visit = (id: string): void => {
    if (found.has(id) || !store.isWritten(id)) return;
    found.add(id);
    const object = store.get(id);
    if (object?.type === "tree") for (const entry of parseTree(store.content(object))) visit(entry.id);
    else if (object?.type === "commit") visit(commitLinks(store.content(object)).tree);
  };
  for (const id of newCommits(store, commit).made) visit(id);
  return [...found];
}
