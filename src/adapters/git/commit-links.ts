import { packError } from "./pack-error.ts";

export interface CommitLinks {
  readonly tree: string;
  readonly parents: readonly string[];
}

/** The ids a commit's content names. Throws GIT_PACK_CORRUPT when it names no tree. */
export function commitLinks(content: Buffer): CommitLinks {
  const [head = ""] = content.toString("latin1").split("\n\n", 1);
  const ids = (name: string) => [...head.matchAll(new RegExp(`^${name} ([0-9a-f]{40})$`, "gm"))].map((m) => m[1] ?? "");
  const [tree] = ids("tree");
  if (!tree) throw packError("a commit names no tree");
  return { tree, parents: ids("parent") };
}
