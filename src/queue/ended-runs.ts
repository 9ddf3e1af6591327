import { DBOS } from "@dbos-inc/dbos-sdk";
import type { Pool } from "pg";
import { attemptsOf } from "./attempts.ts";
import { WATCHED_DAYS } from "./pull-watch.ts";

const DAY_MS = 24 * 3_600_000;

const BATCH = 200;

const OLD = `
  SELECT id, attempt FROM magis.work WHERE at < $1::timestamptz AND state IN ('ended', 'cancelled') LIMIT ${BATCH}`;

/** Deletes runs and deliveries that ended more than `days` ago, with everything stored about them. */
export async function deleteOldRuns(pool: Pool, days: number): Promise<void> {
  const now = Date.now();
  const endedBefore = new Date(now - days * DAY_MS).toISOString();
  for (;;) {
    const { rows } = await pool.query<{ id: string; attempt: number }>(OLD, [endedBefore]);
    if (rows.length === 0) break;
    await DBOS.deleteWorkflows(rows.flatMap(attemptsOf));
    await pool.query("DELETE FROM magis.work WHERE id = ANY($1)", [rows.map(({ id }) => id)]);
  }
  // The watch over pull requests can find old comments for as long as it lasts.
  const heardBefore = new Date(now - Math.max(days, WATCHED_DAYS) * DAY_MS).toISOString();
  await pool.query("DELETE FROM magis.delivery_digest WHERE at < $1::timestamptz", [heardBefore]);
  await pool.query("DELETE FROM magis.peoples_pull WHERE at < now() - interval '13 months'");
  await pool.query("DELETE FROM magis.limit_warning WHERE at < now() - interval '2 months'");
  await deleteOldRecords(pool, endedBefore);
  await pool.query(UNUSED_NAMES);
}

const UNUSED_NAMES = `
  DELETE FROM magis.repository r
   WHERE at < now() - interval '1 day'
     AND NOT EXISTS (SELECT FROM magis.run WHERE lower(repository) = lower(r.owner || '/' || r.name))
     AND NOT EXISTS (SELECT FROM magis.ledger WHERE lower(owner) = lower(r.owner) AND lower(repo) = lower(r.name))
     AND NOT EXISTS (SELECT FROM magis.maintainer_note WHERE lower(owner) = lower(r.owner) AND lower(repo) = lower(r.name))`;

const TABLES = [
  { name: "magis.model_call", run: "run_id", age: "at" },
  { name: "magis.run_record", run: "run_id", age: "updated_at" },
  { name: "magis.run", run: "id", age: "updated_at" },
] as const;

/** Deletes the calls, records and states of runs that ended before a time. */
async function deleteOldRecords(pool: Pool, before: string): Promise<void> {
  for (const { name, run, age } of TABLES) {
    await pool.query(
      `DELETE FROM ${name} old WHERE ${age} < $1::timestamptz AND NOT EXISTS (
         SELECT FROM magis.work w WHERE w.id = old.${run} AND w.state IN ('waiting', 'working', 'aside'))`,
      [before],
    );
  }
}
