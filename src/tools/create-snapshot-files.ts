import type { SnapshotFiles } from "./snapshot-files.ts";

/** git's rule, and git's length */
const BINARY_HEAD = 8_000;

/** The files of a snapshot, in path order; `largest` in bytes is the size above which a file is not looked through. */
export function createSnapshotFiles(
  given: readonly string[],
  read: (path: string) => Promise<Uint8Array | undefined>,
  largest: number,
): SnapshotFiles {
  const known = new Set(given);
  const paths = [...known].sort();
  const folders = new Set<string>([""]);
  for (const path of paths) {
    for (let at = path.lastIndexOf("/"); at > 0; at = path.lastIndexOf("/", at - 1)) {
      const folder = path.slice(0, at);
      if (folders.has(folder)) break;
      folders.add(folder);
    }
  }
  const bytes = async (path: string) => {
    const content = known.has(path) ? await read(path) : undefined;
    return content && Buffer.from(content.buffer, content.byteOffset, content.byteLength);
  };
  return {
    paths,
    has: (path) => known.has(path),
    hasFolder: (folder) => folders.has(folder),
    bytes,
    searchable: async (path) => {
      const content = await bytes(path);
      if (content === undefined || content.length > largest) return undefined;
      return content.subarray(0, BINARY_HEAD).includes(0) ? undefined : content;
    },
  };
}
