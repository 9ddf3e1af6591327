/** A file as the tree of a commit names it. `size` in bytes is absent for a blob that was left out of the clone. */
export interface TreeEntry {
  readonly path: string;
  /** git blob id, 40 hex digits */
  readonly blob: string;
  readonly mode: "100644" | "100755" | "120000" | "160000";
  readonly size?: number;
}

/** What becomes of one path. `content: null` deletes it; `mode` defaults to the old entry's, or 100644. */
export interface TreeChange {
  readonly path: string;
  readonly content: Uint8Array | null;
  readonly mode?: "100644" | "100755";
}

/** A commit that came before. */
export interface PastCommit {
  readonly commit: string;
  /** as people wrote it, without what is beyond `MAX_PAST_MESSAGE`: material */
  readonly message: string;
  /** what it changed, created or deleted, in no order */
  readonly paths: readonly string[];
}

export interface NewCommit {
  /** tree id from `writeTree` */
  readonly tree: string;
  readonly parents: readonly string[];
  readonly message: string;
  /** the one issue that the message may close */
  readonly closes?: number;
  readonly author: { readonly name: string; readonly email: string };
  /** default: now. The same commit with the same date has the same id, so that a step can be repeated. */
  readonly date?: Date;
}

/**
 * One commit of one repository, held in memory, nothing on disk.
 * Objects that are written stay in memory until they are pushed.
 */
export interface Repository {
  /** the commit it was opened at, 40 hex digits */
  readonly commit: string;
  /** every file, link and submodule of the commit, by path, in path order */
  readonly entries: ReadonlyMap<string, TreeEntry>;
  /** Content of a blob of this commit, or of one written here. Throws MagisError BLOB_MISSING. */
  readBlob(blob: string): Promise<Uint8Array>;
  /**
   * The newest of the commits that led to this one, itself too, newest first: at most `MAX_PAST`, without merges and
   * without those of very many files; none where they cannot be had for little. The same for the same commit, but for a
   * server that is very slow. Throws what opening throws of outages, and RUN_CANCELLED.
   */
  history(): Promise<readonly PastCommit[]>;
  /**
   * Writes the commit's tree with `changes` applied; gives the new tree's id.
   * Throws MagisError ANSWER_INVALID for a path that is unsafe or in the way of another.
   */
  writeTree(changes: readonly TreeChange[]): Promise<string>;
  writeCommit(commit: NewCommit): Promise<string>;
  /** Pushes a commit to a full ref name, never forced. Throws MagisError GIT_PUSH_REFUSED or GIT_BRANCH_MOVED. */
  push(commit: string, ref: string): Promise<void>;
  /** Lets go of all memory. The repository cannot be used afterwards. */
  close(): void;
}

/** Commits that `history` gives at most. */
export const MAX_PAST = 300;

/** Files of a commit in `history` at most: what changed more says little of any. */
export const MAX_PAST_PATHS = 200;

/** Characters of a message in `history` at most. */
export const MAX_PAST_MESSAGE = 10_000;

/** Where a repository is, and which commit of it is wanted. */
export interface RepositorySource {
  /** https://host/owner/name.git */
  readonly url: string;
  /** 40 hex digits; it need not be the tip of a branch */
  readonly commit: string;
  /** gives a fresh token; absent for a repository that needs none */
  readonly token?: () => Promise<string>;
  readonly signal?: AbortSignal;
}

/**
 * Fetches one commit, depth 1, into memory.
 * Throws MagisError GIT_UNREACHABLE, GIT_TOKEN_REFUSED, GIT_NOT_FOUND, GIT_PACK_CORRUPT, GIT_PACK_TOO_LARGE,
 * GIT_TIMEOUT, GIT_REDIRECT_REFUSED, and RUN_CANCELLED when the signal fires.
 */
export type OpenRepository = (source: RepositorySource) => Promise<Repository>;

/** A clone of a repository on this machine's disk, which is only read. */
export interface Mirror {
  /** its folder */
  readonly folder: string;
  hasCommit(commit: string): Promise<boolean>;
  /** Every file of the commit. Throws MagisError GIT_NOT_FOUND. */
  entries(commit: string): Promise<readonly TreeEntry[]>;
  /** Hands each blob's content to `take`, as they come. Throws MagisError BLOB_MISSING. */
  readBlobs(blobs: readonly string[], take: (blob: string, content: Uint8Array) => void): Promise<void>;
  /** What git says when the patch does not apply to the commit (`git apply --check`); undefined when it does. */
  refusalOf(commit: string, patch: string): Promise<string | undefined>;
}

/** The mirror of `owner/name`; undefined when there is none. */
export type OpenMirror = (repository: string) => Promise<Mirror | undefined>;
