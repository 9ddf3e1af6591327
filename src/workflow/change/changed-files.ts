import { applyFileChange } from "../../edits/apply-file-change.ts";
import type { FileChange } from "../../model/file-change.ts";
import type { Repository } from "../../ports/repository.ts";

/** A changed file in full, both versions; `undefined` where it does not exist. */
export interface ChangedFile {
  readonly path: string;
  readonly before: Uint8Array | undefined;
  readonly after: Uint8Array | undefined;
}

/** Puts the kept changes back on the base commit. Throws MagisError ANSWER_INVALID when one does not fit. */
export function changedFiles(changes: readonly FileChange[], repository: Repository): Promise<readonly ChangedFile[]> {
  return Promise.all(
    changes.map(async (change) => {
      const entry = repository.entries.get(change.path);
      const before = entry && (await repository.readBlob(entry.blob));
      return { path: change.path, before, after: applyFileChange(change, before) };
    }),
  );
}
