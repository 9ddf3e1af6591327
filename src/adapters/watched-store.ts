import type { RunState } from "../model/run-state.ts";
import type { RecordedCall, RunStore } from "../ports/run-store.ts";

/** Is told what a run keeps, as soon as it is kept. */
export interface RunWatcher {
  state?(state: RunState): void;
  call?(call: RecordedCall): void;
}

/** `store`, with somebody watching the runs that are kept in it. */
export function watchedStore(store: RunStore, watcher: RunWatcher): RunStore {
  return {
    ...store,
    async recordCall(runId, call) {
      await store.recordCall(runId, call);
      watcher.call?.(call);
    },
    async saveState(runId, state) {
      await store.saveState(runId, state);
      watcher.state?.(state);
    },
  };
}
