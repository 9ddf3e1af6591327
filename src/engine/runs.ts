import { DBOS, Error as DbosError } from "@dbos-inc/dbos-sdk";
import type { Pool } from "pg";
import { type RepositoryId, type RunRequest, repositoryName } from "../model/run-request.ts";
import type { RunResult, UnreportedEnd } from "../model/run-state.ts";
import type { Log } from "../ports/log.ts";
import type { Step } from "../ports/runs.ts";
import { QUEUES, UNFINISHED, WORKFLOWS } from "./engine.ts";
import { nextArrival, UNTIL_RELEASED_SECONDS } from "./lanes.ts";
import { watchPull } from "./pull-watch.ts";
import { changeQueue } from "./sql.ts";
import { MAX_RECOVERY_ATTEMPTS, runStep, TELLING_POLICY, type WorkflowContext } from "./step.ts";
import { noteForSweep } from "./sweep.ts";

export interface Runs {
  /** Puts a run at the end of the queue, once. */
  enqueue(request: RunRequest): Promise<Enqueued>;
  /** Tells the end of a run that was given up. */
  abandon(request: RunRequest, reason: string): Promise<void>;
  /** Has an end told that is owed, once and however long it takes. Called from a workflow. */
  reportLater(request: RunRequest, end: UnreportedEnd): Promise<void>;
}

export type Enqueued = "queued" | "issue has an unfinished run" | "known";

/** The run itself says when it has waited long enough (`workflow/run/patience.ts`). */
const PHASE_POLICY = { attempts: Number.POSITIVE_INFINITY, firstWait: 2_000, longestWait: 60_000 };

/** Registers the workflow of a run, and that of one given up, with DBOS, before its launch. */
export function registerRuns(context: WorkflowContext): Runs {
  const { database, handlers, suspension, log, onQueueChange, lookInto } = context;
  const config = (name: string) => ({ name, maxRecoveryAttempts: MAX_RECOVERY_ATTEMPTS });

  const resolve = DBOS.registerWorkflow((request: RunRequest) => {
    return suspension
      .run(request.id, async (run) => {
        await keepRequest(database.pool, log, request);
        const runner = { run, suspension, log, policy: PHASE_POLICY };
        const wait = (ms: number) => waitAside(request.id, ms);
        const step: Step = (name, body) => runStep(runner, name, body);
        const result = await handlers.resolve(request, step, (end) => reportLater(request, end), wait);
        await lookAfter(database.pool, request, result);
        const next = suspension.stopping ? undefined : handlers.next?.(request, result);
        if (next) await enqueueRun(resolve, next, await nextArrival(database.pool, ARRIVAL_WITHIN_MS));
        return result;
      })
      .finally(onQueueChange);
  }, config(WORKFLOWS.resolve));

  const abandon = DBOS.registerWorkflow(
    (request: RunRequest, reason: string) =>
      suspension.run(`abandon:${request.id}`, async (run) => {
        const runner = { run, suspension, log, policy: TELLING_POLICY };
        await runStep(runner, "abandoned", () => handlers.abandoned(request, reason));
      }),
    config(WORKFLOWS.abandon),
  );

  const tell = DBOS.registerWorkflow(
    (request: RunRequest, end: UnreportedEnd) =>
      suspension.run(`tell:${request.id}`, async (run) => {
        const runner = { run, suspension, log, policy: TELLING_POLICY };
        await runStep(runner, "told", () => handlers.report(request, end));
        log.info({ run: request.id }, "the end of the run was told late");
      }),
    config(WORKFLOWS.tell),
  );
  const reportLater = async (request: RunRequest, end: UnreportedEnd) => {
    const workflowID = `tell:${request.id}`;
    const started = DBOS.startWorkflow(tell, { workflowID, workflowIDReusePolicy: "reject", queueName: QUEUES.ends });
    await started(request, end).catch((error: unknown) => {
      if (!DbosError.isWorkflowIDInUseError(error)) throw error;
    });
    lookInto(QUEUES.ends);
  };

  /** Waits for word, but no longer than `ms`, without a place in the queue: others go on meanwhile. */
  async function waitAside(run: string, ms: number): Promise<void> {
    const move = (from: string, to: string) =>
      changeQueue(database.pool, run, from, to).catch((error: unknown) =>
        log.warn({ run, error }, "a run that waits keeps its place in the queue"),
      );
    await move(QUEUES.runs, QUEUES.ends);
    onQueueChange();
    await DBOS.recv(WAKE, Math.max(1, ms / 1000));
    await move(QUEUES.ends, QUEUES.runs);
  }

  return {
    abandon,
    reportLater,
    async enqueue(request) {
      const outcome = await enqueueRun(resolve, request, await nextArrival(database.pool, ARRIVAL_WITHIN_MS));
      // A run that is ended while it waits for its turn can be found and gone on with all the same.
      if (outcome === "queued") await keepRequest(database.pool, log, request);
      return outcome;
    },
  };
}

