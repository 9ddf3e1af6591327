import type { PatchFile } from "./patch-file.ts";

/**
 * The lines of the old file that a patch changes: the intervals of the paper's Eq. 1, without the lines of context, as a
 * set of 1-based numbers. A pure insertion has no old lines: it counts as the lines that it stands between (the one
 * before where there is one, the one after where the hunk does not show that the file ends there). A created file has
 * no old lines at all.
 */
export function changedLines({ oldPath, hunks }: PatchFile): ReadonlySet<number> {
  const lines = new Set<number>();
  if (oldPath === undefined) return lines;
  for (const { oldStart, removed, followed } of hunks.flatMap(({ runs }) => runs)) {
    for (const index of removed.keys()) lines.add(oldStart + index);
    if (removed.length > 0) continue;
    if (oldStart > 1) lines.add(oldStart - 1);
    if (followed !== false) lines.add(oldStart);
  }
  return lines;
}
