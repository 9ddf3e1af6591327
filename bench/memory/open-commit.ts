import { execFileSync } from "node:child_process";
import { MagisError } from "../../src/data/error.ts";
import { localPast } from "../../src/git/open-local-repository.ts";
import type { Repository, TreeEntry } from "../../src/git/repository.ts";
import type { TokenCache } from "../../src/search/token-cache.ts";
import { listTree, readBlobs } from "../recall/git.ts";

const MAX_SIZE = 512 * 1024;

/** One commit of a mirror, to read. */
export interface OpenedCommit {
  repository: Repository;
  /** as the host's: undefined for a blob that is not there */
  readBlob(blob: string): Promise<Uint8Array | undefined>;
}

/**
 * A commit of a mirror on disk as the product sees a clone. What `cache` does not know yet is counted here, through one
 * `git cat-file`; blobs that are read later come one by one. It can only be read.
 */
export async function openCommit(mirror: string, commit: string, cache: TokenCache): Promise<OpenedCommit> {
  const entries = new Map(listTree(mirror, commit).map((entry) => [entry.path, entry as TreeEntry]));
  const texts = [...entries.values()].filter(({ mode, size = Infinity }) => mode.startsWith("100") && size <= MAX_SIZE);
  const unknown = [...new Set(texts.map(({ blob }) => blob))].filter((blob) => cache.get(blob) === undefined);
  await readBlobs(mirror, unknown, (blob, bytes) => void cache.add(blob, bytes));
  const readBlob = async (blob: string) => catFile(mirror, blob);
  const refuse = () => Promise.reject(new Error("a commit of the bench can only be read"));
  const past = localPast(mirror, commit, { environment: process.env, signal: new AbortController().signal });
  const repository: Repository = {
    commit,
    entries,
    async readBlob(blob) {
      const content = await readBlob(blob);
      if (content === undefined) throw new MagisError("BLOB_MISSING", `The mirror has no blob ${blob}.`);
      return content;
    },
    history: async () => (await past).history,
    landed: async () => (await past).landed,
    writeTree: refuse,
    writeCommit: refuse,
    push: refuse,
    close: () => undefined,
  };
  return { repository, readBlob };
}

function catFile(mirror: string, blob: string): Uint8Array | undefined {
  try {
    return execFileSync("git", ["-C", mirror, "cat-file", "blob", blob], {
      maxBuffer: 1 << 30,
      stdio: ["ignore", "pipe", "ignore"],
    });
  } catch {
    return undefined;
  }
}
