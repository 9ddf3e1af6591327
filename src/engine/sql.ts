import type { Pool } from "pg";
import type { Delivery } from "../model/run-request.ts";
import { QUEUES, UNFINISHED, WORKFLOWS } from "./engine.ts";

const NOW_MS = "(EXTRACT(EPOCH FROM now()) * 1000)::bigint";

/** Nobody has it: any machine may take it up. */
const FREED = `owner_xid = NULL, started_at_epoch_ms = NULL, updated_at = ${NOW_MS}`;

const ADOPT = `
  WITH adopted AS (
    UPDATE dbos.workflow_status
       SET application_version = $1, status = CASE WHEN status = 'PENDING' THEN 'ENQUEUED' ELSE status END, ${FREED}
     WHERE status = ANY($4) AND queue_name IS NOT NULL
       AND application_version IS DISTINCT FROM $1
       AND (status <> 'PENDING' OR executor_id = $3
            OR executor_id NOT IN (SELECT id FROM magis.executor WHERE id <> ALL($2)))
    RETURNING workflow_uuid),
  forgotten AS (
    DELETE FROM dbos.operation_outputs WHERE workflow_uuid IN (SELECT workflow_uuid FROM adopted))
  SELECT workflow_uuid AS id FROM adopted`;

/**
 * After an upgrade that changed the order of steps: starts the unfinished work of earlier versions again from its first
 * step, on this version. What the model was paid for is kept elsewhere and not paid again. Work that a living machine of
 * an earlier version is doing is left to it. Gives the ids of what was adopted.
 */
export async function adoptOldVersions(
  pool: Pool,
  version: string,
  dead: readonly string[],
  executor: string,
): Promise<readonly string[]> {
  const { rows } = await pool.query<{ id: string }>(ADOPT, [version, dead, executor, UNFINISHED]);
  return rows.map(({ id }) => id);
}

const GIVE_BACK = `
  UPDATE dbos.workflow_status
     SET status = 'ENQUEUED', recovery_attempts = GREATEST(recovery_attempts - 1, 0), ${FREED}
   WHERE status = 'PENDING' AND executor_id = $1 AND queue_name IS NOT NULL`;

/**
 * Gives the unfinished work of a process that stops properly back to the queue, for another machine or the next start.
 * It does not count as a failed attempt.
 */
export async function giveBack(pool: Pool, executor: string): Promise<void> {
  await pool.query(GIVE_BACK, [executor]);
  await pool.query("DELETE FROM magis.executor WHERE id = $1", [executor]);
}

/** Says that this machine lives. */
export async function heartbeat(pool: Pool, executor: string): Promise<void> {
  await pool.query("INSERT INTO magis.executor (id) VALUES ($1) ON CONFLICT (id) DO UPDATE SET seen = now()", [
    executor,
  ]);
}

/**
 * Makes what tells which other machines are dead: those whose heartbeat did not change for `deadAfterMs` while this
 * machine looked on, by its own steady clock. What the wall clocks of machines and database say, and whether they are
 * set meanwhile, does not matter.
 */
export function createDeathWatch(
  pool: Pool,
  executor: string,
  deadAfterMs: number,
  steady = () => performance.now(),
): () => Promise<readonly string[]> {
  let known = new Map<string, { readonly seen: string; readonly at: number }>();
  return async () => {
    const sql = "SELECT id, seen::text AS seen FROM magis.executor WHERE id <> $1";
    const { rows } = await pool.query<{ id: string; seen: string }>(sql, [executor]);
    const now = steady();
    known = new Map(
      rows.map(({ id, seen }) => {
        const before = known.get(id);
        return [id, before?.seen === seen ? before : { seen, at: now }];
      }),
    );
    return [...known].filter(([, { at }]) => now - at >= deadAfterMs).map(([id]) => id);
  };
}

/** The ids of the workflows that this machine owns by the database's word. */
export async function ownedWork(pool: Pool, executor: string): Promise<ReadonlySet<string>> {
  const sql = "SELECT workflow_uuid AS id FROM dbos.workflow_status WHERE status = 'PENDING' AND executor_id = $1";
  const { rows } = await pool.query<{ id: string }>(sql, [executor]);
  return new Set(rows.map(({ id }) => id));
}

