import { type RepositoryId, repositoryName } from "../model/repository-id.ts";
import type { EvolutionMemory, MemoryScope, RememberedVersion } from "../ports/evolution-memory.ts";

interface Remembered extends RememberedVersion {
  /** when it was learned, by a clock that goes on by one at each use of the memory */
  readonly learned: number;
}

/**
 * The evolution memory (paper 3.2.1) in memory; it ends with the process. At most `maxVersions` are kept of a repository,
 * the least recently used going first.
 */
export function createEvolutionMemory(maxVersions: number): EvolutionMemory {
  /** by repository, in the order of their last use */
  const repositories = new Map<string, { readonly id: RepositoryId; readonly versions: Map<string, Remembered> }>();
  let clock = 0;

  return {
    async recall(repository, path, blob) {
      const versions = repositories.get(keyOf(repository))?.versions ?? new Map<string, Remembered>();
      const found = [...versions.values()]
        .filter((one) => one.blob === blob || one.path === path)
        .sort((a, b) => rank(b) - rank(a) || b.learned - a.learned)[0];
      if (!found) return undefined;
      touch(versions, found);
      return { path: found.path, blob: found.blob, summary: found.summary };

      function rank(one: Remembered): number {
        return (one.blob === blob ? 2 : 0) + (one.path === path ? 1 : 0);
      }
    },
    async update(repository, version) {
      const key = keyOf(repository);
      const { versions } = repositories.get(key) ?? { versions: new Map<string, Remembered>() };
      repositories.set(key, { id: repository, versions });
      clock += 1;
      touch(versions, { ...version, learned: clock });
      const [oldest] = versions.keys();
      if (versions.size > maxVersions && oldest !== undefined) versions.delete(oldest);
    },
    async forget(scope) {
      const gone = [...repositories].filter(([, { id }]) => isWithin(id, scope));
      for (const [key] of gone) repositories.delete(key);
      return gone.reduce((sum, [, { versions }]) => sum + versions.size, 0);
    },
  };
}

function touch(versions: Map<string, Remembered>, version: Remembered): void {
  const key = `${version.blob} ${version.path}`;
  versions.delete(key);
  versions.set(key, version);
}

const keyOf = (repository: RepositoryId) => `${repository.installationId}:${repositoryName(repository).toLowerCase()}`;

/** A scope that is empty after all, against its type, takes nothing along. */
function isWithin(id: RepositoryId, scope: MemoryScope): boolean {
  const name = scope.owner === undefined ? undefined : repositoryName(scope).toLowerCase();
  if (name === undefined && scope.installationId === undefined) return false;
  const fits = scope.installationId === undefined || scope.installationId === id.installationId;
  return fits && (name === undefined || name === repositoryName(id).toLowerCase());
}
