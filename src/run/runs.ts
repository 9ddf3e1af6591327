import { MagisError } from "../data/error.ts";
import type { KeepPart, StoredRecord } from "../data/run-record.ts";
import type { Delivery, RepositoryId, RunRequest, RunWork } from "../data/run-request.ts";
import type { RunState } from "../data/run-state.ts";
import type { RunStatus } from "../data/run-status.ts";
import type { PaidCalls, RecordedCall } from "../models/language-model.ts";

/** A run as kept outside the engine. */
export interface KeptRun {
  request: RunRequest;
  /** the state of its root, shared by the runs that continue it; absent until one of them has begun */
  state?: RunState;
}

/** Stores a run's paid calls, state and record, outside the engine's checkpoints. */
export interface RunStore extends PaidCalls {
  state(runId: string): Promise<RunState | undefined>;
  /** Takes a run over for writing. A `guest` corrects what is kept and leaves the run to whoever works on it. */
  openWriter(runId: string, as?: "guest"): Promise<RunWriter>;
  /** The latest requested run of an issue, or of a pull request to revise or repair. */
  latestRun(repository: Pick<RepositoryId, "owner" | "name">, issue: number): Promise<KeptRun | undefined>;
  /** US dollars that all runs on these issues and pull requests have cost until now, as far as they are kept. */
  spentOn(repository: Pick<RepositoryId, "owner" | "name">, numbers: readonly number[]): Promise<number>;
  /** Whether a run belongs to the repository, by the name that it has now. */
  isOf(runId: string, repository: Pick<RepositoryId, "owner" | "name">): Promise<boolean>;
  /** To be read by `readRecord`. */
  record(runId: string): Promise<StoredRecord>;
}

/**
 * The only way to write a run's state and record. Once another process has taken the run over, it throws RUN_CANCELLED
 * and keeps nothing: whoever slept, or waited for GitHub, overwrites nothing newer.
 */
export interface RunWriter {
  /** the state when it was opened */
  before: RunState | undefined;
  saveState(state: RunState): Promise<void>;
  saveRecord: KeepPart;
}

export const takenOver = (run: string) =>
  new MagisError("RUN_CANCELLED", "Another process has taken the run over.", { run });

/** Everything about one run as plain data: `magis show` displays it, `magis resolve --json` prints it. */
export interface RunReport {
  id: string;
  /** `owner/name`, or the origin of a repository without a host */
  repository: string;
  /** the issue's number, if there is one */
  number?: number;
  title: string;
  /** ISO 8601 */
  requestedAt: string;
  /** absent when not kept */
  work?: RunWork["kind"];
  /** what it does or waits for now, by the bot's queue; absent where there is no queue */
  standing?: RunStatus;
  /** phases, tasks, spending, result; absent until the run has begun */
  state?: RunState;
  /** to be read by `readRecord` */
  record: StoredRecord;
  /** in the order in which they finished, including failed ones */
  calls: readonly RecordedCall[];
}

/** A run in one line. */
export interface RunSummary {
  id: string;
  /** `owner/name` */
  repository: string;
  number?: number;
  title: string;
  /** ISO 8601 */
  requestedAt: string;
  /** `kind` of its result; absent until it has one */
  end?: string;
  /** what it does or waits for now; absent when it has not begun and nobody knows whether it waits */
  standing?: RunStatus;
  /** the pull request that it opened or added to */
  pullRequest?: number;
  pullUrl?: string;
  /** US dollars */
  money: number;
}

/** Read-only access to the stored runs, for people who want to understand them. */
export interface RunArchive {
  /** Undefined when no run with that id is stored. A run that continues another has that one's calls and record. */
  report(runId: string): Promise<RunReport | undefined>;
  /** The report of the latest requested run of an issue or pull request; the repository's name is case-insensitive. */
  latestReport(repository: Pick<RepositoryId, "owner" | "name">, number: number): Promise<RunReport | undefined>;
  /** The `most` latest requested runs, newest first. */
  latest(most: number): Promise<readonly RunSummary[]>;
}

/** Passed to each step: `signal` aborts when the run is cancelled or the process is stopping. */
export interface StepContext {
  signal: AbortSignal;
}

/**
 * Runs a checkpointed step. Its output is kept: after a crash a finished step does not run again, an unfinished one
 * runs from its beginning. Names must come in the same order on every replay; outputs are plain data under 1 MB.
 */
export type Step = <T>(name: string, body: (context: StepContext) => Promise<T>) => Promise<T>;

/** One of the bot's pull requests. */
export interface WatchedPull {
  repository: RepositoryId;
  number: number;
  /** ISO 8601: everything said before is handled; absent: we have not looked yet */
  heard?: string | undefined;
}

/**
 * What a poll of a pull request found. `deliveries`: the events that GitHub should have reported by now, in order;
 * `heard`: the time of people's latest comment there.
 */
export type PullFindings =
  | { open: false; deliveries: readonly Delivery[] }
  | {
      open: true;
      head: string;
      deliveries: readonly Delivery[];
      heard?: string | undefined;
      /** ISO 8601: when a person last said something on a draft that may be closed, or when it was opened */
      quietSince?: string | undefined;
    };

/** What became of one of the bot's pull requests. */
export interface PullOutcome {
  state: "open" | "merged" | "closed";
  /** ISO 8601: when it was merged or closed */
  at?: string | undefined;
  /** comments of people in its review threads */
  comments: number;
  /** lines that people added and removed after our last commit, or why nobody can tell, in a clause */
  linesAfter: number | { unknown: string };
}
