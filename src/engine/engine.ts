import type { Pool } from "pg";
import type { AdmissionDecision, Delivery, RunRequest } from "../model/run-request.ts";
import type { RunResult, StopReason, UnreportedEnd } from "../model/run-state.ts";
import type { PullLook, Step, WatchedPull } from "../ports/runs.ts";

/** What the engine calls; it knows nothing of GitHub or agents. */
export interface EngineHandlers {
  /** Guards of a delivery; gives what comes of it, or nothing. */
  admit(delivery: Delivery): Promise<AdmissionDecision | undefined>;
  /**
   * One whole run. Must not throw: unexpected ends are results of kind `failed`. An end that cannot be told now goes to
   * `reportLater`, which keeps it: it is then told by `tell`, while other runs go on.
   */
  resolve(
    request: RunRequest,
    step: Step,
    reportLater: (end: UnreportedEnd) => Promise<void>,
    wait: (ms: number) => Promise<void>,
  ): Promise<RunResult>;
  /**
   * Says that a run waits for its turn, with so many runs of its repository before it. `isNew`: it has just come and does
   * not begin meanwhile; else it may begin at any time, and what was said is corrected, or left as it is.
   */
  waits?(request: RunRequest, ahead: number, isNew: boolean): Promise<void>;
  /** Looks at an open pull request of the bot's; absent: nobody does, and only webhooks tell of it. */
  look?(pull: WatchedPull): Promise<PullLook>;
  /** What is to be done next when a run has ended so, as a run of its own. Pure. */
  next?(request: RunRequest, result: RunResult): RunRequest | undefined;
  /** A run that was ended because `by` asked for it, or closed what it is about; its work has come to rest. */
  cancelled(request: RunRequest, by: string, because?: StopReason): Promise<void>;
  /** Tells an end that is owed; tried again for as long as the host is away or has shut us out. */
  report(request: RunRequest, end: UnreportedEnd): Promise<void>;
  /** Takes back what has come of a run since its end was told: a write that was under way then. Absent: nobody looks. */
  sweep?(request: RunRequest): Promise<void>;
  /** A run that the engine itself had to give up (its process died too often). */
  abandoned(request: RunRequest, reason: string): Promise<void>;
}

/** Durable runs: each delivery dealt with once, one unfinished run an issue, one run a repository at a time. */
export interface Engine {
  /** Keeps the delivery and returns; `known` for a redelivery. Throws DATABASE_UNAVAILABLE after 8 s. */
  receive(delivery: Delivery): Promise<"recorded" | "known">;
  /** Suspends running work and lets go of the database, within `graceMs`. */
  stop(graceMs: number): Promise<void>;
  /** Resolves when a stop has left nothing in this process, for which it may not have waited: another engine may start then. */
  readonly gone: Promise<void>;
  /** false while the database does not answer, or nobody looks into the queues */
  ready(): Promise<boolean>;
}

/** What the engine needs of a database. It is opened before the engine and closed after it, by whoever starts both. */
export interface EngineDatabase {
  /** `embedded`: in this process, which has it alone. `postgres`: several machines may share it. */
  readonly kind: "embedded" | "postgres";
  readonly pool: Pool;
  /** Runs `body` while no other machine makes or changes tables. */
  migrate<T>(body: () => Promise<T>): Promise<T>;
  /** Whether there is room on its disk for what work writes; what cannot be told counts as room. */
  hasRoom(): Promise<boolean>;
}

/** How the engine's workflows and queues are called in the database; not to be changed while runs are unfinished. */
export const WORKFLOWS = { deliver: "deliver", resolve: "resolve", abandon: "abandon", tell: "tell" } as const;

/** What DBOS says of a workflow that works or waits. */
export const UNFINISHED = ["PENDING", "ENQUEUED", "DELAYED"] as const;

/** Deliveries admitted at once by one process; each is a few requests to the host. */
export const DELIVERIES_AT_ONCE = 8;

/** `ends`: of runs, which wait to be told; it has no limit, so that none waits for another. */
export const QUEUES = { deliveries: "deliveries", runs: "runs", ends: "ends" } as const;
