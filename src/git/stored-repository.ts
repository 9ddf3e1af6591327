import { packObjects, writeCommit, writeObject } from "isomorphic-git";
import { MagisError } from "../data/error.ts";
import { postedMessage } from "../text/posted.ts";
import { createMemoryFs } from "./memory-fs.ts";
import { commitLinks, type ObjectStore, packError } from "./object-store.ts";
import { pushCommit } from "./push-commit.ts";
import { bytesOf, compareNames, FOLDER_MODE, parseTree, type RawEntry } from "./read-tree.ts";
import type { NewCommit, Past, Repository, TreeChange, TreeEntry } from "./repository.ts";
import type { GitTransport } from "./transport.ts";

export interface GitRepositoryOptions {
  commit: string;
  entries: ReadonlyMap<string, TreeEntry>;
  store: ObjectStore;
  transport: GitTransport;
  past: () => Promise<Past>;
}

const GITDIR = "/repository.git";

/** What git itself removes from a name or address. */
const clean = (text: string): string => text.replace(/[<>\n\0]/g, "").trim();

/** The `Repository` port over an object store with one commit. Writes objects through isomorphic-git. */
export function createGitRepository(options: GitRepositoryOptions): Repository {
  const { commit, entries, store, transport } = options;
  const fs = createMemoryFs(store, GITDIR);
  const gitdir = GITDIR;
  let open = true;
  let read: Promise<Past> | undefined;
  const past = () => {
    read ??= options.past().catch((error: unknown) => {
      read = undefined;
      throw error;
    });
    return read;
  };

  const content = (id: string, type: "blob" | "tree" | "commit"): Buffer | undefined => {
    const object = store.get(id);
    return object?.type === type ? store.content(object) : undefined;
  };
  const storage: TreeStorage = {
    readTree: (id) => content(id, "tree"),
    write: (type, object) => writeObject({ fs, gitdir, type, object: Buffer.from(object), format: "content" }),
  };
  const checkOpen = (): void => {
    if (!open) throw new MagisError("BLOB_MISSING", "The repository was closed.", { commit });
  };

  return {
    commit,
    entries,
    history: async () => (await past()).history,
    landed: async () => (await past()).landed,
    async readBlob(blob) {
      const bytes = content(blob, "blob");
      if (!bytes) throw new MagisError("BLOB_MISSING", `The clone does not hold blob ${blob}.`, { blob, commit });
      return bytes;
    },
    async writeTree(changes) {
      checkOpen();
      const root = content(commit, "commit");
      return writeTree(storage, root ? commitLinks(root).tree : "", changes);
    },
    async writeCommit({ tree, parents, message, closes, author, date = new Date() }: NewCommit) {
      checkOpen();
      const timestamp = Math.floor(date.getTime() / 1000);
      const person = { name: clean(author.name), email: clean(author.email), timestamp, timezoneOffset: 0 };
      const safe = postedMessage(message, { signer: { name: person.name, email: person.email }, closes });
      const object = { tree, parent: [...parents], message: safe, author: person, committer: person };
      return writeCommit({ fs, gitdir, commit: object });
    },
    async push(id, ref) {
      checkOpen();
      const pack = async (oids: string[]): Promise<Uint8Array> => {
        const { packfile } = await packObjects({ fs, gitdir, oids, write: false });
        return packfile ?? Buffer.alloc(0);
      };
      await pushCommit({ transport, store, pack, commit: id, ref });
    },
    close() {
      open = false;
      store.clear();
    },
  };
}

interface TreeStorage {
  /** content of a tree object; undefined when there is none */
  readTree(id: string): Buffer | undefined;
  /** writes an object, gives its id */
  write(type: "blob" | "tree", content: Uint8Array): Promise<string>;
}

function serialize(entries: readonly RawEntry[]): Buffer {
  const lines = entries.map(({ mode, name, id }) => [
    Buffer.from(`${mode} ${name}\0`, "latin1"),
    Buffer.from(id, "hex"),
  ]);
  return Buffer.concat(lines.flat());
}

async function changeFile(storage: TreeStorage, old: RawEntry | undefined, change: TreeChange, content: Uint8Array) {
  if (old?.mode === FOLDER_MODE) throw changeError(change.path, "a folder of that name has other files in it");
  if (old?.mode === "160000") throw changeError(change.path, "it is a submodule");
  return { mode: change.mode ?? old?.mode ?? "100644", id: await storage.write("blob", content) };
}

