import type { SourceParser } from "../../../code/source-parser.ts";
import type { LeftOut } from "./left-out.ts";

/** What every look-up takes. */
export interface LookupContext {
  files: SnapshotFiles;
  parser: SourceParser;
  limits: WorkLimits;
}

/** How much work one look-up may do before it stops, and says how far it came. */
export interface WorkLimits {
  /** larger files are not searched, in bytes */
  fileBytes: number;
  /** of a text search: bytes looked at, those that meet a long pattern counted more than once */
  searchedBytes: number;
  /** of a search for declarations or uses: bytes parsed, of a large file as many as `parsingWork` says */
  parsedBytes: number;
}

/** What is looked through. */
export interface Snapshot {
  /** the files that agents may see, in any order */
  paths: readonly string[];
  /** files of the commit that are not among `paths`, in any order */
  leftOut?: readonly LeftOut[];
  /** content of one of `paths` or of a shown left-out file; undefined if it is not at hand. Errors are passed on. */
  read: (path: string) => Promise<Uint8Array | undefined>;
}

/** The files of a snapshot that may be seen. */
export interface SnapshotFiles {
  /** in path order (by UTF-16 units) */
  paths: readonly string[];
  has(path: string): boolean;
  /** that hold files, without a final slash; "" is the top */
  folders: ReadonlySet<string>;
  /** the files of the commit that are not among `paths`, in path order */
  leftOut: readonly LeftOut[];
  /** the whole content, also of a shown left-out file; undefined if it is not at hand */
  bytes(path: string): Promise<Buffer | undefined>;
  /** content to search; undefined for binary and very large files, too */
  searchable(path: string): Promise<Buffer | undefined>;
}

/** git looks for a NUL in this many bytes, too */
const BINARY_HEAD = 8_000;

/** Opens the files of a snapshot. Files above `largest` bytes are not searched. */
export function createSnapshotFiles({ paths: given, leftOut = [], read }: Snapshot, largest: number): SnapshotFiles {
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
    const content = await read(path);
    return content && Buffer.from(content.buffer, content.byteOffset, content.byteLength);
  };
  return {
    paths,
    has: (path) => known.has(path),
    folders,
    leftOut: [...leftOut].sort((a, b) => (a.path < b.path ? -1 : 1)),
    bytes,
    searchable: async (path) => {
      const content = await bytes(path);
      if (content === undefined || content.length > largest) return undefined;
      return content.subarray(0, BINARY_HEAD).includes(0) ? undefined : content;
    },
  };
}
