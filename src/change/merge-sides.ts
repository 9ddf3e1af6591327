import { unifiedDiff } from "../code/edits/diff.ts";
import { isMagisError } from "../data/error.ts";
import type { Repository } from "../git/repository.ts";
import type { CodeHost } from "../github/code-host.ts";
import { cutEnd } from "../text/cut.ts";
import type { MergedFile, TreeMerge } from "./merge-trees.ts";
import { whyNotPushed } from "./path-guard.ts";
import type { Unresolved } from "./resolve-conflicts.ts";
import type { Side, Sides } from "./sides.ts";
import type { ChangedFile } from "./working-copy.ts";

/** A version of the repository. What its clone left out is read from the host. */
export function sideOf({ entries, readBlob }: Repository, host: CodeHost): Side {
  return {
    entries,
    async readBlob(blob) {
      try {
        return await readBlob(blob);
      } catch (error) {
        if (!isMagisError(error, "BLOB_MISSING")) throw error;
        return host.readBlob(blob);
      }
    },
  };
}

/** What a merge would change that GitHub does not let the app push. */
export function unpushable({ files, conflicts }: TreeMerge): Unresolved["declined"] {
  return [...files, ...conflicts].flatMap(({ path }) => {
    const why = whyNotPushed(path);
    return why === undefined ? [] : [{ path, why }];
  });
}

/** The Developer sees no more of the change. */
const MAX_DIFF = 40_000;

export async function diffOf({ base, theirs }: Sides): Promise<string> {
  const diffs: string[] = [];
  for (const path of new Set([...base.entries.keys(), ...theirs.entries.keys()])) {
    const [old, now] = [base.entries.get(path), theirs.entries.get(path)];
    if (old?.blob === now?.blob || diffs.join("").length > MAX_DIFF) continue;
    const [from, to] = [old && (await base.readBlob(old.blob)), now && (await theirs.readBlob(now.blob))];
    diffs.push(unifiedDiff(path, from, to));
  }
  return cutEnd(diffs.join(""), MAX_DIFF);
}

/** The files that become different: a resolution may keep what is there. */
export async function changedIn(
  repository: Repository,
  merged: readonly MergedFile[],
): Promise<readonly ChangedFile[]> {
  const all = merged.map(async ({ path, content, mode }) => {
    const entry = repository.entries.get(path);
    const before = entry && content && (await repository.readBlob(entry.blob));
    const isSame = before && content && entry.mode === mode && Buffer.compare(before, content) === 0;
    return isSame ? [] : [{ path, before, after: content, mode }];
  });
  return (await Promise.all(all)).flat();
}
