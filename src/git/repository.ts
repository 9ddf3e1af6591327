/** An entry of a commit's tree. `size` in bytes is absent for a blob left out of the clone. */
export interface TreeEntry {
  path: string;
  /** git blob id, 40 hex digits */
  blob: string;
  mode: "100644" | "100755" | "120000" | "160000";
  size?: number;
}

/** A change to one path. `content: null` deletes it; `mode` defaults to the old entry's, or 100644. */
export interface TreeChange {
  path: string;
  content: Uint8Array | null;
  mode?: "100644" | "100755" | "120000";
}

/** An earlier commit. */
export interface PastCommit {
  commit: string;
  /** as people wrote it, so untrusted; cut to `MAX_PAST_MESSAGE` */
  message: string;
  /** the paths that it changed, created or deleted, in no order */
  paths: readonly string[];
}

export interface NewCommit {
  /** tree id from `writeTree` */
  tree: string;
  parents: readonly string[];
  message: string;
  /** the only issue that the message may close */
  closes?: number;
  author: { name: string; email: string };
  /** default: now. The same commit with the same date has the same id, so a step can be repeated. */
  date?: Date;
}

/**
 * One commit of one repository, held in memory, nothing on disk.
 * Written objects stay in memory until they are pushed.
 */
export interface Repository {
  /** the commit it was opened at, 40 hex digits */
  commit: string;
  /** every file, link and submodule of the commit, by path, in path order */
  entries: ReadonlyMap<string, TreeEntry>;
  /** The content of a blob of this commit, or of one written here. Throws MagisError BLOB_MISSING. */
  readBlob(blob: string): Promise<Uint8Array>;
  /**
   * The latest commits up to this one, newest first: at most `MAX_PAST`, without merges and commits of very many files;
   * none when they cost too much to fetch. Always the same for the same commit, unless the server is very slow. Throws
   * `OpenRepository`'s errors for outages, and RUN_CANCELLED.
   */
  history(): Promise<readonly PastCommit[]>;
  /**
   * The latest changes as they landed on the branch, newest first: the commits of its first-parent line, a merge with
   * all that it brought. Limits and errors as for `history`.
   */
  landed(): Promise<readonly PastCommit[]>;
  /**
   * Writes the commit's tree with `changes` applied and gives the new tree's id.
   * Throws MagisError ANSWER_INVALID for a path that is unsafe or conflicts with another.
   */
  writeTree(changes: readonly TreeChange[]): Promise<string>;
  writeCommit(commit: NewCommit): Promise<string>;
  /** Pushes a commit to a full ref name, never forced. Throws MagisError GIT_PUSH_REFUSED or GIT_BRANCH_MOVED. */
  push(commit: string, ref: string): Promise<void>;
  /** Frees all memory; the repository cannot be used afterwards. */
  close(): void;
}

/** The most commits that `history` gives. */
export const MAX_PAST = 300;

/** The most files of a commit in `history`: a larger one says little about any file. */
export const MAX_PAST_PATHS = 200;

/** The most characters of a message in `history`. */
export const MAX_PAST_MESSAGE = 10_000;

/** Past commits, one by one and as they landed. */
export interface Past {
  history: readonly PastCommit[];
  landed: readonly PastCommit[];
}

/** A repository's address, and the commit to fetch. */
export interface RepositorySource {
  /** https://host/owner/name.git */
  url: string;
  /** 40 hex digits; not necessarily the tip of a branch */
  commit: string;
  /** leaves out larger blobs, if the server can: bytes; absent: as the clone is set up */
  blobLimit?: number;
  /** gives a fresh token; absent when none is needed */
  token?: () => Promise<string>;
  signal?: AbortSignal;
}

/**
 * Fetches one commit, depth 1, into memory.
 * Throws MagisError GIT_UNREACHABLE, GIT_TOKEN_REFUSED, GIT_NOT_FOUND, GIT_PACK_CORRUPT, GIT_PACK_TOO_LARGE,
 * GIT_TIMEOUT, GIT_REDIRECT_REFUSED, and RUN_CANCELLED when the signal fires.
 */
export type OpenRepository = (source: RepositorySource) => Promise<Repository>;
