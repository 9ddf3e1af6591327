import { changedLines } from "./changed-lines.ts";
import type { PatchFile } from "./patch-file.ts";

export interface LineCoverage {
  /** lines that both change */
  readonly covered: number;
  /** lines that the reference changes */
  readonly lines: number;
  /** the one over the other; undefined when the reference changes no existing line */
  readonly ratio: number | undefined;
}

/**
 * Line-locating coverage (the paper's Eq. 1, section 4.3): of the lines in the reference change's intervals, the share
 * that lies in the generated change's intervals too. Intervals are old-side lines (`changedLines`), file by file, by the
 * path before the change. Between 0 and 1; lines that only the generated change touches do not count.
 */
export function lineLocatingCoverage(reference: readonly PatchFile[], generated: readonly PatchFile[]): LineCoverage {
  const theirs = linesByPath(generated);
  let [covered, lines] = [0, 0];
  for (const [path, wanted] of linesByPath(reference)) {
    lines += wanted.size;
    for (const line of wanted) if (theirs.get(path)?.has(line)) covered += 1;
  }
  return { covered, lines, ratio: lines === 0 ? undefined : covered / lines };
}

function linesByPath(files: readonly PatchFile[]): ReadonlyMap<string, ReadonlySet<number>> {
  const byPath = new Map<string, Set<number>>();
  for (const file of files) {
    if (file.oldPath === undefined) continue;
    const known = byPath.get(file.oldPath) ?? new Set();
    for (const line of changedLines(file)) known.add(line);
    byPath.set(file.oldPath, known);
  }
  return byPath;
}
