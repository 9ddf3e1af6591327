import { setImmediate as nextTurn } from "node:timers/promises";
import { RECORD_VERSION, type RecordParts } from "../../src/data/run-record.ts";
import { isNamedAfter, type RunRequest } from "../../src/data/run-request.ts";
import type { RunState } from "../../src/data/run-state.ts";
import type { RecordedCall } from "../../src/models/language-model.ts";
import type { RunStore } from "../../src/run/runs.ts";

const copy = <T>(value: T): T => JSON.parse(JSON.stringify(value)) as T;

/** A RunStore in memory that keeps everything as JSON, a turn later than it is asked to, like a database. `parts` is the record of the run that last wrote. */
export function createFakeStore() {
  const requests: RunRequest[] = [];
  const calls = new Map<string, readonly RecordedCall[]>();
  const states = new Map<string, RunState>();
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
    async saveState(run, next) {
      const kept = copy(next);
      await nextTurn();
      states.set(run, kept);
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
    async saveRecord(run, part, value) {
      const kept = copy(value);
      await nextTurn();
      records.set(run, { ...records.get(run), [part]: kept });
      Object.assign(parts, { [part]: kept });
    },
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
