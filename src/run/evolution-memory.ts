import type { InstallationScope, RepositoryId } from "../data/run-request.ts";
import { plainNote } from "../text/shown-text.ts";

/** A remembered version of a file: `f_h -> s_h` of the paper. */
export interface RememberedVersion {
  path: string;
  /** git blob id: the version */
  blob: string;
  summary: string;
}

/** What to forget: a repository of one installation, a repository of every installation, or a whole installation. */
export type MemoryScope =
  | InstallationScope
  | (Pick<RepositoryId, "owner" | "name"> & { installationId?: never; id?: never });

/**
 * The repository evolution memory `M` (3.2.1): summaries by repository, path and blob id, no source code.
 * Never shared between installations.
 */
export interface EvolutionMemory {
  /** The summary of exactly this content, wherever in the repository it was seen; else the path's latest version. */
  recall(repository: RepositoryId, path: string, blob: string): Promise<RememberedVersion | undefined>;
  update(repository: RepositoryId, version: RememberedVersion): Promise<void>;
  /** Deletes all versions within `scope`, and gives their number. */
  forget(scope: MemoryScope): Promise<number>;
}

/** Characters. The paper's form grows by a sentence or two with every version. */
const MAX_SUMMARY = 4_000;

/**
 * `memory` with bounded, plain summaries, also the stored ones: whoever writes them may see one issue, and they are
 * shown with another.
 */
export function withPlainSummaries(memory: EvolutionMemory): EvolutionMemory {
  const plain = (version: RememberedVersion) => ({ ...version, summary: plainNote(version.summary, MAX_SUMMARY) });
  return {
    async recall(...asked) {
      const version = await memory.recall(...asked);
      return version && plain(version);
    },
    update: (repository, version) => memory.update(repository, plain(version)),
    forget: (scope) => memory.forget(scope),
  };
}
