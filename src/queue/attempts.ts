import { DBOS, DBOSWorkflowConflictError } from "@dbos-inc/dbos-sdk";
import { type Claimed, claimDeliveries, claimPlaceless, claimRuns } from "./claims.ts";
import type { EngineContext } from "./context.ts";
import type { WorkKind } from "./engine.ts";
import type { EarlierSteps, StepOutcome } from "./outcome.ts";

/**
 * Each time a machine claims a piece of work, it begins a new DBOS workflow, an attempt. DBOS's public interface
 * restarts a recorded workflow only through its own queue.
 */
const attemptId = (work: string, attempt: number) => `${work}~${attempt}`;

/** The ids of all attempts at a piece of work, the latest last. */
export function attemptsOf({ id, attempt }: { id: string; attempt: number }): string[] {
  return Array.from({ length: attempt }, (_, at) => attemptId(id, at + 1));
}

/** The outcome that an earlier attempt recorded for the current step. Throws when that was another step. */
export function earlierOutcome(steps: EarlierSteps | undefined, name: string): StepOutcome<unknown> | undefined {
  const known = steps?.get(DBOS.stepID ?? -1);
  if (known !== undefined && known.name !== name)
    throw new Error(`Step ${DBOS.stepID} was "${known.name}" in an earlier attempt and is "${name}" now.`);
  return known?.outcome;
}

/** The workflows of the engine, which take the input of their kind of work. */
export type Workflows = Readonly<Record<WorkKind, (input: never) => Promise<unknown>>>;

/** Begins the work whose turn it is: deliveries, then what takes no place, then runs. */
export async function claimAndBegin(engine: EngineContext, workflows: Workflows): Promise<void> {
  const { database, suspension, concurrency, times, log } = engine;
  const { pool } = database;
  if (suspension.stopping) return;
  const beginAll = async (works: readonly Claimed[]) => {
    for (const work of works) {
      await begin(engine, workflows, work).catch((error: unknown) =>
        log.warn({ work: work.id, error }, "this work could not begin; it is put back into the queue"),
      );
    }
  };
  await beginAll(await claimDeliveries(pool, engine, times.patienceMs));
  await beginAll(await claimPlaceless(pool, engine, concurrency > 0));
  await beginAll(await claimRuns(pool, engine, { ...engine, accounts: engine.handlers.accounts }));
}

/**
 * Begins an attempt at a piece of work that this machine has claimed. It first cancels the earlier attempts, so that a
 * machine which only slept records nothing more, and then reads what they recorded, so that those steps are not done
 * again.
 */
async function begin(
  { earlier, suspension, version, log }: EngineContext,
  workflows: Workflows,
  { id, kind, input, attempt, since }: Claimed,
): Promise<void> {
  suspension.active.get(id)?.lose(new DBOSWorkflowConflictError(id));
  const before = attemptsOf({ id, attempt: attempt - 1 });
  if (before.length > 0) await DBOS.cancelWorkflows(before);
  if (attempt > 1 && since === attempt)
    log.warn({ work: id, version }, "begun by another version; it starts again from its first step");
  earlier.set(id, await recordedSteps(before.slice(since - 1)));
  const workflowID = attemptId(id, attempt);
  await DBOS.startWorkflow(workflows[kind], { workflowID, workflowIDReusePolicy: "reject" })(input as never);
}

/** Each attempt records again what it replays, unless it is cut off before, so all of them are read. */
async function recordedSteps(attempts: readonly string[]): Promise<EarlierSteps> {
  const steps = new Map<number, { name: string; outcome: StepOutcome<unknown> }>();
  for (const attempt of attempts) {
    for (const { functionID, name, output } of (await DBOS.listWorkflowSteps(attempt)) ?? []) {
      if (isOutcome(output)) steps.set(functionID, { name, outcome: output });
    }
  }
  return steps;
}

/** DBOS also records steps of its own. */
function isOutcome(output: unknown): output is StepOutcome<unknown> {
  return typeof output === "object" && output !== null && ("value" in output || "failure" in output);
}
