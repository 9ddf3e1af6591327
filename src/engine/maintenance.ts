import { DBOS, DBOSWorkflowConflictError } from "@dbos-inc/dbos-sdk";
import type { Delivery, RunRequest } from "../model/run-request.ts";
import type { Log } from "../ports/log.ts";
import { deleteOldRuns, reportAbandoned } from "./ended-runs.ts";
import { DELIVERIES_AT_ONCE, type EngineDatabase, type EngineHandlers, QUEUES } from "./engine.ts";
import { createDoor } from "./lanes.ts";
import { createPullWatch } from "./pull-watch.ts";
import { createJumpWatch } from "./queue-clock.ts";
import { adoptOldVersions, createDeathWatch, heartbeat, ownedWork, releaseNextRuns, takeOver } from "./sql.ts";
import type { Suspension } from "./suspension.ts";
import { createSweeper } from "./sweep.ts";
import { createTurnTeller } from "./turns.ts";

export interface MaintenanceOptions {
  readonly database: EngineDatabase;
  readonly executor: string;
  readonly version: string;
  readonly concurrency: number;
  readonly heartbeatMs: number;
  readonly retentionDays: number;
  /** milliseconds that a delivery waits for the one before it */
  readonly patienceMs: number;
  /** the installations whose runs are not to begin now */
  readonly held: () => readonly number[];
  /** milliseconds between two corrections of what is told of one run that waits */
  readonly turnMs: number;
  readonly handlers: Pick<EngineHandlers, "waits" | "look" | "sweep">;
  readonly receive: (delivery: Delivery) => Promise<unknown>;
  readonly suspension: Suspension;
  /** has a queue looked into at once, or all of them */
  readonly lookInto: (queue?: string) => void;
  readonly abandon: (request: RunRequest, reason: string) => Promise<void>;
  readonly log: Log;
}

export interface Maintenance {
  /** Deliveries or runs have come or gone. */
  releaseNow(): void;
  stop(): Promise<void>;
}

/** On a database of our own all that changes is heard of; another machine's work is only seen when it is looked for. */
const RELEASE_MS = { embedded: 2_000, postgres: 250 };

/** An end is told before DBOS has written it: milliseconds until it has, and until it surely has. */
const WRITTEN_MS = [30, 500];

const DAY_MS = 24 * 3_600_000;

/** Heartbeats that may be missed before a machine counts as dead. */
const MISSED_BEATS = 6;

const CLOCK_MS = 1_000;

const WATCH_MS = 15_000;

const SWEEP_MS = 5_000;

const LONGEST_TURN_MS = 5_000;

/** Starts what the engine does beside the runs, again and again. */
export function startMaintenance(options: MaintenanceOptions): Maintenance {
  const { database, concurrency, heartbeatMs, suspension, lookInto, log, handlers } = options;
  const { waits, look, sweep } = handlers;
  const { pool } = database;
  const reported = new Set<string>();
  const every = (ms: number, what: string, task: () => Promise<void>, afterNow: readonly number[] = []) =>
    repeatEvery({ ms, afterNow }, task, (error) => log.warn({ error }, `${what} failed; it is tried again`));

  const heldNow = createHeld(options);
  const letDeliveriesIn = createDoor(pool, options.patienceMs);
  const releaseNext = async () => {
    const letIn = await letDeliveriesIn();
    // As many as work at once: another may have its place now.
    if (letIn > 0 || suspension.active.size >= DELIVERIES_AT_ONCE - 1) lookInto(QUEUES.deliveries);
    if ((await releaseNextRuns(pool, concurrency, heldNow())) > 0) lookInto(QUEUES.runs);
  };
  const release = every(RELEASE_MS[database.kind], "starting what is next", releaseNext, WRITTEN_MS);
  const findDead = createDeathWatch(pool, options.executor, heartbeatMs * MISSED_BEATS);
  const jumped = createJumpWatch();
  const tellTurns = createTurnTeller({ ...options, pool, waits, pauseMs: options.turnMs });
  const tasks: Repetition[] = [
    release,
    every(heartbeatMs, "the heartbeat", () => beat(options)),
    every(Math.min(options.turnMs, LONGEST_TURN_MS), "telling whose turn it is", async () =>
      tellTurns(await findDead(), options.held()),
    ),
    every(heartbeatMs, "looking for work left behind", async () => collectLeftWork(options, await findDead())),
    every(heartbeatMs * 2, "looking for runs given up", () => reportAbandoned(options.abandon, reported, log)),
    every(CLOCK_MS, "looking at the clock", async () => {
      const jump = jumped();
      if (jump !== 0) log.warn({ milliseconds: jump }, "the clock was set; work goes on by a clock of its own");
    }),
    ...(look ? [every(WATCH_MS, "looking at open pull requests", createWatch(options, look))] : []),
    ...(sweep ? [every(SWEEP_MS, "looking after ended runs", createSweep(options, sweep))] : []),
    every(DAY_MS, "deleting old runs", () => deleteOldRuns(pool, options.retentionDays)),
  ];
  return {
    releaseNow: () => release.now(),
    async stop() {
      await Promise.all(tasks.map((task) => task.stop()));
    },
  };
}

