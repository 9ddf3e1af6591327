import type { TreeEntry } from "../git/repository.ts";

/** One of the three versions of a repository. */
export interface Side {
  entries: ReadonlyMap<string, TreeEntry>;
  /** the content of a blob of this side; undefined when it cannot be had */
  readBlob(blob: string): Promise<Uint8Array | undefined>;
}

/** Three versions of a repository. `theirs`, the branch, has a change to `base`, which is to be made in `ours`, its base. */
export interface Sides {
  base: Side;
  ours: Side;
  theirs: Side;
}

/** Why a file of a merge is left to people. */
export interface Declined {
  path: string;
  why: WhyDeclined;
}

export type WhyDeclined =
  | "deleted or moved on the base, changed on the branch"
  | "changed on the base, deleted or moved on the branch"
  | "a binary file that both sides changed"
  | "a link, submodule or file in Git LFS that both sides changed"
  | "a submodule"
  | "a file where the other side has a folder"
  | "it is new in a folder that the other side has taken away"
  | "its mode differs on both sides"
  | "it is too large";

/** A file of a side; undefined where it has none. */
export type Entry = TreeEntry | undefined;

export const isSame = (one: Entry, other: Entry) => one?.blob === other?.blob && one?.mode === other?.mode;