/** Has the pull request watched that came of a run, or what the run may have left behind. */
async function lookAfter(pool: Pool, request: RunRequest, result: RunResult): Promise<void> {
  const { repository } = request;
  if (result.kind === "published") await watchPull(pool, { repository, number: result.pullRequest.number });
  if (result.kind === "failed") await noteForSweep(pool, request);
}

/** While the database is away for longer, the delivery is taken up again when it is back. */
const ARRIVAL_WITHIN_MS = 3_600_000;

/** What is sent to a run that waits. */
const WAKE = "wake";

/** Ends the waiting of runs before its time; one that does not wait looks once more when it does. */
export async function wakeRuns(runs: readonly RunRequest[]): Promise<void> {
  for (const { id } of runs) await DBOS.send(id, "checks", WAKE);
}

/**
 * Puts a run at the end of the queue, once: a second run of the same issue while one is unfinished, and the same run
 * again, start nothing. May be called from a workflow; the answer is then part of its record.
 */
async function enqueueRun(
  resolve: (request: RunRequest) => Promise<RunResult>,
  request: RunRequest,
  priority: number,
): Promise<Enqueued> {
  const { repository, issue } = request;
  const name = repositoryName(repository).toLowerCase();
  try {
    await DBOS.startWorkflow(resolve, {
      workflowID: request.id,
      workflowIDReusePolicy: "reject",
      queueName: QUEUES.runs,
      enqueueOptions: {
        // Batches of feedback and repairs wait for each other; a run that finds nothing left to do ends at once.
        ...(request.work.kind === "resolve" && { deduplicationID: `${name}#${issue}` }),
        priority,
        queuePartitionKey: `${repository.installationId}/${name}`,
        delaySeconds: UNTIL_RELEASED_SECONDS,
      },
    })(request);
    return "queued";
  } catch (error) {
    // By code: on a replay the recorded error comes back without its class.
    if (DbosError.isWorkflowIDInUseError(error)) return "known";
    if (error instanceof Error && DbosError.getDBOSErrorCode(error) === DbosError.QueueDedupIDDuplicated)
      return "issue has an unfinished run";
    throw error;
  }
}

/** The unfinished runs of an issue or pull request, waiting or running, on any machine. */
export async function findUnfinished(repository: RepositoryId, issue: number): Promise<readonly RunRequest[]> {
  const unfinished = await DBOS.listWorkflows({
    workflowName: WORKFLOWS.resolve,
    status: [...UNFINISHED],
    loadOutput: false,
  });
  const name = repositoryName(repository).toLowerCase();
  return unfinished
    .map(({ input }) => input?.[0] as RunRequest)
    .filter((request) => request.issue === issue && repositoryName(request.repository).toLowerCase() === name);
}

/** Notes what a run was asked for beside its state, for whoever looks at the runs; the run does not depend on it. */
export async function keepRequest(pool: Pool, log: Log, request: RunRequest): Promise<void> {
  const sql = `INSERT INTO magis.run (id, repository, issue, request) VALUES ($1, $2, $3, $4)
               ON CONFLICT (id) DO UPDATE SET repository = EXCLUDED.repository, issue = EXCLUDED.issue,
                 request = EXCLUDED.request, updated_at = now()`;
  const values = [request.id, repositoryName(request.repository), request.issue, JSON.stringify(request)];
  await pool.query(sql, values).catch((error: unknown) => {
    log.warn({ run: request.id, error }, "the request was not noted beside the run");
  });
}
