import { AsyncLocalStorage } from "node:async_hooks";
import { DBOS, DBOSWorkflowConflictError } from "@dbos-inc/dbos-sdk";
import type { Delivery, RunRequest } from "../model/run-request.ts";
import type { Log } from "../ports/log.ts";
import { attemptsOf } from "./attempts.ts";
import {
  type Claimant,
  type Claimed,
  claimedBy,
  claimPlaceless,
  claimRuns,
  createDeliveryClaims,
  type RunClaims,
  requeueOldVersions,
  takeOver,
  unclaim,
} from "./claims.ts";
import { deleteOldRuns } from "./ended-runs.ts";
import {
  DELIVERIES_AT_ONCE,
  type EngineDatabase,
  type EngineHandlers,
  type RunHandlers,
  type Upkeep,
} from "./engine.ts";
import { createSettler } from "./ledger.ts";
import { createDeathWatch, firstMachine, forgetDead, heartbeat, isNewest, livingMachines } from "./machines.ts";
import { createPullOutcomes } from "./pull-outcomes.ts";
import { createPullWatch } from "./pull-watch.ts";
import { dropRun, type Suspension } from "./suspension.ts";
import { createSweeper } from "./sweep.ts";
import { createTurnReports } from "./turns.ts";
import { addReport, cancelRows } from "./work-queue.ts";

/** The machine that this process is, and what it works on. */
export interface Machine {
  readonly database: EngineDatabase;
  readonly executor: string;
  readonly version: string;
  readonly suspension: Suspension;
  readonly log: Log;
}

/** Milliseconds. */
export interface EngineTimes {
  /** a machine counts as dead after six missed heartbeats */
  readonly heartbeatMs: number;
  /** the longest that a delivery waits for the one before it on the same issue */
  readonly patienceMs: number;
  /** the shortest time between two corrections of the number reported for a waiting run */
  readonly turnMs: number;
}

export interface MaintenanceOptions {
  readonly machine: Machine;
  readonly times: EngineTimes;
  /** runs at once on this machine; with 0 others do them */
  readonly concurrency: number;
  /** runs at once on all machines on this database; absent: as many as they take */
  readonly concurrencyOfAll?: number | undefined;
  readonly retentionDays: number;
  readonly handlers: Upkeep & Pick<RunHandlers, "waits"> & Pick<EngineHandlers, "accounts">;
  readonly receive: (delivery: Delivery) => Promise<unknown>;
  /** Begins an attempt at work that this machine has claimed. */
  readonly begin: (work: Claimed) => Promise<void>;
}

export interface Maintenance {
  /** Polls the queue now: deliveries or runs have come or gone. */
  releaseNow(): void;
  /** whether the queue is polled as often as it should be */
  keepsUp(): boolean;
  stop(): Promise<void>;
}

/** Milliseconds between polls. An embedded database has no other machine, whose work only a poll finds. */
const RELEASE_MS = { embedded: 2_000, postgres: 250 };

const DAY_MS = 24 * 3_600_000;

/** Missed heartbeats before a machine counts as dead. */
const MISSED_BEATS = 6;

/** How long claimed work may take to begin, in milliseconds. */
const BEGUN_WITHIN_MS = 30_000;

/** Restarts that work survives in the middle of its steps before it is given up. */
const MAX_TAKEOVERS = 20;

const WATCH_MS = 15_000;

/** The longest time without a poll of the queue while all is well. */
const OVERDUE_MS = 10_000;

/** Runs a task outside any workflow. */
const OUTSIDE = AsyncLocalStorage.snapshot();

const SWEEP_MS = 5_000;

const SETTLE_MS = 5_000;

const LONGEST_TURN_MS = 5_000;

