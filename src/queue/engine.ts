import type { Pool } from "pg";
import type { LimitReached, RunLimits } from "../data/limits.ts";
import type { AdmissionDecision, Delivery, InstallationScope, Receipt, RunRequest } from "../data/run-request.ts";
import type { Queued, RunResult, StopReason, UnreportedEnd } from "../data/run-state.ts";
import type { PullFindings, PullOutcome, Step, WatchedPull } from "../run/runs.ts";

/** What the engine calls; it knows nothing of GitHub or agents. */
export interface EngineHandlers extends RunHandlers, EndReports, Upkeep {
  readonly accounts: Accounts;
  /** Whether a delivery may lead to anything, asked of the database alone; others are not kept. */
  concerns(delivery: Delivery): Promise<boolean>;
  /** Asks the guards about a delivery; undefined when there is nothing to do. */
  admit(delivery: Delivery): Promise<AdmissionDecision | undefined>;
}

/** Runs, from the queue to their result. */
export interface RunHandlers {
  /**
   * One whole run. Must not throw: unexpected ends are results of kind `failed`. An end that cannot be reported now
   * goes to `reportLater`, which keeps it; `report` then gets it while other runs go on. `wait` gives up the run's
   * place in the queue for that many milliseconds, or until a webhook wakes the run.
   */
  resolve(
    request: RunRequest,
    step: Step,
    reportLater: (end: UnreportedEnd) => Promise<void>,
    wait: (ms: number) => Promise<void>,
  ): Promise<RunResult>;
  /** Reports that a limit keeps a run from beginning, as its end. Must not throw. */
  refuse(
    request: RunRequest,
    limit: LimitReached,
    step: Step,
    reportLater: (end: UnreportedEnd) => Promise<void>,
  ): Promise<RunResult>;
  /** The run that follows one that ended with this result, if any. Pure. */
  next(request: RunRequest, result: RunResult): RunRequest | undefined;
  /** Reports what a queued run waits for, or that this has changed. The run does not begin before this returns. */
  waits(request: RunRequest, place: Queued): Promise<void>;
}

/** Ends of runs that the run itself cannot report. */
export interface EndReports {
  /** A run was cancelled because `by` asked for it or closed its issue or pull request. Its work has stopped. */
  cancelled(request: RunRequest, by: string, because?: StopReason): Promise<void>;
  /** Reports an end late; tried again while the host is away or has shut us out. */
  report(request: RunRequest, end: UnreportedEnd): Promise<void>;
  /** The engine gave the run up: its process died too often. */
  abandoned(request: RunRequest, reason: string): Promise<void>;
}

/** What the ledger keeps of a run besides its costs. */
export interface RunFacts {
  /** the kind of its result; absent: it has given none */
  readonly outcome: string | undefined;
  /** the pull request that it opened */
  readonly opened?: number | undefined;
  /** the commit that it pushed last */
  readonly head?: string | undefined;
  /** rounds of review that its change took; absent: it made none */
  readonly rounds?: number | undefined;
  readonly proof?: "proved" | "unproved" | undefined;
}

export type PullEnd = "merged" | "closed" | "reverted";

/** What the engine has to ask to keep accounts; it knows nothing of prompts and records. */
export interface Accounts {
  /** US dollars that the run and those it continues may spend in all */
  budgetOf(request: RunRequest): number;
  /** the limits beyond one run that hold for it */
  limitsOf(request: RunRequest): RunLimits;
  /** the role of the agents that a prompt belongs to */
  roleOf(promptId: string): string;
  /** `result` is absent for a run that gave none, because it was cancelled or given up. */
  factsOf(request: RunRequest, result: RunResult | undefined): Promise<RunFacts>;
  /** A pull request of the bot has ended; called once for each end. */
  pullEnded(state: PullEnd): void;
  /** What became of a pull request that was merged or closed; `head`: the commit that we pushed last, if it is known. */
  pullOutcome(pull: WatchedPull, head: string | undefined): Promise<PullOutcome>;
  /** Empties the entries whose time to be forgotten has come. */
  emptyForgotten(): Promise<void>;
}

/** What one machine does besides the runs. */
export interface Upkeep {
  /** Finds what has happened on an open pull request of the bot. */
  pollPull(pull: WatchedPull): Promise<PullFindings>;
  /** Asks about a draft on which people have been quiet since then, and later closes it; true once it is closed. */
  closeStale(pull: WatchedPull, quietSince: string): Promise<boolean>;
  /** Takes back writes of a run that took effect after its end was reported. */
  sweep(request: RunRequest): Promise<void>;
}

/** Durable runs: each delivery is handled once, an issue has one unfinished run, a repository one running run. */
export interface Engine {
  /** Stores a delivery that concerns the bot, and returns. Throws DATABASE_UNAVAILABLE after 8 s. */
  receive(delivery: Delivery): Promise<Receipt>;
  /**
   * Ends all work on what the app can no longer see. Throws what the database throws; giving it again changes nothing.
   */
  withdraw(scope: InstallationScope): Promise<void>;
  /** Suspends running work and lets go of the database, within `graceMs`. */
  stop(graceMs: number): Promise<void>;
  /** Resolves when nothing of a stopped engine is left in this process, maybe after `stop`: another may start then. */
  readonly gone: Promise<void>;
  /** false while the database takes no writes, or the queue was not polled lately */
  ready(): Promise<boolean>;
}

/** What the engine needs of a database. Whoever starts both opens it before the engine and closes it after. */
export interface EngineDatabase {
  /** `embedded`: in this process, which has it to itself. `postgres`: several machines may share it. */
  readonly kind: "embedded" | "postgres";
  readonly pool: Pool;
  /** Runs `body` while no other machine makes or changes tables. */
  migrate<T>(body: () => Promise<T>): Promise<T>;
  /** Whether its disk has room for what work writes; true when nobody can tell. */
  hasRoom(): Promise<boolean>;
}

/** Kinds of work, as `magis.work` and DBOS know them. Not to be renamed while work is unfinished. */
export type WorkKind = "deliver" | "resolve" | "report" | "abandon";

/** Milliseconds. */
export interface EngineTimes {
  /** a machine counts as dead after six missed heartbeats */
  readonly heartbeatMs: number;
  /** the longest that a delivery waits for the one before it on the same issue */
  readonly patienceMs: number;
  /** a run that has not begun so long after it was queued says that it waits */
  readonly waitMs: number;
  /** the shortest time between two reports of what a run waits for */
  readonly turnMs: number;
}
