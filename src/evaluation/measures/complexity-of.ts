import { changedLines } from "./changed-lines.ts";
import type { Complexity } from "./complexity.ts";
import type { PatchFile } from "./patch-file.ts";

/**
 * The complexity of a change (the paper's Table 5). `functions`: how many functions each file's change touches, by its
 * place in `files`; where that is not known, the distinct headings of the hunks count (git's guess at the function around).
 */
export function complexityOf(files: readonly PatchFile[], functions?: readonly (number | undefined)[]): Complexity {
  const runs = files.flatMap(({ hunks }) => hunks.flatMap((hunk) => hunk.runs));
  const added = runs.reduce((sum, run) => sum + run.added.length, 0);
  const deleted = runs.reduce((sum, run) => sum + run.removed.length, 0);
  const lines = files.flatMap((file) => [...changedLines(file)]);
  return {
    files: files.length,
    functions: files.reduce((sum, file, index) => sum + (functions?.[index] ?? headingsOf(file)), 0),
    hunks: files.reduce((sum, { hunks }) => sum + hunks.length, 0),
    ...{ added, deleted, changed: added + deleted },
    first: lines.length === 0 ? 0 : lines.reduce((least, line) => Math.min(least, line)),
    last: lines.reduce((most, line) => Math.max(most, line), 0),
  };
}

function headingsOf({ hunks }: PatchFile): number {
  return new Set(hunks.map(({ heading }) => heading).filter((heading) => heading !== "")).size;
}
