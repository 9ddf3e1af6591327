import { MagisError } from "../../model/error.ts";
import type { TreeEntry } from "../../ports/repository.ts";
import { type ObjectStore, packError } from "./object-store.ts";

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

const MODES: readonly TreeEntry["mode"][] = ["100755", "120000", "160000"];

/** Names of these characters alone are the same in UTF-8. */
const ASCII = /^[ -~]*$/;

/** No repository has so many paths or such depth; one whose trees hold each other over and over (a "git bomb") has. */
const MAX_PATHS = 500_000;

const MAX_DEPTH = 1_000;

/** git's own reading of a mode: any file that is not executable is 100644. */
function fileMode(mode: string): TreeEntry["mode"] {
  const exact = MODES.find((known) => known === mode);
  return exact ?? (mode.startsWith("1007") ? "100755" : "100644");
}

/**
 * Every file, link and submodule below a tree, by path, in git's path order (by bytes). Of names that are no UTF-8 the
 * wrong bytes become U+FFFD.
 * @param mayMiss true when blobs may have been left out of the clone
 * Throws GIT_PACK_CORRUPT when a tree is not in the store, or a blob that may not be missing; GIT_PACK_TOO_LARGE.
 */
export function listEntries(store: ObjectStore, tree: string, mayMiss: boolean): Map<string, TreeEntry> {
  const entries = new Map<string, TreeEntry>();
  let paths = 0;
  const walk = (id: string, prefix: string, depth: number): void => {
    const object = store.get(id);
    if (object?.type !== "tree") throw packError(`tree ${id} is missing`);
    for (const { mode: raw, name, id: blob } of parseTree(store.content(object))) {
      if (++paths > MAX_PATHS || depth > MAX_DEPTH) {
        throw new MagisError("GIT_PACK_TOO_LARGE", "The repository has too many paths.", { MAX_PATHS, MAX_DEPTH });
      }
      const path = prefix + (ASCII.test(name) ? name : Buffer.from(name, "latin1").toString("utf8"));
      if (raw === FOLDER_MODE) {
        walk(blob, `${path}/`, depth + 1);
        continue;
      }
      const mode = fileMode(raw);
      const size = store.get(blob)?.size;
      if (size === undefined && mode !== "160000" && !mayMiss) throw packError(`blob ${blob} is missing`);
      entries.set(path, size === undefined ? { path, blob, mode } : { path, blob, mode, size });
    }
  };
  walk(tree, "", 0);
  return entries;
}
