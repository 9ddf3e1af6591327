import { constants, deflateSync, inflateSync } from "node:zlib";
import type { ObjectStore, ObjectType } from "./object-store.ts";

/** The store's objects as the loose object files `xx/yyyy…` below one folder. */
export interface ObjectFiles {
  /** The file's bytes, or undefined when the path is no object's. */
  read(path: string): Buffer | undefined;
  /** Puts a loose object file into the store; false when the path is no object's. */
  write(path: string, bytes: Buffer): boolean;
  /** The file names inside one of the two-digit folders. */
  list(path: string): string[];
}

const TYPES: readonly ObjectType[] = ["commit", "tree", "blob", "tag"];

/** Loose objects are what isomorphic-git reads first and what it writes, so the store needs no pack and no index. */
export function createObjectFiles(store: ObjectStore, folder: string): ObjectFiles {
  const idOf = (path: string): string | undefined => {
    if (!path.startsWith(folder)) return undefined;
    const match = /^\/([0-9a-f]{2})\/([0-9a-f]{38})$/.exec(path.slice(folder.length));
    return match ? `${match[1]}${match[2]}` : undefined;
  };
  return {
    read(path) {
      const object = store.get(idOf(path) ?? "");
      // Stored, not compressed: the one reader inflates it at once.
      return object && deflateSync(store.wrapped(object), { level: constants.Z_NO_COMPRESSION });
    },
    write(path, bytes) {
      if (!idOf(path)) return false;
      const wrapped = inflateSync(bytes);
      const head = wrapped.indexOf(0) + 1;
      const name = wrapped.toString("latin1", 0, wrapped.indexOf(32));
      const type = TYPES.find((known) => known === name);
      if (type) store.write(type, wrapped, head);
      return type !== undefined;
    },
    list(path) {
      const prefix = path.startsWith(`${folder}/`) ? path.slice(folder.length + 1) : "";
      if (!/^[0-9a-f]{2}$/.test(prefix)) return [];
      return [...store.ids()].filter((id) => id.startsWith(prefix)).map((id) => id.slice(2));
    },
  };
}
