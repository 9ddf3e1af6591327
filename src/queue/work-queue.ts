import { setTimeout as delay } from "node:timers/promises";
import type { Pool, QueryResult, QueryResultRow } from "pg";
import type { Log } from "../data/log.ts";
import type { RunCounts } from "../data/metrics.ts";
import {
  asksForWork,
  type Delivery,
  endsWork,
  type InstallationScope,
  type RepositoryId,
  type RunRequest,
  repositoryName,
} from "../data/run-request.ts";
import type { UnreportedEnd } from "../data/run-state.ts";
import type { ActiveRun } from "./suspension.ts";

/** Work waits for its turn, works, is parked (a run that waits for its checks without a place), or is over. */
export const UNFINISHED = ["waiting", "working", "aside"];

/** Deliveries of an issue and of its pull request share one issue queue: they are admitted one after the other. */
function issueQueue(repository: RepositoryId, issue: number): string {
  return `${repositoryQueue(repository)}#${issue}`;
}

export function issueQueueOf({ repository, subject, issue }: Delivery): string {
  return issueQueue(repository, subject ?? issue);
}

function repositoryQueue(repository: RepositoryId): string {
  return `${repository.installationId}/${repositoryName(repository).toLowerCase()}`;
}

const RETRY_MS = 200;

/**
 * How long to wait for a database that is away. After that the workflow fails; nothing shorter loses a delivery or a
 * run.
 */
const WITHIN_MS = 3_600_000;

/** Runs a statement that may be repeated. Tries again for `withinMs` milliseconds while it fails, then throws. */
export async function patientQuery<Row extends QueryResultRow>(
  pool: Pool,
  sql: string,
  values: readonly unknown[],
  withinMs = WITHIN_MS,
): Promise<QueryResult<Row>> {
  const from = performance.now();
  for (;;) {
    try {
      return await pool.query<Row>(sql, [...values]);
    } catch (error) {
      if (pool.ended || performance.now() - from > withinMs) throw error;
      await delay(RETRY_MS);
    }
  }
}

/** One statement: a crash between two could leave a delivery known but not stored. */
const ADD_DELIVERY = `
  WITH fresh AS (
    INSERT INTO magis.delivery_digest (digest, delivery) SELECT unnest($5::text[]), $1
    ON CONFLICT (digest) DO NOTHING RETURNING digest),
  own AS (
    SELECT digest FROM magis.delivery_digest WHERE digest = ANY($5) AND delivery = $1)
  INSERT INTO magis.work (id, kind, queue, urgent, input)
  SELECT $1, 'deliver', $2, $3, $4::json
   WHERE (SELECT count(*) FROM fresh) + (SELECT count(*) FROM own) = cardinality($5::text[])
  ON CONFLICT DO NOTHING RETURNING id`;

/**
 * The same body is a new event when something else of the issue came between, and nothing later than it: GitHub's times
 * are in seconds, and a label can be set, removed and set again in one. Only within an hour, so that whoever got hold
 * of such bodies cannot use them later.
 */
const ADD_AGAIN = `
  WITH again AS (
    UPDATE magis.delivery_digest known SET delivery = $1
     WHERE known.digest = $5 AND known.at > now() - interval '1 hour'
       AND NOT EXISTS (SELECT FROM magis.work WHERE id = $1)
       AND (SELECT max((between_them.input->>'at')::timestamptz) <= $6::timestamptz
              FROM magis.work latest JOIN magis.work between_them
                ON between_them.kind = 'deliver' AND between_them.queue = latest.queue
                   AND between_them.arrival > latest.arrival
             WHERE latest.id = known.delivery)
    RETURNING delivery)
  INSERT INTO magis.work (id, kind, queue, urgent, input)
  SELECT delivery, 'deliver', $2, $3, $4::json FROM again
  ON CONFLICT DO NOTHING RETURNING id`;

