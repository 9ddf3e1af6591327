import { parsePatch, type StructuredPatch, type StructuredPatchHunk } from "diff";

/** The RIGHT side of one hunk: line numbers of the new version, 1-based, ascending. */
interface HunkLines {
  /** added and context lines */
  readonly shown: readonly number[];
  /** added lines */
  readonly added: readonly number[];
  /** where lines only went away: the line that now stands there, or the last one before */
  readonly besideRemoved: readonly number[];
}

/**
 * Reads the hunks of one file's unified diff, with or without the header (GitHub's `patch` has none).
 * None for a binary file, a change of mode, and an empty diff.
 */
export function diffLines(diff: string): HunkLines[] {
  return readPatch(diff)
    .flatMap(({ hunks }) => hunks)
    .map(hunkLines);
}

function hunkLines({ lines, newStart: start, newLines: count }: StructuredPatchHunk): HunkLines {
  const added: number[] = [];
  const removedAt: number[] = [];
  let line = start;
  for (const [sign] of lines) {
    if (sign === "-") removedAt.push(line);
    if (sign === "+") added.push(line);
    if (sign !== "-" && sign !== "\\") line += 1;
  }
  const shown = Array.from({ length: count }, (_, index) => start + index);
  const last = start + count - 1;
  const beside = [...new Set(removedAt.map((at) => Math.min(at, last)))];
  return { shown, added, besideRemoved: count === 0 ? [] : beside.filter((at) => !added.includes(at)) };
}

/**
 * The files of a unified diff, with or without headers (GitHub's `patch` has none). Never throws: what is no such diff,
 * or one whose hunks are not as long as they say, has no files.
 */
export function readPatch(patch: string): StructuredPatch[] {
  try {
    return parsePatch(patch).filter(({ oldFileName, hunks }) => oldFileName !== undefined || hunks.length > 0);
  } catch {
    return [];
  }
}
