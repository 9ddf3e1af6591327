import type { RepositoryId } from "../model/run-request.ts";

/** A remembered version of a file: `f_h -> s_h` of the paper. */
export interface RememberedVersion {
  readonly path: string;
  /** git blob id: the version */
  readonly blob: string;
  readonly summary: string;
}

/** What is forgotten: a repository of one installation, a repository of every installation, or a whole installation. */
export type MemoryScope =
  | RepositoryId
  | (Pick<RepositoryId, "owner" | "name"> & { readonly installationId?: never })
  | (Pick<RepositoryId, "installationId"> & { readonly owner?: never; readonly name?: never });

/**
 * The repository evolution memory `M` (3.2.1): summaries by repository, path and blob id, no source code.
 * Never shared between installations.
 */
export interface EvolutionMemory {
  /** The summary of this very content, wherever in the repository it was seen; else the path's latest version. */
  recall(repository: RepositoryId, path: string, blob: string): Promise<RememberedVersion | undefined>;
  update(repository: RepositoryId, version: RememberedVersion): Promise<void>;
  /** Deletes all versions within `scope`, and gives their number. */
  forget(scope: MemoryScope): Promise<number>;
}
