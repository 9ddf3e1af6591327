import { fileChangeBetween } from "../../edits/file-change-between.ts";
import { unifiedDiff } from "../../edits/unified-diff.ts";
import type { FileChange } from "../../model/file-change.ts";
import type { Repository } from "../../ports/repository.ts";

/** The repository as the Developers have changed it so far, in memory. `undefined` is a file that does not exist. */
export interface WorkingCopy {
  read(path: string): Promise<Uint8Array | undefined>;
  write(path: string, content: Uint8Array | undefined): void;
  /** all that differs from the base commit, in path order */
  changes(): Promise<readonly FileChange[]>;
  /** the same as one patch for `git apply` */
  patch(): Promise<string>;
}

export function createWorkingCopy(repository: Pick<Repository, "entries" | "readBlob">): WorkingCopy {
  const written = new Map<string, Uint8Array | undefined>();
  const base = async (path: string) => {
    const entry = repository.entries.get(path);
    return entry && repository.readBlob(entry.blob);
  };
  const paths = () => [...written.keys()].sort();
  return {
    read: async (path) => (written.has(path) ? written.get(path) : base(path)),
    write: (path, content) => void written.set(path, content),
    async changes() {
      const changes = await Promise.all(
        paths().map(async (path) => fileChangeBetween(path, await base(path), written.get(path))),
      );
      return changes.filter((change) => change !== undefined);
    },
    async patch() {
      const mode = (path: string) => (repository.entries.get(path)?.mode === "100755" ? "100755" : "100644");
      const diffs = paths().map(async (path) =>
        unifiedDiff(path, await base(path), written.get(path), { mode: mode(path) }),
      );
      return (await Promise.all(diffs)).join("");
    },
  };
}
