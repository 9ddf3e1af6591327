import type { TokenCache } from "../../src/search/token-cache.ts";
import { type OpenedCommit, openCommit } from "../memory/open-commit.ts";
import { listTree, readBlobs } from "../recall/git.ts";

const MAX_SIZE = 512 * 1024;

/** Opens commits of one mirror, each blob read once through one `git cat-file` a commit. */
export function createCommitOpener(mirror: string, cache: TokenCache) {
  const kept = new Map<string, Uint8Array>();
  return async (commit: string): Promise<OpenedCommit> => {
    const unknown = listTree(mirror, commit)
      .filter(({ blob, mode, size = Infinity }) => mode.startsWith("100") && size <= MAX_SIZE && !kept.has(blob))
      .map(({ blob }) => blob);
    await readBlobs(mirror, [...new Set(unknown)], (blob, bytes) => void kept.set(blob, bytes));
    const opened = await openCommit(mirror, commit, cache);
    const { readBlob } = opened.repository;
    return {
      ...opened,
      repository: { ...opened.repository, readBlob: async (blob) => kept.get(blob) ?? readBlob(blob) },
    };
  };
}
