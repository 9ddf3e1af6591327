import { packError } from "./pack-error.ts";

/** One line of a tree object. Name and mode are as git wrote them, byte for byte. */
export interface RawEntry {
  /** octal, as it stands: "40000" for a folder, and old repositories hold "100664" */
  readonly mode: string;
  /** the name's bytes, one character each (latin1) */
  readonly name: string;
  /** 40 hex digits */
  readonly id: string;
}

export const FOLDER_MODE = "40000";

/** Reads a tree object's content. Throws GIT_PACK_CORRUPT. */
export function parseTree(content: Buffer): RawEntry[] {
  const entries: RawEntry[] = [];
  let at = 0;
  while (at < content.length) {
    const space = content.indexOf(32, at);
    const end = content.indexOf(0, space);
    if (space < 0 || end < 0 || end + 21 > content.length) throw packError("a tree cannot be read");
    const mode = content.toString("latin1", at, space);
    entries.push({
      mode,
      name: content.toString("latin1", space + 1, end),
      id: content.toString("hex", end + 1, end + 21),
    });
    at = end + 21;
  }
  return entries;
}
