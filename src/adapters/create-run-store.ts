import { repositoryName } from "../model/repository-id.ts";
import type { RunRequest } from "../model/run-request.ts";
import type { RunState } from "../model/run-state.ts";
import type { RecordedCall, RunStore } from "../ports/run-store.ts";

interface Run {
  calls: RecordedCall[];
  state?: RunState;
  readonly record: Map<string, unknown>;
}

/**
 * A run store in memory; it ends with the process. `keep` notes what a run was asked for, as the engine does in the
 * database. What is kept is copied: nobody changes it afterwards.
 */
export function createRunStore(): { readonly store: RunStore; keep(request: RunRequest): Promise<void> } {
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
    async saveState(id, state) {
      runOf(id).state = structuredClone(state);
    },
    async latestRun(repository, issue) {
      const name = repositoryName(repository).toLowerCase();
      const request = [...requests.values()].findLast(
        (one) => one.issue === issue && repositoryName(one.repository).toLowerCase() === name,
      );
      const state = request && runs.get(request.root)?.state;
      return request && { request, ...(state && { state }) };
    },
    async saveRecord(id, part, value) {
      runOf(id).record.set(part, structuredClone(value ?? null));
    },
    record: async (id) => Object.fromEntries(runs.get(id)?.record ?? []),
  };
  return { store, keep: async (request) => void requests.set(request.id, structuredClone(request)) };
}
