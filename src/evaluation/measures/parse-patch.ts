import type { StructuredPatch } from "diff";
import { readPatch } from "../../edits/read-patch.ts";
import type { PatchFile } from "./patch-file.ts";
import { runsOf } from "./runs-of.ts";

/** Nothing within a hunk begins like this: there, a sign stands before each line. */
const HEADER = /^@@ -\S+ \+\S+ @@(.*)$/gm;

/**
 * Reads a unified diff of several files, with git's headers (new, deleted, renamed, mode, binary, quoted names) or with
 * `---` and `+++` lines alone. Never throws; no files are in what is no diff.
 */
export function parsePatch(patch: string): PatchFile[] {
  const headings = [...patch.matchAll(HEADER)].map(([, heading = ""]) => heading.trim());
  let next = 0;
  return readPatch(patch).flatMap((file) => {
    const hunks = file.hunks.map((hunk) => ({ heading: headings[next++] ?? "", runs: runsOf(hunk) }));
    return file.oldFileName === undefined ? [] : [{ ...pathsOf(file), hunks }];
  });
}

/** A copy is a file that is created. */
function pathsOf({ oldFileName, newFileName, isCreate, isCopy, isDelete }: StructuredPatch) {
  return {
    oldPath: isCreate || isCopy ? undefined : withoutPrefix(oldFileName),
    newPath: isDelete ? undefined : withoutPrefix(newFileName),
  };
}

function withoutPrefix(name: string | undefined): string | undefined {
  return name === "/dev/null" ? undefined : name?.replace(/\r$/, "").replace(/^[abiwco]\//, "");
}
