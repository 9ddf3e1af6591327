import type { RunState } from "../../src/domain/run/run-state.ts";
import type { RunStore } from "../../src/ports/run-store.ts";
import { createMemoryStore } from "../metering/create-memory-store.ts";

/** A RunStore for one run that keeps its state and its record as well as its calls. */
export function createFakeStore() {
  let state: RunState | undefined;
  const parts: Record<string, unknown> = {};
  const store: RunStore = {
    ...createMemoryStore(),
    state: async () => state,
    async saveState(_run, next) {
      state = structuredClone(next);
    },
    async saveRecord(_run, part, value) {
      parts[part] = JSON.parse(JSON.stringify(value));
    },
    record: async () => parts,
  };
  return { store, parts };
}