/** The watch over pull requests, which one machine keeps for all. */
function createWatch(options: MaintenanceOptions, look: NonNullable<EngineHandlers["look"]>): () => Promise<void> {
  const { database, receive, log } = options;
  return createPullWatch({ pool: database.pool, isLeftToOthers: createLeftToOthers(options), look, receive, log });
}

/** The looks after ended runs, which one machine does for all. */
function createSweep(options: MaintenanceOptions, sweep: NonNullable<EngineHandlers["sweep"]>): () => Promise<void> {
  const { database, log } = options;
  return createSweeper({ pool: database.pool, isLeftToOthers: createLeftToOthers(options), sweep, log });
}

/** Makes what says whether something is left to another machine: the living one with the first name does it. */
function createLeftToOthers({ database: { pool }, executor, heartbeatMs }: MaintenanceOptions): () => Promise<boolean> {
  const findDead = createDeathWatch(pool, executor, heartbeatMs * MISSED_BEATS);
  return async () => {
    const { rows } = await pool.query<{ first: string | null }>(
      "SELECT min(id) AS first FROM magis.executor WHERE id <> ALL($1)",
      [await findDead()],
    );
    return (rows[0]?.first ?? executor) !== executor;
  };
}

/** Says in the log which installations' runs begin to wait, and which go on. */
function createHeld({ held, log }: Pick<MaintenanceOptions, "held" | "log">): () => readonly number[] {
  let before: readonly number[] = [];
  return () => {
    const now = held();
    const begun = now.filter((id) => !before.includes(id));
    const over = before.filter((id) => !now.includes(id));
    if (begun.length > 0)
      log.warn({ installations: begun }, "runs wait in the queue: GitHub's limit of writes is near");
    if (over.length > 0) log.info({ installations: over }, "there is room for writes again; runs go on");
    before = now;
    return now;
  };
}

/** Says that we live, and drops the work that is ours no more: a machine that slept must not go on spending. */
async function beat({ database, executor, suspension, log }: MaintenanceOptions): Promise<void> {
  await heartbeat(database.pool, executor);
  // Noted before the question, so that work begun in between is not taken for lost.
  const here = [...suspension.active.values()];
  if (here.length === 0) return;
  const owned = await ownedWork(database.pool, executor);
  for (const run of here) {
    if (owned.has(run.id) || suspension.active.get(run.id) !== run) continue;
    log.warn({ run: run.id }, "the run was cancelled or taken over; it is dropped here");
    run.lose(new DBOSWorkflowConflictError(run.id));
  }
}

async function collectLeftWork(
  { database, executor, version, lookInto, log }: MaintenanceOptions,
  dead: readonly string[],
): Promise<void> {
  for (const { id, executor: from } of await takeOver(database.pool, version, dead, executor)) {
    lookInto();
    log.warn({ run: id, from }, "taken over from a machine that is not heard of any more");
  }
  // A machine left behind by a rolling update must not pull work back to its own version.
  if ((await DBOS.getLatestApplicationVersion()).versionName !== version) return;
  for (const id of await adoptOldVersions(database.pool, version, dead, executor)) {
    lookInto();
    log.warn({ run: id, version }, "begun by an earlier version; it is started again on this one");
  }
}

/** A task that is done again and again. */
export interface Repetition {
  /** Does the task soon, without waiting for its time. */
  now(): void;
  /** Ends the repetition; resolves when a task under way has ended. */
  stop(): Promise<void>;
}

interface Times {
  /** milliseconds after each end of the task */
  readonly ms: number;
  /** after it was done at once: milliseconds to the next times, before it is every `ms` again */
  readonly afterNow: readonly number[];
}

/**
 * Does `task` at once and then again and again, never twice at a time. A failure goes to `onError` and the repetition goes on.
 * Does not keep the process alive.
 */
function repeatEvery(
  { ms, afterNow }: Times,
  task: () => Promise<void>,
  onError: (error: unknown) => void,
): Repetition {
  let timer: NodeJS.Timeout | undefined;
  let stopped = false;
  let again = false;
  let soon: readonly number[] = [];
  let running: Promise<void> | undefined;

  const run = () => {
    clearTimeout(timer);
    if (stopped) return;
    again = false;
    running = task()
      .catch((error: unknown) => {
        if (!stopped) onError(error);
      })
      .finally(() => {
        running = undefined;
        if (stopped) return;
        const [next = ms, ...later] = again ? [0, ...afterNow] : soon;
        soon = later;
        timer = setTimeout(run, next);
        timer.unref();
      });
  };
  run();
  return {
    now() {
      soon = afterNow;
      if (running === undefined) run();
      else again = true;
    },
    async stop() {
      stopped = true;
      clearTimeout(timer);
      await running;
    },
  };
}
