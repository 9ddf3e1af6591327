import { AsyncLocalStorage } from "node:async_hooks";
import { claimAndBegin, type Workflows } from "./attempts.ts";
import type { EngineContext } from "./context.ts";
import { receive } from "./deliveries.ts";
import { deleteOldRuns } from "./ended-runs.ts";
import { settleEnded } from "./ledger.ts";
import { beat, isFirstMachine, requeueLeftBehind } from "./machines.ts";
import { measureOutcomes, type PullMeasurements } from "./pull-outcomes.ts";
import { type PullWatch, watchPulls } from "./pull-watch.ts";
import { type Sweeps, sweepEndedRuns } from "./sweep.ts";
import { reportWaiting, type SaidOfRuns } from "./turns.ts";

/** What the engine does again and again, `everyMs` milliseconds after its last end. */
interface PeriodicTask {
  /** for the log */
  name: string;
  everyMs: number;
  /** one living machine does it for all */
  forAll?: boolean;
  run: () => Promise<unknown>;
}

const SECOND = 1_000;

const DAY = 24 * 3_600 * SECOND;

/** Between claims while nothing calls for one. An embedded database has no other machine, whose work only this finds. */
const CLAIM_MS = { embedded: 2 * SECOND, postgres: SECOND / 4 };

function periodicTasks(engine: EngineContext, workflows: Workflows): readonly [PeriodicTask, ...PeriodicTask[]] {
  const { database, handlers, times, retentionDays, log } = engine;
  const { kind, pool } = database;
  const { accounts } = handlers;
  const said: SaidOfRuns = new Map();
  const shared = { pool, log, now: () => performance.now() };
  const { pollPull: poll, closeStale, sweep } = handlers;
  const pulls: PullWatch = {
    ...shared,
    poll,
    closeStale,
    receive: (delivery) => receive(engine, delivery),
    schedules: new Map(),
    hasBegun: false,
  };
  const outcomes: PullMeasurements = { ...shared, outcomeOf: accounts.pullOutcome, failed: new Map() };
  const sweeps: Sweeps = { ...shared, sweep, due: new Map() };
  return [
    { name: "starting what is next", everyMs: CLAIM_MS[kind], run: () => claimAndBegin(engine, workflows) },
    { name: "the heartbeat", everyMs: times.heartbeatMs, run: () => beat(engine) },
    { name: "requeueing what was left behind", everyMs: times.heartbeatMs, run: () => requeueLeftBehind(engine) },
    { name: "settling ended runs", everyMs: 5 * SECOND, run: () => settleEnded(pool, { accounts, log }) },
    { name: "deleting old runs", everyMs: DAY, run: () => deleteOldRuns(pool, retentionDays) },
    { name: "reporting what runs wait for", everyMs: SECOND, forAll: true, run: () => reportWaiting(engine, said) },
    { name: "polling open pull requests", everyMs: 15 * SECOND, forAll: true, run: () => watchPulls(pulls) },
    { name: "measuring ended pull requests", everyMs: 15 * SECOND, forAll: true, run: () => measureOutcomes(outcomes) },
    { name: "sweeping up after ended runs", everyMs: 5 * SECOND, forAll: true, run: () => sweepEndedRuns(sweeps) },
  ];
}

export interface RunningTasks {
  /** Claims work now: deliveries or runs have come or gone. */
  claimNow(): void;
  /** whether work is claimed as often as it should be */
  keepsUp(): boolean;
  /** Resolves when no task is running any more. */
  stop(): Promise<void>;
}

/** The longest time without a claim while all is well. */
const OVERDUE_MS = 10 * SECOND;

/** Starts the periodic tasks. */
export function startTasks(engine: EngineContext, workflows: Workflows): RunningTasks {
  const [first, ...others] = periodicTasks(engine, workflows);
  const claims = new Repetition(engine, first);
  const all = [claims, ...others.map((task) => new Repetition(engine, task))];
  return {
    claimNow: () => claims.runNow(),
    keepsUp: () => performance.now() - claims.succeededAt < OVERDUE_MS,
    async stop() {
      await Promise.all(all.map((one) => one.stop()));
    },
  };
}

/** Runs something outside any workflow: DBOS would take what it begins for steps of that workflow. */
const OUTSIDE = AsyncLocalStorage.snapshot();

/** Repeats a task, never twice at a time. A failure is logged and the task goes on. It does not keep the process alive. */
class Repetition {
  /** by a steady clock */
  succeededAt = performance.now();
  private readonly engine: EngineContext;
  private readonly task: PeriodicTask;
  private timer: NodeJS.Timeout | undefined;
  private running: Promise<void> | undefined;
  private isAskedAgain = false;
  private isStopped = false;

  constructor(engine: EngineContext, task: PeriodicTask) {
    this.engine = engine;
    this.task = task;
    this.runNow();
  }

  /** Does the task now, or again when it is running. */
  runNow(): void {
    if (this.isStopped) return;
    this.isAskedAgain = this.running !== undefined;
    clearTimeout(this.timer);
    this.running ??= OUTSIDE(() => this.runOnce());
  }

  async stop(): Promise<void> {
    this.isStopped = true;
    clearTimeout(this.timer);
    await this.running;
  }

  private async runOnce(): Promise<void> {
    const { name, everyMs, forAll, run } = this.task;
    try {
      if (!forAll || (await isFirstMachine(this.engine))) await run();
      this.succeededAt = performance.now();
    } catch (error) {
      if (!this.isStopped) this.engine.log.warn({ error }, `${name} failed; it is tried again`);
    }
    this.running = undefined;
    if (this.isStopped) return;
    this.timer = setTimeout(() => this.runNow(), this.isAskedAgain ? 0 : everyMs);
    this.timer.unref();
  }
}
