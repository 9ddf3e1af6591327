import { DBOS } from "@dbos-inc/dbos-sdk";
import type { Pool } from "pg";
import type { LimitReached } from "../data/limits.ts";
import type { Log } from "../data/log.ts";
import { longPauseOf, outageOf } from "../data/outage.ts";
import { type RunRequest, repositoryName } from "../data/run-request.ts";
import type { RunResult } from "../data/run-state.ts";
import type { Step } from "../run/runs.ts";
import type { EngineContext } from "./context.ts";
import { findRefusal, settleEnd } from "./ledger.ts";
import { watchPull } from "./pull-watch.ts";
import { presentName } from "./repository-names.ts";
import { REPORTING_POLICY, type RetryPolicy, runStep, runWork, type StepRunner } from "./step.ts";
import { noteForSweep } from "./sweep.ts";
import { addReport, addRun, type PendingReport, parkRun, waitForWake } from "./work-queue.ts";

/** The workflows of runs and of reports about them. */
export interface RunWorkflows {
  resolve(request: RunRequest): Promise<RunResult>;
  report(pending: PendingReport): Promise<void>;
  abandon(pending: PendingReport): Promise<void>;
}

/** The run itself decides when it has waited long enough (`run/patience.ts`), and waits out long pauses. */
const PHASE_POLICY: RetryPolicy = {
  attempts: Number.POSITIVE_INFINITY,
  firstWait: 2_000,
  longestWait: 60_000,
  mayPass: (error) => outageOf(error) !== undefined && longPauseOf(error) === undefined,
};

/** Registers the workflows of runs with DBOS, before its launch. */
export function registerRuns(context: EngineContext): RunWorkflows {
  const { database, handlers, suspension, log } = context;
  const { pool } = database;

  const resolve = (request: RunRequest) =>
    runWork(context, request.id, PHASE_POLICY, async (runner) => {
      await keepRequest(pool, log, request);
      const step: Step = (name, body) => runStep(runner, name, body);
      const keepEnd = (end: PendingReport["end"]) => reportLater(context, { request, end });
      const limit = await findRefusal(pool, request.id);
      const result =
        limit === undefined
          ? await handlers.resolve(request, step, keepEnd, (ms) => waitParked(context, runner, ms))
          : await refuse(context, request, limit, { step, keepEnd });
      await settleEnd(pool, request, result, { accounts: handlers.accounts, durations: runner.durations, log });
      // It may have been renamed meanwhile.
      const ended = { ...request, repository: await presentName(pool, request.repository) };
      await followUp(pool, ended, result);
      const next = suspension.stopping ? undefined : handlers.next(ended, result);
      if (next) await addRun(pool, next);
      return result;
    });

  const report = ({ request, end }: PendingReport) =>
    runWork(context, `report:${request.id}`, REPORTING_POLICY, async (runner) => {
      if (end === undefined) return;
      await runStep(runner, "report", () => handlers.report(request, end));
      log.info({ run: request.id }, "the end of the run was reported late");
    });

  const abandon = ({ request, abandoned = "" }: PendingReport) =>
    runWork(context, `abandon:${request.id}`, REPORTING_POLICY, (runner) =>
      runStep(runner, "abandon", () => handlers.abandoned(request, abandoned)),
    );

  return {
    resolve: DBOS.registerWorkflow(resolve, { name: "resolve" }),
    report: DBOS.registerWorkflow(report, { name: "report" }),
    abandon: DBOS.registerWorkflow(abandon, { name: "abandon" }),
  };
}

/** Ends a run that a limit keeps from beginning. */
async function refuse(
  { database, handlers, log }: EngineContext,
  request: RunRequest,
  limit: LimitReached,
  { step, keepEnd }: { step: Step; keepEnd: (end: PendingReport["end"]) => Promise<void> },
): Promise<RunResult> {
  log.info({ run: request.id, limit }, "a limit keeps the run from beginning");
  const result = await handlers.refuse(request, limit, step, keepEnd);
  // Whoever asks again continues the same run as before, without what this request would have added to its budget.
  if (request.id !== request.root) await dropRequest(database.pool, log, request.id);
  return result;
}

/** Has an end reported once, however long that takes. */
export async function reportLater({ database, onQueueChange }: EngineContext, pending: PendingReport): Promise<void> {
  await addReport(database.pool, pending);
  onQueueChange();
}

/** Adds a run to the queue, once. */
export async function enqueueRun(pool: Pool, log: Log, request: RunRequest): Promise<string> {
  const outcome = await addRun(pool, request);
  // `continue` must find even a run that was cancelled while it waited.
  if (outcome === "queued") await keepRequest(pool, log, request);
  return outcome;
}

/** Waits at most `ms` milliseconds for a wake, without a place in the queue: other runs go on meanwhile. */
async function waitParked(context: EngineContext, runner: StepRunner, ms: number): Promise<void> {
  const { database, executor, log, onQueueChange } = context;
  const { id } = runner.run;
  const park = (isParked: boolean) =>
    parkRun(database.pool, executor, id, isParked).catch((error: unknown) =>
      log.warn({ run: id, error }, "a waiting run keeps its place in the queue"),
    );
  await park(true);
  onQueueChange();
  await runStep(runner, "wait", ({ signal }) => waitForWake(database.pool, id, ms, signal));
  await park(false);
}

/** Has the run's pull request watched, or what a failed run left behind swept up. */
async function followUp(pool: Pool, request: RunRequest, result: RunResult): Promise<void> {
  const { repository } = request;
  if (result.kind === "published") {
    await watchPull(pool, { repository, number: result.pullRequest.number });
  }
  const isShutOut = result.kind === "cancelled" && result.because === "shut-out";
  if (result.kind === "failed" || isShutOut) await noteForSweep(pool, request);
}

/** Stores a run's request for people who inspect runs; the run does not depend on it. */
export async function keepRequest(pool: Pool, log: Log, request: RunRequest): Promise<void> {
  const sql = `INSERT INTO magis.run (id, repository, issue, request) VALUES ($1, $2, $3, $4)
               ON CONFLICT (id) DO UPDATE SET repository = EXCLUDED.repository, issue = EXCLUDED.issue,
                 request = EXCLUDED.request, updated_at = now()`;
  const values = [request.id, repositoryName(request.repository), request.issue, JSON.stringify(request)];
  await pool.query(sql, values).catch((error: unknown) => {
    log.warn({ run: request.id, error }, "the request could not be stored");
  });
}

/** Has the issue's earlier run count as its latest again. */
async function dropRequest(pool: Pool, log: Log, run: string): Promise<void> {
  await pool.query("DELETE FROM magis.run WHERE id = $1", [run]).catch((error: unknown) => {
    log.warn({ run, error }, "the request of a refused run could not be deleted");
  });
}
