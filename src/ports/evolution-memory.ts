import type { RepositoryId } from "../domain/run/repository-id.ts";

/** A remembered version of a file: `f_h -> s_h` of the paper. */
export interface RememberedVersion {
  readonly path: string;
  /** git blob id: the version */
  readonly blob: string;
  readonly summary: string;
}

/**
 * The repository evolution memory `M` (3.2.1): summaries by repository, path and blob id, no source code.
 * Never shared between installations.
 */
export interface EvolutionMemory {
  /** The summary of this very content, wherever in the repository it was seen; else the path's latest version. */
  recall(repository: RepositoryId, path: string, blob: string): Promise<RememberedVersion | undefined>;
  update(repository: RepositoryId, version: RememberedVersion): Promise<void>;
  forget(repository: RepositoryId): Promise<void>;
}