/** Starts the engine's periodic tasks. */
export function startMaintenance(options: MaintenanceOptions): Maintenance {
  const { machine, times, handlers } = options;
  const { database, executor, suspension, log } = machine;
  const { pool } = database;
  const { heartbeatMs, turnMs } = times;
  const { waits, look, tend, sweep, accounts } = handlers;
  const every = (ms: number, what: string, task: () => Promise<void>) =>
    repeatEvery(ms, task, (error) => log.warn({ error }, `${what} failed; it is tried again`));

  const latest = createVersionCheck(machine);
  const release = every(RELEASE_MS[database.kind], "starting what is next", createRelease(options, latest));
  const findDead = createDeathWatch(pool, executor, heartbeatMs * MISSED_BEATS);
  const tasks: Repetition[] = [
    release,
    every(heartbeatMs, "the heartbeat", () => beat(machine)),
    every(
      heartbeatMs,
      "looking for work left behind",
      createCollector(machine, heartbeatMs, latest, () => release.now()),
    ),
    every(DAY_MS, "deleting old runs", () => deleteOldRuns(pool, options.retentionDays)),
    every(SETTLE_MS, "settling ended runs", createSettler(pool, { accounts, log })),
  ];
  if (waits) {
    const reportTurns = createTurnReports({ pool, executor, waits, pauseMs: turnMs, suspension, log });
    const turns = async () => reportTurns(await findDead());
    tasks.push(every(Math.min(turnMs, LONGEST_TURN_MS), "reporting whose turn it is", turns));
  }
  const isLeftToOthers = createLeftToOthers(machine, heartbeatMs);
  if (look) {
    const watch = createPullWatch({ pool, isLeftToOthers, look, tend, receive: options.receive, log });
    tasks.push(every(WATCH_MS, "looking at open pull requests", watch));
  }
  if (accounts) {
    const { pullOutcome: outcomeOf } = accounts;
    const outcomes = createPullOutcomes({ pool, isLeftToOthers, outcomeOf, log });
    tasks.push(every(WATCH_MS, "looking at ended pull requests", outcomes));
  }
  if (sweep) {
    tasks.push(every(SWEEP_MS, "looking after ended runs", createSweeper({ pool, isLeftToOthers, sweep, log })));
  }
  return {
    releaseNow: () => release.now(),
    keepsUp: () => release.idleFor() < OVERDUE_MS,
    async stop() {
      await Promise.all(tasks.map((task) => task.stop()));
    },
  };
}

/** Whether no living machine has a newer version, as last asked. */
interface VersionCheck {
  readonly isLatest: boolean;
  ask(dead: readonly string[]): Promise<void>;
}

function createVersionCheck({ database, version }: Machine): VersionCheck {
  let isLatest = false;
  return {
    get isLatest() {
      return isLatest;
    },
    async ask(dead) {
      isLatest = await isNewest(database.pool, version, dead);
    },
  };
}

/**
 * Makes the function that says whether a task is left to another machine: the living one with the first name does it.
 */
function createLeftToOthers({ database: { pool }, executor }: Machine, heartbeatMs: number): () => Promise<boolean> {
  const findDead = createDeathWatch(pool, executor, heartbeatMs * MISSED_BEATS);
  return async () => ((await firstMachine(pool, await findDead())) ?? executor) !== executor;
}

/** Makes the function that begins the work whose turn it is. */
function createRelease(options: MaintenanceOptions, latest: VersionCheck): () => Promise<void> {
  const { machine, times, concurrency, concurrencyOfAll, begin } = options;
  const { accounts } = options.handlers;
  const { database, executor, version, suspension, log } = machine;
  const onWait = createWaitLog(log);
  const { pool } = database;
  const claimDeliveries = createDeliveryClaims(pool, times.patienceMs);
  let deliveries: readonly string[] = [];
  const beginAll = async (works: readonly Claimed[]) => {
    for (const work of works) {
      await begin(work).catch((error: unknown) =>
        log.warn({ work: work.id, error }, "this work could not begin; it is put back into the queue"),
      );
    }
  };
  return async () => {
    if (suspension.stopping) return;
    const claimant: Claimant = { executor, version, isLatest: latest.isLatest };
    deliveries = deliveries.filter((id) => suspension.active.has(id));
    const claimed = await claimDeliveries(claimant, DELIVERIES_AT_ONCE - deliveries.length);
    deliveries = [...deliveries, ...claimed.map(({ id }) => id)];
    await beginAll(claimed);
    await beginAll(await claimPlaceless(pool, claimant, concurrency > 0));
    await beginAll(await claimRuns(pool, claimant, { concurrency, concurrencyOfAll, accounts, onWait }));
  };
}

/** Logs once of each run that it waits for room under a limit. */
function createWaitLog(log: Log): NonNullable<RunClaims["onWait"]> {
  const logged = new Set<string>();
  return (run, { by, until }) => {
    if (logged.has(run)) return;
    logged.add(run);
    log.info({ run, by, until }, "the run waits: what runs at work may still use leaves no room under a limit");
  };
}

