import type { FileChange } from "../model/file-change.ts";
import { MagisError } from "../model/magis-error.ts";
import { readText } from "./read-text.ts";
import { replaceIntervals } from "./replace-intervals.ts";
import { writeText } from "./write-text.ts";

/**
 * What a file's bytes become by a change; undefined when the change deletes it. `base` is the file at the base commit,
 * undefined when there is none. Throws MagisError ANSWER_INVALID when a change of lines meets no text file to change,
 * or lines that the file does not have.
 */
export function applyFileChange(change: FileChange, base: Uint8Array | undefined): Uint8Array | undefined {
  if (change.kind === "delete") return undefined;
  if (change.kind === "create") return new TextEncoder().encode(change.content);
  const file = base === undefined ? undefined : readText(base);
  if (file === undefined) {
    const fault = base === undefined ? "does not exist" : "is binary";
    throw new MagisError("ANSWER_INVALID", `${change.path} cannot be changed by lines: it ${fault}.`, {
      path: change.path,
    });
  }
  return writeText(replaceIntervals(file, change.edits));
}