/**
 * Adds a delivery at the end of its issue queue. False when it is known: by its id, the event it reports, or its body,
 * unless that reports the same event `again`. Tries again for `withinMs` milliseconds while the database is away.
 */
export async function addDelivery(pool: Pool, delivery: Delivery, withinMs: number): Promise<boolean> {
  const { id, digest, event, at } = delivery;
  const keys = [digest, event].filter((key) => key !== undefined);
  const valuesOf = (input: Delivery) => [id, issueQueueOf(input), endsWork(input), JSON.stringify(input)];
  const first = (await isOvertaken(pool, delivery, withinMs)) ? { ...delivery, again: true } : delivery;
  const added = await patientQuery(pool, ADD_DELIVERY, [...valuesOf(first), keys], withinMs);
  if (added.rowCount === 1) return true;
  // A comment or review is known by its own id, which never comes again.
  if (digest === undefined || event !== undefined) return false;
  const again = [...valuesOf({ ...delivery, again: true }), digest, at];
  return (await patientQuery(pool, ADD_AGAIN, again, withinMs)).rowCount === 1;
}

/** Whether a label that was taken off was set at the same time or later: only GitHub knows which came last. */
async function isOvertaken(pool: Pool, delivery: Delivery, withinMs: number): Promise<boolean> {
  const { trigger, at } = delivery;
  if (trigger.kind !== "unlabel") return false;
  const sql = `SELECT input FROM magis.work
    WHERE kind = 'deliver' AND queue = $1 AND id <> $2 AND at > now() - interval '1 hour'`;
  const { rows } = await patientQuery<{ input: Delivery }>(pool, sql, [issueQueueOf(delivery), delivery.id], withinMs);
  return rows.some(({ input }) => input.trigger.kind === "label" && Date.parse(input.at) >= Date.parse(at));
}

/** A cancelled delivery starts nothing. What holds back the runs before it holds it back, too. */
const ADD_RUN = `
  INSERT INTO magis.work (id, kind, queue, subject, input, held_by, held_since, held_until)
  SELECT $1, 'resolve', $2, $3, $4::json, held_by, held_since, held_until
    FROM (VALUES (1)) one LEFT JOIN LATERAL (
      SELECT held_by, held_since, held_until FROM magis.work
       WHERE kind = 'resolve' AND state = 'waiting' AND queue = $2 AND held_by IS NOT NULL LIMIT 1) held ON true
   WHERE NOT EXISTS (SELECT FROM magis.work WHERE id = $5 AND state = 'cancelled')
  ON CONFLICT DO NOTHING RETURNING id`;

export type Enqueued = "queued" | "issue has an unfinished run" | "called off";

/**
 * Adds a run at the end of its repository's queue, once. While an issue has an unfinished run, another one is refused.
 * Batches of feedback and repairs are never refused: one that finds nothing left to do ends at once.
 */
export async function addRun(pool: Pool, request: RunRequest): Promise<Enqueued> {
  const { id, repository, issue, work, delivery } = request;
  const queue = repositoryQueue(repository);
  const subject = work.kind === "resolve" ? `${repositoryName(repository).toLowerCase()}#${issue}` : null;
  const values = [id, queue, subject, JSON.stringify(request), delivery];
  const { rowCount } = await patientQuery(pool, ADD_RUN, values);
  if (rowCount === 1) return "queued";
  const sql = "SELECT id FROM magis.work WHERE id = ANY($1) AND (id = $2 OR state = 'cancelled')";
  const { rows } = await patientQuery<{ id: string }>(pool, sql, [[id, delivery], id]);
  // The delivery runs again after a crash, and has queued the run before.
  if (rows.some((row) => row.id === id)) return "queued";
  return rows.length > 0 ? "called off" : "issue has an unfinished run";
}

/** An end that is still to be reported; `abandoned` holds the reason for giving the run up. */
export interface PendingReport {
  request: RunRequest;
  end?: UnreportedEnd;
  abandoned?: string;
}

