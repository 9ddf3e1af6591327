import type { TreeEntry } from "./repository.ts";

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
