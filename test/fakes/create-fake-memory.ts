import { repositoryName } from "../../src/data/run-request.ts";
import type { EvolutionMemory, RememberedVersion } from "../../src/run/evolution-memory.ts";

/** An EvolutionMemory that starts with `versions`, for any repository. */
export function createFakeMemory(versions: readonly RememberedVersion[] = []) {
  const kept: (RememberedVersion & { repository?: string })[] = [...versions];
  const memory: EvolutionMemory = {
    async recall(repository, path, blob) {
      const own = kept.filter((one) => one.repository === undefined || one.repository === repositoryName(repository));
      return own.findLast((one) => one.blob === blob) ?? own.findLast((one) => one.path === path);
    },
    async update(repository, version) {
      kept.push({ ...version, repository: repositoryName(repository) });
    },
    async forget() {
      return kept.splice(0).length;
    },
  };
  return { memory, kept };
}