/** Records that this machine lives, and drops work that is no longer ours: a machine that slept must stop spending. */
async function beat({ database, executor, version, suspension, log }: Machine): Promise<void> {
  await heartbeat(database.pool, executor, version);
  // Taken before the query, so that work which begins meanwhile does not count as lost.
  const here = [...suspension.active.values()];
  if (here.length === 0) return;
  const ours = await claimedBy(database.pool, executor);
  for (const run of here) {
    if (ours.has(run.id) || suspension.active.get(run.id) !== run) continue;
    dropRun(run, new DBOSWorkflowConflictError(run.id), log);
  }
}

/** Makes the function that requeues the work of machines that are gone, and our own that never began. */
function createCollector(
  machine: Machine,
  heartbeatMs: number,
  latest: VersionCheck,
  onChange: () => void,
): () => Promise<void> {
  const { database, executor, version, log } = machine;
  const { pool } = database;
  const findDead = createDeathWatch(pool, executor, heartbeatMs * MISSED_BEATS);
  const findIdle = createIdleWatch(machine);
  return async () => {
    const dead = await findDead();
    await latest.ask(dead);
    for (const { id, kind, takeovers } of await takeOver(pool, await livingMachines(pool, dead))) {
      log.warn({ run: id }, "taken over from a machine that does not answer any more");
      if (takeovers > MAX_TAKEOVERS) await giveUp(machine, id, kind === "resolve");
    }
    await forgetDead(pool, dead);
    if (latest.isLatest) await requeueOldVersions(pool, version);
    const idle = await findIdle();
    if (idle.length > 0) await unclaim(pool, executor, idle);
    onChange();
  };
}

/**
 * Makes the function that finds work which this machine claimed and has not done for a while: a fault kept it from it.
 */
function createIdleWatch({ database, executor, suspension }: Machine): () => Promise<readonly string[]> {
  let since = new Map<string, number>();
  return async () => {
    const claimed = await claimedBy(database.pool, executor);
    const now = performance.now();
    const idle = [...claimed].filter((id) => !suspension.active.has(id));
    since = new Map(idle.map((id) => [id, since.get(id) ?? now]));
    return idle.filter((id) => now - (since.get(id) ?? now) > BEGUN_WITHIN_MS);
  };
}

const GIVEN_UP = "MAGIS was stopped in the middle of this run too often and gave it up.";

/** Ends work whose machines die in the middle of it. A run is reported, once. */
async function giveUp({ database, log }: Machine, id: string, isRun: boolean): Promise<void> {
  const { pool } = database;
  if (isRun) {
    const { rows } = await pool.query<{ input: RunRequest }>("SELECT input FROM magis.work WHERE id = $1", [id]);
    for (const { input } of rows) await addReport(pool, { request: input, abandoned: GIVEN_UP });
  }
  await DBOS.cancelWorkflows((await cancelRows(pool, [id])).flatMap(attemptsOf));
  log.error({ work: id }, "given up: its process died too often in the middle of it");
}

/** A task that is repeated. */
export interface Repetition {
  /** Does the task now, or again when it is running. */
  now(): void;
  /** milliseconds since it last succeeded */
  idleFor(): number;
  /** Ends the repetition; resolves when the task is not running any more. */
  stop(): Promise<void>;
}

/**
 * Does `task` now and then `ms` milliseconds after each end, never twice at a time. A failure goes to `onError` and the
 * repetition goes on. It does not keep the process alive.
 */
function repeatEvery(ms: number, task: () => Promise<void>, onError: (error: unknown) => void): Repetition {
  let timer: NodeJS.Timeout | undefined;
  let stopped = false;
  let again = false;
  let running: Promise<void> | undefined;
  let done = performance.now();

  const run = () => {
    clearTimeout(timer);
    if (stopped) return;
    again = false;
    // A workflow may ask for the task, and DBOS would take what it begins for steps of that workflow.
    running = OUTSIDE(task)
      .then(() => {
        done = performance.now();
      })
      .catch((error: unknown) => {
        if (!stopped) onError(error);
      })
      .finally(() => {
        running = undefined;
        if (stopped) return;
        timer = setTimeout(run, again ? 0 : ms);
        timer.unref();
      });
  };
  run();
  return {
    now() {
      if (running === undefined) run();
      else again = true;
    },
    idleFor: () => performance.now() - done,
    async stop() {
      stopped = true;
      clearTimeout(timer);
      await running;
    },
  };
}
