/** The files of a snapshot that may be seen. */
export interface SnapshotFiles {
  /** in path order (by UTF-16 units) */
  readonly paths: readonly string[];
  has(path: string): boolean;
  /** whether there are files below `folder`, which has no final slash; "" is the top */
  hasFolder(folder: string): boolean;
  /** the whole content; undefined when it cannot be had */
  bytes(path: string): Promise<Buffer | undefined>;
  /** content to look through; undefined for binary and very large files too */
  searchable(path: string): Promise<Buffer | undefined>;
}
