import { setImmediate as nextTurn } from "node:timers/promises";
import type { RecordedCall } from "../../../src/models/language-model.ts";
import type { RunStore } from "../../../src/run/runs.ts";

/** A RunStore for tests that keeps only calls, as JSON and a turn later, like a database. */
export function createMemoryStore(): RunStore {
  const kept = new Map<string, string>();
  const nothing = async (): Promise<undefined> => undefined;
  return {
    recordedCall: async (runId, key) => {
      const found = kept.get(`${runId} ${key}`);
      return found === undefined ? undefined : (JSON.parse(found) as RecordedCall);
    },
    recordCall: async (runId, call) => {
      await nextTurn();
      if (kept.has(`${runId} ${call.key}`)) throw new Error("recorded twice");
      kept.set(`${runId} ${call.key}`, JSON.stringify(call));
    },
    calls: async (runId) =>
      [...kept].filter(([id]) => id.startsWith(`${runId} `)).map(([, call]) => JSON.parse(call) as RecordedCall),
    state: nothing,
    openWriter: async () => ({ before: undefined, saveState: nothing, saveRecord: nothing }),
    latestRun: nothing,
    spentOn: async () => 0,
    isOf: async () => true,
    record: async () => ({}),
  };
}
