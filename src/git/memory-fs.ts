import { constants, deflateSync, inflateSync } from "node:zlib";
import type { PromiseFsClient } from "isomorphic-git";
import type { ObjectStore, ObjectType } from "./object-store.ts";

/** As Node's fs throws; isomorphic-git decides by the code. Without a stack, since it is thrown hundreds of times. */
function fsError(code: string, path: string): Error {
  const limit = Error.stackTraceLimit;
  Error.stackTraceLimit = 0;
  const error = Object.assign(new Error(`${code}: ${path}`), { code });
  Error.stackTraceLimit = limit;
  return error;
}

const normalize = (path: string): string => path.replace(/\/(\.?\/)+/g, "/").replace(/(.)\/\.?$/, "$1");

const parentOf = (path: string): string => path.slice(0, Math.max(1, path.lastIndexOf("/")));

/** A stat of a regular file of `size` bytes, or of a folder. */
function statOf(kind: "file" | "folder", size: number) {
  const time = { mtimeMs: 0, ctimeMs: 0, mtime: new Date(0), ctime: new Date(0) };
  const mode = kind === "file" ? 0o100644 : 0o040000;
  const tests = { isFile: () => kind === "file", isDirectory: () => kind === "folder", isSymbolicLink: () => false };
  return { size, mode, ino: 0, uid: 0, gid: 0, dev: 0, ...time, ...tests };
}

/**
 * The `fs` for isomorphic-git: a map of paths, in which the files below `gitdir`/objects are the objects of `store`.
 * Without symbolic links, since nothing is checked out.
 */
export function createMemoryFs(store: ObjectStore, gitdir: string): PromiseFsClient {
  const files = new Map<string, Uint8Array>();
  const folders = new Set<string>(["/"]);
  const objects = createObjectFiles(store, `${gitdir}/objects`);

  const read = (path: string): Uint8Array => {
    const bytes = objects.read(path) ?? files.get(path);
    if (!bytes) throw fsError(folders.has(path) ? "EISDIR" : "ENOENT", path);
    return bytes;
  };
  const stat = async (given: string) => {
    const path = normalize(given);
    return folders.has(path) ? statOf("folder", 0) : statOf("file", read(path).length);
  };
  const remove = async (given: string): Promise<void> => {
    if (!files.delete(normalize(given))) throw fsError("ENOENT", given);
  };
  const inside = (folder: string): string[] => {
    const start = folder === "/" ? "/" : `${folder}/`;
    return [...files.keys(), ...folders].filter((path) => path.startsWith(start) && path !== start);
  };

  const promises = {
    async readFile(given: string, options?: string | { encoding?: BufferEncoding }): Promise<Uint8Array | string> {
      const bytes = read(normalize(given));
      const encoding = typeof options === "string" ? "utf8" : options?.encoding;
      return encoding ? Buffer.from(bytes).toString(encoding) : bytes;
    },
    async writeFile(given: string, content: Uint8Array | string): Promise<void> {
      const path = normalize(given);
      const bytes = Buffer.from(content);
      if (objects.write(path, bytes)) return;
      if (!folders.has(parentOf(path))) throw fsError("ENOENT", path);
      files.set(path, bytes);
    },
    async mkdir(given: string): Promise<void> {
      const path = normalize(given);
      if (folders.has(path)) throw fsError("EEXIST", path);
      if (!folders.has(parentOf(path))) throw fsError("ENOENT", path);
      folders.add(path);
    },
    async rmdir(given: string): Promise<void> {
      const path = normalize(given);
      if (inside(path).length > 0) throw fsError("ENOTEMPTY", path);
      if (!folders.delete(path)) throw fsError("ENOENT", path);
    },
    async readdir(given: string): Promise<string[]> {
      const path = normalize(given);
      const ids = objects.list(path);
      if (ids.length === 0 && !folders.has(path)) throw fsError("ENOENT", path);
      const start = path === "/" ? 1 : path.length + 1;
      return [...new Set([...ids, ...inside(path).map((name) => name.slice(start).split("/")[0] ?? "")])];
    },
    unlink: remove,
    stat,
    lstat: stat,
    async readlink(given: string): Promise<string> {
      throw fsError("ENOENT", given);
    },
    async symlink(_target: string, given: string): Promise<void> {
      throw fsError("EPERM", given);
    },
  };
  return { promises };
}

/** The store's objects as the loose object files `xx/yyyy…` below one folder. */
export interface ObjectFiles {
  /** The file's bytes; undefined when the path is not an object's. */
  read(path: string): Buffer | undefined;
  /** Stores a loose object file; false when the path is not an object's. */
  write(path: string, bytes: Buffer): boolean;
  /** The file names inside one of the two-digit folders. */
  list(path: string): string[];
}

const TYPES: readonly ObjectType[] = ["commit", "tree", "blob", "tag"];

/** isomorphic-git reads loose objects first and writes them, so the store needs no pack and no index. */
function createObjectFiles(store: ObjectStore, folder: string): ObjectFiles {
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