const RELEASE = `
  WITH busy AS (
    SELECT queue_partition_key AS repository FROM dbos.workflow_status
     WHERE queue_name = $1 AND status IN ('ENQUEUED', 'PENDING')),
  first AS (
    SELECT DISTINCT ON (queue_partition_key) workflow_uuid, priority, created_at, queue_partition_key AS repository
      FROM dbos.workflow_status WHERE queue_name = $1 AND status = 'DELAYED'
     ORDER BY queue_partition_key, priority, created_at, workflow_uuid),
  next AS (
    SELECT workflow_uuid FROM first
     WHERE repository NOT IN (SELECT repository FROM busy) AND split_part(repository, '/', 1) <> ALL($3)
       AND NOT EXISTS (
         SELECT FROM dbos.workflow_status d
          WHERE d.workflow_uuid = substring(first.workflow_uuid FROM position('@' IN first.workflow_uuid) + 1)
            AND d.name = $4 AND d.status = ANY($5))
     ORDER BY priority, created_at, workflow_uuid
     LIMIT GREATEST($2::bigint - (SELECT count(*) FROM busy), 0))
  UPDATE dbos.workflow_status
     SET status = 'ENQUEUED', delay_until_epoch_ms = NULL, updated_at = ${NOW_MS}
   WHERE workflow_uuid IN (SELECT workflow_uuid FROM next) AND status = 'DELAYED'`;

/**
 * Lets the oldest waiting runs start, as many as there are free places, one a repository; gives how many. DBOS's queue holds both limits
 * on its own, but it takes the repositories in random order; here the one that waits longest is next: by the number of
 * its arrival, which is the run's priority, and not by a clock. Runs of the installations `held` stay where they are, as
 * do those whose delivery is still being dealt with: until then that alone writes the run's comment.
 */
export async function releaseNextRuns(pool: Pool, concurrency: number, held: readonly number[] = []): Promise<number> {
  const values = [QUEUES.runs, concurrency, held.map(String), WORKFLOWS.deliver, UNFINISHED];
  return (await pool.query(RELEASE, values)).rowCount ?? 0;
}

/**
 * Puts a run that works into another queue: one that waits for checks is counted nowhere, and is gone on with at once after a
 * restart. Does nothing to a run that has ended.
 */
export async function changeQueue(pool: Pool, run: string, from: string, to: string): Promise<void> {
  const sql = "UPDATE dbos.workflow_status SET queue_name = $3 WHERE workflow_uuid = $1 AND queue_name = $2";
  await pool.query(sql, [run, from, to]);
}

/**
 * Sets how many runs go at once in the queue as an earlier start left it: DBOS takes up unfinished runs while it
 * launches, before the queue can be configured through it. Does nothing at the first start.
 */
export async function setLimit(pool: Pool, concurrency: number): Promise<void> {
  const { rows } = await pool.query<{ made: boolean }>("SELECT to_regclass('dbos.queues') IS NOT NULL AS made");
  if (rows[0]?.made !== true) return;
  await pool.query("UPDATE dbos.queues SET concurrency = $2 WHERE name = $1", [QUEUES.runs, concurrency]);
}

const TAKE_OVER = `
  UPDATE dbos.workflow_status
     SET status = 'ENQUEUED', ${FREED}
   WHERE status = 'PENDING' AND queue_name IS NOT NULL AND application_version = $1 AND executor_id <> $3
     AND executor_id NOT IN (SELECT id FROM magis.executor WHERE id <> ALL($2))
  RETURNING workflow_uuid AS id, executor_id AS executor`;

/**
 * Gives the work of machines that are `dead`, or have left, back to the queue. A machine that only slept is fenced: it
 * owns nothing any more; nor does it take its own work from itself when it wakes. Gives what was taken over.
 */
export async function takeOver(
  pool: Pool,
  version: string,
  dead: readonly string[],
  executor: string,
): Promise<readonly { id: string; executor: string }[]> {
  const { rows } = await pool.query<{ id: string; executor: string }>(TAKE_OVER, [version, dead, executor]);
  const forgotten = "DELETE FROM magis.executor WHERE id = ANY($1) AND seen < now() - interval '1 day'";
  await pool.query(forgotten, [dead]);
  return rows;
}

const KEEP_DIGEST = `
  INSERT INTO magis.delivery_digest (digest, delivery) VALUES ($1, $2)
  ON CONFLICT (digest) DO UPDATE SET digest = EXCLUDED.digest RETURNING delivery`;

/**
 * Whether this very body has been received under another id (GitHub's own redelivery keeps the id, which is not signed), or
 * what happened has been heard of already.
 */
export async function isReplay(
  pool: Pool,
  { id, digest, event }: Pick<Delivery, "id" | "digest" | "event">,
): Promise<boolean> {
  for (const key of [digest, event]) {
    if (key === undefined) continue;
    const { rows } = await pool.query<{ delivery: string }>(KEEP_DIGEST, [key, id]);
    if (rows[0]?.delivery !== id) return true;
  }
  return false;
}
