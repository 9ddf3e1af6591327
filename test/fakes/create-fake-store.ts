import { setImmediate as nextTurn } from "node:timers/promises";
import { RECORD_VERSION, type RecordParts } from "../../src/data/run-record.ts";
import { isNamedAfter, type RunRequest } from "../../src/data/run-request.ts";
import type { RunState } from "../../src/data/run-state.ts";
import type { RecordedCall } from "../../src/models/language-model.ts";
import { type RunStore, takenOver } from "../../src/run/runs.ts";

const copy = <T>(value: T): T => JSON.parse(JSON.stringify(value)) as T;

/** A RunStore in memory that keeps everything as JSON, a turn later than it is asked to, like a database. `parts` is the record of the run that last wrote. */
export function createFakeStore() {
  const requests: RunRequest[] = [];
  const calls = new Map<string, readonly RecordedCall[]>();
  const states = new Map<string, RunState>();
  const writers = new Map<string, symbol>();
  const records = new Map<string, Record<string, unknown>>();
  const parts: Partial<RecordParts> = {};
  const store: RunStore = {
    recordedCall: async (run, key) => calls.get(run)?.find((call) => call.key === key && call.answer !== undefined),
    async recordCall(run, call) {
      await nextTurn();
      const known = calls.get(run) ?? [];
      const isKnown =
        call.answer !== undefined && known.some(({ key, answer }) => key === call.key && answer !== undefined);
      if (!isKnown) calls.set(run, [...known, copy(call)]);
    },
    calls: async (run) => calls.get(run) ?? [],
    state: async (run) => states.get(run),
    async openWriter(run, as) {
      if (as !== "guest") writers.set(run, Symbol());
      const writer = writers.get(run);
      const write = async <T>(given: T): Promise<T> => {
        const kept = copy(given);
        await nextTurn();
        if (writers.get(run) !== writer) throw takenOver(run);
        return kept;
      };
      return {
        before: states.get(run),
        saveState: async (next) => void states.set(run, await write(next)),
        async saveRecord(part, value) {
          const kept = await write(value);
          records.set(run, { ...records.get(run), [part]: kept });
          Object.assign(parts, { [part]: kept });
        },
      };
    },
    async latestRun({ owner, name }, issue) {
      const same = ({ repository }: RunRequest) =>
        `${repository.owner}/${repository.name}`.toLowerCase() === `${owner}/${name}`.toLowerCase();
      const request = requests.findLast((one) => one.issue === issue && same(one));
      const state = request && states.get(request.root);
      return request && { request, state };
    },
    spentOn: async () => [...calls.values()].flat().reduce((sum, { money }) => sum + money, 0),
    isOf: async (run, repository) => isNamedAfter(run, repository),
    record: async (run) => (records.has(run) ? { version: RECORD_VERSION, ...records.get(run) } : {}),
  };
  /** Stores a run's request, as the engine does. */
  const keep = async (request: RunRequest) => {
    const at = requests.findIndex(({ id }) => id === request.id);
    if (at < 0) requests.push(copy(request));
    else requests[at] = copy(request);
  };
  return { store, parts, keep };
}
