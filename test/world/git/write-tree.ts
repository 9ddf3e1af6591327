import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { BareRepository } from "./bare-repository.ts";

export interface TreeEntry {
  path: string;
  /** Git's mode: 100644, 100755, 120000, 160000 or 040000. */
  mode: string;
  /** null removes the path. */
  sha: string | null;
}

/** Writes `base` (by default an empty tree) with `entries` added or removed; gives the tree's id. */
export async function writeTree(bare: BareRepository, base: string | undefined, entries: TreeEntry[]): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "magis-index-"));
  const env = { GIT_INDEX_FILE: join(folder, "index") };
  try {
    await bare.run(base === undefined ? ["read-tree", "--empty"] : ["read-tree", base], { env });
    for (const { path, mode, sha } of entries) {
      if (mode.endsWith("40000") && sha !== null) {
        await bare.run(["rm", "-r", "--cached", "--quiet", "--ignore-unmatch", "--", path], {
          env: { ...env, GIT_WORK_TREE: folder },
        });
        await bare.run(["read-tree", `--prefix=${path}/`, sha], { env });
      } else {
        const line = sha === null ? `0 ${"0".repeat(40)}\t${path}\0` : `${mode} ${sha}\t${path}\0`;
        await bare.run(["update-index", "-z", "--index-info"], { env, input: line });
      }
    }
    return (await bare.run(["write-tree"], { env })).toString().trim();
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