/** Adds the report of an end, once. It takes no place and waits for nothing. */
export async function addReport(pool: Pool, pending: PendingReport): Promise<void> {
  const kind = pending.abandoned === undefined ? "report" : "abandon";
  const sql = "INSERT INTO magis.work (id, kind, queue, input) VALUES ($1, $2, '', $3) ON CONFLICT DO NOTHING";
  await patientQuery(pool, sql, [`${kind}:${pending.request.id}`, kind, JSON.stringify(pending)]);
}

/** Marks work of a machine as over. Work that was cancelled or taken over stays as it is. */
export async function endWork(pool: Pool, executor: string, id: string): Promise<void> {
  const sql = `UPDATE magis.work SET state = 'ended', at = now()
    WHERE id = $1 AND claimant = $2 AND state IN ('working', 'aside')`;
  await pool.query(sql, [id, executor]);
}

/**
 * Gives up the place of work that has ended here. When the database misses it, the work is done again by its records.
 */
export async function freePlace(pool: Pool, executor: string, { id, signal }: ActiveRun, log: Log): Promise<void> {
  if (signal.aborted) return;
  await endWork(pool, executor, id).catch((error: unknown) =>
    log.warn({ work: id, error }, "the end of this work could not be stored; it is checked again later"),
  );
}

/** What puts claimed work back: it waits for its turn again, or a parked run goes on elsewhere. */
export const UNCLAIM = "claimant = NULL, state = CASE state WHEN 'working' THEN 'waiting' ELSE state END";

/** The ids of the work that a machine has claimed and not ended. */
export async function claimedBy(pool: Pool, executor: string): Promise<ReadonlySet<string>> {
  const sql = "SELECT id FROM magis.work WHERE claimant = $1 AND state IN ('working', 'aside')";
  return new Set((await pool.query<{ id: string }>(sql, [executor])).rows.map(({ id }) => id));
}

/** Cancels unfinished work; gives the number of the latest attempt at each. */
export async function cancelRows(
  pool: Pool,
  ids: readonly string[],
): Promise<readonly { id: string; attempt: number }[]> {
  const sql = `UPDATE magis.work SET state = 'cancelled', at = now()
    WHERE id = ANY($1) AND state = ANY($2) RETURNING id, attempt`;
  return (await patientQuery<{ id: string; attempt: number }>(pool, sql, [ids, UNFINISHED])).rows;
}

/** Parks a run that works, so that it takes no place, or has it work again. The tables call a parked run `aside`. */
export async function parkRun(pool: Pool, executor: string, run: string, isParked: boolean): Promise<void> {
  const [from, to] = isParked ? ["working", "aside"] : ["aside", "working"];
  const sql = "UPDATE magis.work SET state = $3 WHERE id = $1 AND state = $2 AND claimant = $4";
  await pool.query(sql, [run, from, to, executor]);
}

/** Ends the waiting of runs early; one that is not waiting skips its next wait. */
export async function wakeRuns(pool: Pool, runs: readonly RunRequest[]): Promise<void> {
  await patientQuery(pool, "UPDATE magis.work SET woken = true WHERE id = ANY($1)", [runs.map(({ id }) => id)]);
}

const WAKE_POLL_MS = 1_000;

/** Waits until somebody wakes the run, at most `ms` milliseconds by a steady clock. Throws when `signal` aborts. */
export async function waitForWake(pool: Pool, run: string, ms: number, signal: AbortSignal): Promise<void> {
  const from = performance.now();
  for (;;) {
    const sql = "UPDATE magis.work SET woken = false WHERE id = $1 AND woken";
    // While the database is away nobody wakes the run.
    if (
      await pool.query(sql, [run]).then(
        ({ rowCount }) => rowCount === 1,
        () => false,
      )
    )
      return;
    const left = ms - (performance.now() - from);
    if (left <= 0) return;
    await delay(Math.min(left, WAKE_POLL_MS), undefined, { signal });
  }
}

