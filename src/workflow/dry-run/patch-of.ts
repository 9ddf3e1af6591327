import { gitPatch } from "../../edits/git-patch.ts";
import type { FileChange } from "../../model/file-change.ts";
import type { Repository } from "../../ports/repository.ts";
import { changedFiles } from "../change/changed-files.ts";

/** The changes as one patch for `git apply`, byte by byte whatever the files' encodings. */
export async function patchOf(changes: readonly FileChange[], repository: Repository): Promise<Uint8Array> {
  const files = await changedFiles(changes, repository);
  const patches = files.map(({ path, before, after }) => {
    const mode = repository.entries.get(path)?.mode === "100755" ? "100755" : "100644";
    return gitPatch(path, before, after, { mode });
  });
  return new Uint8Array(Buffer.concat(patches));
}
