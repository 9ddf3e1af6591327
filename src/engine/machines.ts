import type { Pool } from "pg";
import { claimedBy, unclaim } from "./claims.ts";

/** Records that this machine lives, and the version of its order of steps. */
export async function heartbeat(pool: Pool, executor: string, version: string): Promise<void> {
  const sql = "INSERT INTO magis.executor (id, version) VALUES ($1, $2) ON CONFLICT (id) DO UPDATE SET seen = now()";
  await pool.query(sql, [executor, Number(version)]);
}

/**
 * Makes the function that finds dead machines: those whose heartbeat has not changed for `deadAfterMs` while this
 * machine watched.
 */
export function createDeathWatch(
  pool: Pool,
  executor: string,
  deadAfterMs: number,
  clock = () => performance.now(),
): () => Promise<readonly string[]> {
  let known = new Map<string, { readonly seen: string; readonly at: number }>();
  return async () => {
    const sql = "SELECT id, seen::text AS seen FROM magis.executor WHERE id <> $1";
    const { rows } = await pool.query<{ id: string; seen: string }>(sql, [executor]);
    const now = clock();
    known = new Map(
      rows.map(({ id, seen }) => {
        const before = known.get(id);
        return [id, before?.seen === seen ? before : { seen, at: now }];
      }),
    );
    return [...known].filter(([, { at }]) => now - at >= deadAfterMs).map(([id]) => id);
  };
}

/** The living machine whose name sorts first: it does the tasks that one machine does for all. */
export async function firstMachine(pool: Pool, dead: readonly string[]): Promise<string | undefined> {
  const sql = "SELECT min(id) AS first FROM magis.executor WHERE id <> ALL($1)";
  return (await pool.query<{ first: string | null }>(sql, [dead])).rows[0]?.first ?? undefined;
}

export async function livingMachines(pool: Pool, dead: readonly string[]): Promise<readonly string[]> {
  const { rows } = await pool.query<{ id: string }>("SELECT id FROM magis.executor WHERE id <> ALL($1)", [dead]);
  return rows.map(({ id }) => id);
}

/**
 * Whether no living machine has a newer version. What once ran here does not count: after an upgrade that was taken
 * back, nobody else would take up the runs that the newer version began.
 */
export async function isNewest(pool: Pool, version: string, dead: readonly string[]): Promise<boolean> {
  const sql = "SELECT FROM magis.executor WHERE version > $1 AND id <> ALL($2) LIMIT 1";
  return (await pool.query(sql, [Number(version), dead])).rowCount === 0;
}

/** Forgets machines that have been dead for long. */
export async function forgetDead(pool: Pool, dead: readonly string[]): Promise<void> {
  await pool.query("DELETE FROM magis.executor WHERE id = ANY($1) AND seen < now() - interval '1 day'", [dead]);
}

/** Puts all work of this machine back into the queue and signs the machine off. It does not count as a takeover. */
export async function giveBack(pool: Pool, executor: string): Promise<void> {
  await unclaim(pool, executor, [...(await claimedBy(pool, executor))]);
  await pool.query("DELETE FROM magis.executor WHERE id = $1", [executor]);
}

/** An embedded database has one process: any machine recorded before is gone. */
export async function forgetMachines(pool: Pool): Promise<void> {
  await pool.query("DELETE FROM magis.executor");
}
