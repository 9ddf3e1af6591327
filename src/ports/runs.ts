import type { RecordParts, StoredRecord } from "../model/run-record.ts";
import type { Delivery, RepositoryId, RunRequest, RunWork } from "../model/run-request.ts";
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
  saveRecord<Part extends keyof RecordParts>(runId: string, part: Part, value: RecordParts[Part]): Promise<void>;
  /** To be read by `readRecord`. */
  record(runId: string): Promise<StoredRecord>;
}

/** All that is known of one run, as plain data: what `magis show` shows and `magis resolve --json` prints. */
export interface RunReport {
  /** the run's id */
  readonly id: string;
  /** `owner/name`, or where a repository without a host came from */
  readonly repository: string;
  /** of the issue; absent where there is none */
  readonly number?: number;
  readonly title: string;
  /** ISO 8601 */
  readonly requestedAt: string;
  /** what was asked for; absent where it was not kept */
  readonly work?: RunWork["kind"];
  /** phases, tasks, spending, result; absent as long as the run has not begun */
  readonly state?: RunState;
  /** the parts that the phases kept, to be read by `readRecord` */
  readonly record: StoredRecord;
  /** in the order in which they were finished, failed ones too */
  readonly calls: readonly RecordedCall[];
}

/** A run in one line. */
export interface RunSummary {
  readonly id: string;
  /** `owner/name` */
  readonly repository: string;
  readonly number?: number;
  readonly title: string;
  /** ISO 8601 */
  readonly requestedAt: string;
  /** `kind` of its result; absent as long as it has none */
  readonly end?: string;
  /** the pull request that it opened */
  readonly pullRequest?: number;
  /** US dollars */
  readonly money: number;
}

/** The runs that are kept, for people who want to know how they came about. It changes nothing. */
export interface RunArchive {
  /** Undefined when no run with that id is kept. A run that goes on with another has that one's calls and record. */
  report(runId: string): Promise<RunReport | undefined>;
  /** Of the run of an issue or pull request that was asked for last; names are the same in upper and lower case. */
  latestReport(repository: Pick<RepositoryId, "owner" | "name">, number: number): Promise<RunReport | undefined>;
  /** The runs that were asked for last, the latest first, `most` at most. */
  latest(most: number): Promise<readonly RunSummary[]>;
}

/** What a phase is given: `signal` aborts when the run is cancelled or the process is asked to stop. */
export interface StepContext {
  readonly signal: AbortSignal;
}

/**
 * Runs a checkpointed step. Its output is kept: after a crash a finished step is not run again, an unfinished one is
 * run from its beginning. Names come in the same order on every replay; outputs are plain data under 1 MB.
 */
export type Step = <T>(name: string, body: (context: StepContext) => Promise<T>) => Promise<T>;

/** A pull request of the bot's. */
export interface WatchedPull {
  readonly repository: RepositoryId;
  readonly number: number;
  /** ISO 8601: what was said before then is dealt with; absent: nobody has looked yet */
  readonly heard?: string | undefined;
}

/**
 * What a look at one came to; `deliveries`: what GitHub should have told of it by now, in the order in which it happened;
 * `heard`: when the latest of what people said there was said.
 */
export type PullLook =
  | { readonly open: false; readonly deliveries: readonly Delivery[] }
  | {
      readonly open: true;
      readonly head: string;
      readonly deliveries: readonly Delivery[];
      readonly heard?: string | undefined;
    };
