import { commitLinks } from "./commit-links.ts";
import type { ObjectStore } from "./object-store.ts";

export interface NewCommits {
  /** ids of commits made here, the given one first */
  readonly made: readonly string[];
  /** these, and every parent they name */
  readonly seen: ReadonlySet<string>;
}

/** Follows the parents of `commit` as far as commits were made here. */
export function newCommits(store: ObjectStore, commit: string): NewCommits {
  const made: string[] = [];
  const seen = new Set([commit]);
  for (const id of seen) {
    const object = store.get(id);
    if (object?.type !== "commit" || !store.isWritten(id)) continue;
    made.push(id);
    for (const parent of commitLinks(store.content(object)).parents) seen.add(parent);
  }
  return { made, seen };
}