/** Under any installation: a repository's changes when the app is installed anew. */
const OF_REPOSITORY = `
  SELECT input FROM magis.work
   WHERE kind = 'resolve' AND state = ANY($1) AND substr(queue, strpos(queue, '/') + 1) = $2 ORDER BY arrival`;

/** The unfinished runs of an issue or pull request on any machine, oldest first. */
export async function findUnfinished(
  pool: Pool,
  repository: RepositoryId,
  issue: number,
): Promise<readonly RunRequest[]> {
  const { rows } = await patientQuery<{ input: RunRequest }>(pool, OF_REPOSITORY, [
    UNFINISHED,
    repositoryName(repository).toLowerCase(),
  ]);
  return rows.map(({ input }) => input).filter((request) => request.issue === issue);
}

const OF_SCOPE = `
  SELECT kind, input FROM magis.work
   WHERE kind IN ('deliver', 'resolve') AND state = ANY($1) AND split_part(queue, '/', 1) = $2
     AND ($3::text IS NULL OR split_part(substr(queue, strpos(queue, '/') + 1), '#', 1) = $3)
   ORDER BY arrival`;

/** All unfinished work of an installation, or of one of its repositories, on any machine. */
export async function findUnfinishedOf(
  pool: Pool,
  { installationId, owner, name }: InstallationScope,
): Promise<{ deliveries: readonly Delivery[]; runs: readonly RunRequest[] }> {
  const repository = owner === undefined ? null : `${owner}/${name}`.toLowerCase();
  const values = [UNFINISHED, String(installationId), repository];
  const { rows } = await patientQuery<{ kind: "deliver"; input: Delivery } | { kind: "resolve"; input: RunRequest }>(
    pool,
    OF_SCOPE,
    values,
  );
  return {
    deliveries: rows.flatMap((row) => (row.kind === "deliver" ? [row.input] : [])),
    runs: rows.flatMap((row) => (row.kind === "resolve" ? [row.input] : [])),
  };
}

const COUNTS = `
  SELECT count(*) FILTER (WHERE state = 'waiting' AND held_by IS NULL)::int AS queued,
         count(*) FILTER (WHERE state = 'waiting' AND held_by IS NOT NULL)::int AS held,
         count(*) FILTER (WHERE state = 'working')::int AS working,
         count(*) FILTER (WHERE state = 'aside')::int AS waiting
    FROM magis.work WHERE kind = 'resolve' AND state = ANY($1)`;

/** How many unfinished runs there are on all machines, by what they do. */
export async function countRuns(pool: Pool): Promise<RunCounts> {
  const { rows } = await pool.query<RunCounts>(COUNTS, [UNFINISHED]);
  return rows[0] ?? { queued: 0, held: 0, working: 0, waiting: 0 };
}

const BEFORE = `
  SELECT input FROM magis.work
   WHERE kind = 'deliver' AND state = ANY($1) AND queue = ANY($2)
     AND arrival < (SELECT arrival FROM magis.work WHERE id = $3)
   ORDER BY arrival`;

/** The unadmitted deliveries before `delivery` that may ask for work on one of the issues `numbers`; oldest first. */
export async function findUnadmitted(
  pool: Pool,
  delivery: Delivery,
  numbers: readonly number[],
): Promise<readonly Delivery[]> {
  const queues = numbers.map((number) => issueQueue(delivery.repository, number));
  const { rows } = await patientQuery<{ input: Delivery }>(pool, BEFORE, [UNFINISHED, queues, delivery.id]);
  return rows.map(({ input }) => input).filter(asksForWork);
}

/** Of `deliveries`, those that were cancelled before they were admitted. */
export async function findCalledOff(pool: Pool, deliveries: readonly string[]): Promise<readonly string[]> {
  const sql = "SELECT id FROM magis.work WHERE id = ANY($1) AND state = 'cancelled'";
  return (await patientQuery<{ id: string }>(pool, sql, [deliveries])).rows.map(({ id }) => id);
}
