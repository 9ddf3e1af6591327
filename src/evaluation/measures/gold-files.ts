import type { PatchFile } from "./patch-file.ts";

/**
 * The files that locating is to find: those of the base commit that the reference change modifies, renames or deletes.
 * A file that it creates is not there to be found and does not count.
 */
export function goldFiles(reference: readonly PatchFile[]): readonly string[] {
  return [...new Set(reference.flatMap(({ oldPath }) => oldPath ?? []))];
}
