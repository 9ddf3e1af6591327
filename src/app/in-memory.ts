import { LRUCache } from "lru-cache";
import { joinParts, type StoredPart } from "../data/read-record.ts";
import { isNamedAfter, type RepositoryId, type RunRequest, readRunId, repositoryName } from "../data/run-request.ts";
import type { RunState } from "../data/run-state.ts";
import type { RecordedCall } from "../models/language-model.ts";
import type { EvolutionMemory, MemoryScope, RememberedVersion } from "../run/evolution-memory.ts";
import { type RunStore, takenOver } from "../run/runs.ts";

interface Remembered extends RememberedVersion {
  /** when it was learned, by a counter of updates */
  learned: number;
}

/**
 * The evolution memory (paper 3.2.1) in this process's memory. Keeps at most `maxVersions` a repository, and drops the
 * least recently used.
 */
export function createEvolutionMemory(maxVersions: number): EvolutionMemory {
  const repositories = new Map<string, { id: RepositoryId; versions: LRUCache<string, Remembered> }>();
  let clock = 0;

  return {
    async recall(repository, path, blob) {
      const versions = repositories.get(keyOf(repository))?.versions;
      const rank = (one: Remembered) => (one.blob === blob ? 2 : 0) + (one.path === path ? 1 : 0);
      const [found] = [...(versions?.values() ?? [])]
        .filter((one) => one.blob === blob || one.path === path)
        .sort((a, b) => rank(b) - rank(a) || b.learned - a.learned);
      if (!found) return undefined;
      versions?.get(versionKey(found));
      return { path: found.path, blob: found.blob, summary: found.summary };
    },
    async update(repository, version) {
      const key = keyOf(repository);
      const versions = repositories.get(key)?.versions ?? new LRUCache<string, Remembered>({ max: maxVersions });
      repositories.set(key, { id: repository, versions });
      clock += 1;
      versions.set(versionKey(version), { ...version, learned: clock });
    },
    async forget(scope) {
      const gone = [...repositories].filter(([, { id }]) => isWithin(id, scope));
      for (const [key] of gone) repositories.delete(key);
      return gone.reduce((sum, [, { versions }]) => sum + versions.size, 0);
    },
  };
}

const versionKey = ({ blob, path }: RememberedVersion) => `${blob} ${path}`;

const keyOf = (repository: RepositoryId) => `${repository.installationId}:${repositoryName(repository).toLowerCase()}`;

/** A scope that is empty against its type matches nothing. */
function isWithin(id: RepositoryId, scope: MemoryScope): boolean {
  const name = scope.owner === undefined ? undefined : repositoryName(scope).toLowerCase();
  if (name === undefined && scope.installationId === undefined) return false;
  const fits = scope.installationId === undefined || scope.installationId === id.installationId;
  return fits && (name === undefined || name === repositoryName(id).toLowerCase());
}

interface Run {
  calls: RecordedCall[];
  state?: RunState;
  writer?: symbol;
  record: Map<string, StoredPart>;
}

/**
 * A run store in this process's memory. `keep` notes a run's request, as the engine does in the database. Everything is
 * copied, so that nobody changes it afterwards.
 */
export function createRunStore(): { store: RunStore; keep(request: RunRequest): Promise<void> } {
  const runs = new Map<string, Run>();
  const requests = new Map<string, RunRequest>();
  const runOf = (id: string): Run => {
    const run = runs.get(id) ?? { calls: [], record: new Map() };
    runs.set(id, run);
    return run;
  };
  const finished = (id: string, key: string) =>
    runs.get(id)?.calls.find((call) => call.key === key && call.answer !== undefined);

  const store: RunStore = {
    recordedCall: async (id, key) => finished(id, key),
    async recordCall(id, call) {
      if (call.answer === undefined || !finished(id, call.key)) runOf(id).calls.push(structuredClone(call));
    },
    calls: async (id) => [...(runs.get(id)?.calls ?? [])],
    state: async (id) => runs.get(id)?.state,
    async openWriter(id, as) {
      const run = runOf(id);
      if (as !== "guest") run.writer = Symbol();
      const { writer, state: before } = run;
      const own = () => {
        if (run.writer !== writer) throw takenOver(id);
        return run;
      };
      return {
        before,
        async saveState(state) {
          own().state = structuredClone(state);
        },
        async saveRecord(part, value) {
          own().record.set(part, { part, value: structuredClone(value) });
        },
      };
    },
    async latestRun(repository, issue) {
      const name = repositoryName(repository).toLowerCase();
      const request = [...requests.values()].findLast(
        (one) => one.issue === issue && repositoryName(one.repository).toLowerCase() === name,
      );
      return request && { request, state: runs.get(request.root)?.state };
    },
    async spentOn(repository, numbers) {
      const on = [...runs].filter(([id]) => isNamedAfter(id, repository) && numbers.includes(readRunId(id).issue ?? 0));
      return on.flatMap(([, { calls }]) => calls).reduce((sum, { money }) => sum + money, 0);
    },
    isOf: async (id, repository) => isNamedAfter(id, repository),
    record: async (id) => joinParts([...(runs.get(id)?.record.values() ?? [])]),
  };
  return { store, keep: async (request) => void requests.set(request.id, structuredClone(request)) };
}
