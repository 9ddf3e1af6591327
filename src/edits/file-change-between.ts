import type { FileChange } from "../model/file-change.ts";
import { MagisError } from "../model/magis-error.ts";
import { applyFileChange } from "./apply-file-change.ts";
import { lineEditsBetween } from "./line-edits-between.ts";
import { readText } from "./read-text.ts";
import { splitLines } from "./split-lines.ts";

const BOM_BYTES = 3;

/**
 * The change that makes `after` of `before` (undefined: the file does not exist), small enough to be kept; undefined
 * when nothing changed. `applyFileChange` of it on `before` gives `after`, byte by byte.
 * Throws MagisError ANSWER_INVALID when no line edits lead from one to the other (a binary file, a lost BOM).
 */
export function fileChangeBetween(
  path: string,
  before: Uint8Array | undefined,
  after: Uint8Array | undefined,
): FileChange | undefined {
  if (after === undefined) return before === undefined ? undefined : { kind: "delete", path };
  if (before !== undefined && Buffer.compare(before, after) === 0) return undefined;
  const change: FileChange =
    before === undefined
      ? { kind: "create", path, content: Buffer.from(after).toString("utf8") }
      : { kind: "modify", path, edits: editsBetween(path, before, after) };
  const made = applyFileChange(change, before);
  if (made === undefined || Buffer.compare(made, after) !== 0) throw impossible(path);
  return change;
}

/** `after` is read as `before` was: its own encoding may look different once the odd bytes are gone. */
function editsBetween(path: string, before: Uint8Array, after: Uint8Array) {
  const file = readText(before);
  if (file === undefined) throw impossible(path);
  const body = Buffer.from(file.bom ? after.subarray(BOM_BYTES) : after);
  return lineEditsBetween(file.lines, splitLines(body.toString(file.encoding)));
}

function impossible(path: string): MagisError {
  return new MagisError("ANSWER_INVALID", `The change of ${path} cannot be told as a change of lines.`, { path });
}
