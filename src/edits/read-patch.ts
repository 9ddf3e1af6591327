import { parsePatch, type StructuredPatch } from "diff";

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
