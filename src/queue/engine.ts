import type { RunLimits } from "../data/limits.ts";
import type { AdmissionDecision, Delivery, InstallationScope, Receipt, RunRequest } from "../data/run-request.ts";
import type { RunResult } from "../data/run-state.ts";
import type { PullFindings, PullOutcome, WatchedPull } from "../run/runs.ts";
import type { RunHandlers } from "../workflow/perform-run.ts";

/** What the engine calls; it knows nothing of GitHub or agents. */
export interface EngineHandlers extends RunHandlers {
  accounts: Accounts;
  /** Whether a delivery may lead to anything, asked of the database alone; others are not kept. */
  concerns(delivery: Delivery): Promise<boolean>;
  /** Asks the guards about a delivery; undefined when there is nothing to do. */
  admit(delivery: Delivery): Promise<AdmissionDecision | undefined>;
  /** Finds what has happened on an open pull request of the bot. */
  pollPull(pull: WatchedPull): Promise<PullFindings>;
  /** Asks about a draft on which people have been quiet since then, and later closes it; true once it is closed. */
  closeStale(pull: WatchedPull, quietSince: string): Promise<boolean>;
}

/** What the ledger keeps of a run besides its costs. */
export interface RunFacts {
  /** the kind of its result; absent: it has given none */
  outcome: string | undefined;
  /** the pull request that it opened */
  opened?: number | undefined;
  /** the commit that it pushed last */
  head?: string | undefined;
  /** rounds of review that its change took; absent: it made none */
  rounds?: number | undefined;
  proof?: "proved" | "unproved" | undefined;
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
  gone: Promise<void>;
  /** false while the database takes no writes, or the queue was not polled lately */
  ready(): Promise<boolean>;
}

/** Kinds of work, as `magis.work` and DBOS know them. Not to be renamed while work is unfinished. */
export type WorkKind = "deliver" | "resolve" | "report" | "abandon";

/** Milliseconds. */
export interface EngineTimes {
  /** a machine counts as dead after six missed heartbeats */
  heartbeatMs: number;
  /** the longest that a delivery waits for the one before it on the same issue */
  patienceMs: number;
  /** a run that has not begun so long after it was queued says that it waits */
  waitMs: number;
  /** the shortest time between two reports of what a run waits for */
  turnMs: number;
}
