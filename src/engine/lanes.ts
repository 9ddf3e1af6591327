import { setTimeout as delay } from "node:timers/promises";
import type { Pool } from "pg";
import { type Delivery, type RepositoryId, repositoryName } from "../model/run-request.ts";
import { QUEUES, UNFINISHED, WORKFLOWS } from "./engine.ts";

/** Ten years: deliveries and runs wait until it is their turn, not until a time. */
export const UNTIL_RELEASED_SECONDS = 315_360_000;

/** Deliveries of one lane are admitted one after the other: those of an issue and of the pull request that is for it. */
export function laneOf(repository: RepositoryId, issue: number): string {
  return `${repository.installationId}/${repositoryName(repository).toLowerCase()}#${issue}`;
}

/** The lane of a delivery, as far as its webhook tells. */
export function laneOfDelivery({ repository, subject, issue }: Delivery): string {
  return laneOf(repository, subject ?? issue);
}

const RETRY_MS = 200;

/**
 * The next number in the order of arrival, the same for all machines and whatever their clocks say. Asks again for
 * `withinMs` milliseconds while the database is away; then throws what it said.
 */
export async function nextArrival(pool: Pool, withinMs: number): Promise<number> {
  const from = performance.now();
  for (;;) {
    try {
      const { rows } = await pool.query<{ arrival: string }>("SELECT nextval('magis.arrival') AS arrival");
      return Number(rows[0]?.arrival);
    } catch (error) {
      if (pool.ended || performance.now() - from > withinMs) throw error;
      await delay(RETRY_MS);
    }
  }
}

/** An unfinished delivery. */
export interface Arrived {
  readonly id: string;
  readonly lane: string;
  /** it has not been let in yet */
  readonly waits: boolean;
}

/**
 * Whose turn it is of the unfinished deliveries, given in the order in which they arrived: the first of each lane that
 * waits, once nothing before it in its lane is being admitted, or what is takes too long.
 */
export function nextInLanes(arrived: readonly Arrived[], isOverdue: (id: string) => boolean): readonly string[] {
  const held = new Set<string>();
  const next: string[] = [];
  for (const { id, lane, waits } of arrived) {
    if (waits && !held.has(lane)) next.push(id);
    if (waits || !isOverdue(id)) held.add(lane);
  }
  return next;
}

const UNADMITTED = `
  SELECT workflow_uuid AS id, queue_partition_key AS lane, status = 'DELAYED' AS waits
    FROM dbos.workflow_status
   WHERE queue_name = $1 AND name = $2 AND status = ANY($3) AND queue_partition_key IN (
     SELECT queue_partition_key FROM dbos.workflow_status WHERE queue_name = $1 AND status = 'DELAYED')
   ORDER BY priority, created_at, workflow_uuid`;

const LET_IN = `
  UPDATE dbos.workflow_status
     SET status = 'ENQUEUED', delay_until_epoch_ms = NULL, updated_at = (EXTRACT(EPOCH FROM now()) * 1000)::bigint
   WHERE workflow_uuid = ANY($1) AND status = 'DELAYED'`;

/**
 * Makes what lets deliveries in, and gives how many. One that is being admitted for longer than `patienceMs`, as seen by this machine and
 * whatever its clock says, is waited for no longer.
 */
export function createDoor(pool: Pool, patienceMs: number): () => Promise<number> {
  const seen = new Map<string, number>();
  return async () => {
    const { rows } = await pool.query<Arrived>(UNADMITTED, [QUEUES.deliveries, WORKFLOWS.deliver, UNFINISHED]);
    const now = performance.now();
    const working = rows.filter(({ waits }) => !waits);
    for (const { id } of working) if (!seen.has(id)) seen.set(id, now);
    for (const id of seen.keys()) if (!working.some((row) => row.id === id)) seen.delete(id);
    const next = nextInLanes(rows, (id) => now - (seen.get(id) ?? now) > patienceMs);
    if (next.length > 0) await pool.query(LET_IN, [next]);
    return next.length;
  };
}

const BEFORE = `
  SELECT workflow_uuid AS id FROM dbos.workflow_status
   WHERE name = $1 AND status = ANY($2) AND queue_partition_key = ANY($3) AND priority < (
     SELECT priority FROM dbos.workflow_status WHERE workflow_uuid = $4)
   ORDER BY priority, created_at, workflow_uuid`;

/** The ids of the deliveries in `lanes` that arrived before `delivery` and are not yet dealt with. */
export async function findBefore(pool: Pool, delivery: string, lanes: readonly string[]): Promise<readonly string[]> {
  const { rows } = await pool.query<{ id: string }>(BEFORE, [WORKFLOWS.deliver, UNFINISHED, lanes, delivery]);
  return rows.map(({ id }) => id);
}

/** Of `deliveries`, those that were ended before they had been dealt with. */
export async function findEnded(pool: Pool, deliveries: readonly string[]): Promise<readonly string[]> {
  const sql =
    "SELECT workflow_uuid AS id FROM dbos.workflow_status WHERE workflow_uuid = ANY($1) AND status = 'CANCELLED'";
  return (await pool.query<{ id: string }>(sql, [deliveries])).rows.map(({ id }) => id);
}
