import type { RepositoryId } from "../model/repository-id.ts";
import type { RunRequest } from "../model/run-request.ts";
import type { RunState } from "../model/run-state.ts";
import type { ModelAnswer, ModelRequest } from "./language-model.ts";

/** A call as it is kept: the answer, and what is needed to account for it. The request is kept as a hash only. */
export interface RecordedCall {
  /** SHA-256 of the request */
  readonly key: string;
  readonly promptId: string;
  readonly tier: ModelRequest["tier"];
  /** absent for a call that failed */
  readonly answer?: ModelAnswer;
  readonly tokens: number;
  readonly money: number;
  /** milliseconds */
  readonly elapsed: number;
  /** milliseconds since the epoch at which it began; absent where it was not kept */
  readonly began?: number;
  /** why it failed */
  readonly failure?: string;
}

/** A run as it is kept beside the engine. */
export interface KeptRun {
  readonly request: RunRequest;
  /** of its root, which runs that go on with each other share; absent as long as none of them has begun */
  readonly state?: RunState;
}

/** What a run keeps outside the engine's checkpoints: its paid calls, its state and its record. */
export interface RunStore {
  /** A finished call with this key, if it was paid for already. */
  recordedCall(runId: string, key: string): Promise<RecordedCall | undefined>;
  /** Waits for the database rather than lose an answer in hand. */
  recordCall(runId: string, call: RecordedCall): Promise<void>;
  calls(runId: string): Promise<readonly RecordedCall[]>;
  state(runId: string): Promise<RunState | undefined>;
  saveState(runId: string, state: RunState): Promise<void>;
  /** The run of an issue, or of a pull request that is revised or repaired, that was asked for last. */
  latestRun(repository: Pick<RepositoryId, "owner" | "name">, issue: number): Promise<KeptRun | undefined>;
  /** One named part of the run's record (`candidates`, `plan`, …), as JSON. */
  saveRecord(runId: string, part: string, value: unknown): Promise<void>;
  record(runId: string): Promise<Readonly<Record<string, unknown>>>;
}