/**
 * Writes the tree `id` with `changes` applied; gives the new id, or undefined when the tree becomes empty. Writes only
 * trees on changed paths; all other entries stay as they are, byte for byte.
 */
async function rewrite(storage: TreeStorage, id: string | undefined, changes: ChangeTree): Promise<string | undefined> {
  const content = id === undefined ? Buffer.alloc(0) : storage.readTree(id);
  if (!content) throw packError(`tree ${id} is missing`);
  const entries = new Map(parseTree(content).map((entry) => [entry.name, entry]));
  for (const [name, change] of changes.files) {
    if (change.content !== null) continue;
    if (entries.get(name)?.mode === FOLDER_MODE) throw changeError(change.path, "it is a folder, not a file");
    entries.delete(name);
  }
  for (const [name, inner] of changes.folders) {
    const old = entries.get(name);
    if (old && old.mode !== FOLDER_MODE) {
      const [first] = [...inner.files.values()];
      if ([...inner.files.values()].every((change) => change.content === null) && inner.folders.size === 0) continue;
      throw changeError(first?.path ?? name, "a file stands where its folder would be");
    }
    const tree = await rewrite(storage, old?.id, inner);
    if (tree === undefined) entries.delete(name);
    else entries.set(name, { mode: FOLDER_MODE, name, id: tree });
  }
  for (const [name, change] of changes.files) {
    if (change.content === null) continue;
    const { mode, id } = await changeFile(storage, entries.get(name), change, change.content);
    entries.set(name, { mode, name, id });
  }
  if (entries.size === 0) return undefined;
  return storage.write("tree", serialize([...entries.values()].sort(compareNames)));
}

/**
 * Writes the tree `root` with `changes` applied; gives the same id as git. Empty folders vanish, new ones are made, and
 * deleting what is missing is fine. A file may replace a folder, or a folder a file, only when the same changes delete
 * what is there.
 * Throws ANSWER_INVALID for a path that is unsafe or in the way of another.
 */
async function writeTree(storage: TreeStorage, root: string, changes: readonly TreeChange[]): Promise<string> {
  const tree = await rewrite(storage, root, changeTree(changes));
  return tree ?? storage.write("tree", Buffer.alloc(0));
}

/** Changes below one folder, by name. */
interface ChangeTree {
  files: Map<string, TreeChange>;
  folders: Map<string, ChangeTree>;
}

/**
 * Sorts changes into folders. Names are as in `RawEntry`. Throws ANSWER_INVALID for an unsafe path or one given twice.
 */
function changeTree(changes: readonly TreeChange[]): ChangeTree {
  const root: ChangeTree = { files: new Map(), folders: new Map() };
  for (const change of changes) {
    const { path } = change;
    const parts = path.split("/").map(bytesOf);
    const written = Buffer.from(parts.join("/"), "latin1").toString("utf8");
    if (!isSafePath(written)) throw changeError(path, "it is not a safe path inside the repository");
    const name = parts.pop() ?? "";
    let folder = root;
    for (const part of parts) {
      const next = folder.folders.get(part) ?? { files: new Map(), folders: new Map() };
      folder.folders.set(part, next);
      folder = next;
    }
    if (folder.files.has(name)) throw changeError(path, "it is given twice");
    folder.files.set(name, change);
  }
  return root;
}

/** ANSWER_INVALID; `why` ends the sentence. */
function changeError(path: string, why: string): MagisError {
  return new MagisError("ANSWER_INVALID", `The path ${JSON.stringify(path)} cannot be changed: ${why}.`, { path });
}

/** Characters HFS+ ignores in a name, so that ".g\u200cit" is ".git" there. */
const IGNORED = /[\u200c-\u200f\u202a-\u202e\u206a-\u206f\ufeff]/g;

/** Names that are, or on Windows or macOS become, ".", ".." or ".git". After git's verify_path. */
function isReserved(part: string): boolean {
  const plain = (part.replace(IGNORED, "").split(":")[0] ?? "").toLowerCase().replace(/(?<![. ])[. ]+$/, "");
  return plain === "" || plain === ".git" || /^git~\d+$/.test(plain);
}

/** True for a relative path, "/" between its parts, that leads into the repository on every system. */
function isSafePath(path: string): boolean {
  if (path.includes("\0") || /^[a-z]:/i.test(path)) return false;
  return path.split(/[/\\]/).every((part) => part !== "" && !isReserved(part));
}
