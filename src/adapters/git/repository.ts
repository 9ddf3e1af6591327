import { type PromiseFsClient, packObjects, writeCommit, writeObject } from "isomorphic-git";
import { MagisError } from "../../model/error.ts";
import type { NewCommit, Repository, TreeEntry } from "../../ports/repository.ts";
import { commitLinks, type ObjectStore } from "./object-store.ts";
import { pushCommit } from "./push-commit.ts";
import type { GitTransport } from "./transport.ts";
import { type TreeStorage, writeTree } from "./write-tree.ts";

export interface GitRepositoryOptions {
  readonly commit: string;
  readonly entries: ReadonlyMap<string, TreeEntry>;
  readonly store: ObjectStore;
  readonly fs: PromiseFsClient;
  readonly gitdir: string;
  readonly transport: GitTransport;
}

/** What git itself removes from a name or address. */
const clean = (text: string): string => text.replace(/[<>\n\0]/g, "").trim();

/** The `Repository` port over an object store that holds one commit. Objects are written through isomorphic-git. */
export function createGitRepository(options: GitRepositoryOptions): Repository {
  const { commit, entries, store, fs, gitdir, transport } = options;
  let open = true;

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
    async writeCommit({ tree, parents, message, author, date = new Date() }: NewCommit) {
      checkOpen();
      const timestamp = Math.floor(date.getTime() / 1000);
      const person = { name: clean(author.name), email: clean(author.email), timestamp, timezoneOffset: 0 };
      const object = { tree, parent: [...parents], message, author: person, committer: person };
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
