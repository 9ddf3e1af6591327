import type { Pool, PoolClient } from "pg";
import type { Log } from "../data/log.ts";
import type { RunRequest } from "../data/run-request.ts";
import type { Accounts, WorkKind } from "./engine.ts";
import { findEntered, openEntry, prepareEntry } from "./ledger.ts";
import { type HeldByLimit, judgeLimits, type Wait } from "./limits.ts";
import { inTransaction } from "./transaction.ts";

/** A machine that claims work, and the version of its order of steps. */
export interface Claimant {
  executor: string;
  version: string;
  /** whether no living machine has a newer version: an older one must not pull work back to itself */
  isLatest: boolean;
}

/** A piece of work whose turn it is. */
export interface Claimed {
  id: string;
  kind: WorkKind;
  input: unknown;
  /** counts from 1 */
  attempt: number;
  /** the first attempt by this version, whose steps can be replayed */
  since: number;
}

/** What a claim writes; the claimant's values are $1 to $3. */
const CLAIM = `claimant = $1, attempt = attempt + 1, version = $2, at = now(),
  since = CASE WHEN version = $2 THEN since ELSE attempt + 1 END`;

const GIVEN = "RETURNING id, kind, input, attempt, since";

const OF_VERSION = "(version IS NULL OR version = $2 OR $3)";

const claimantOf = ({ executor, version, isLatest }: Claimant) => [executor, version, isLatest];

/** Deliveries admitted at once by one process; each is a few requests to the host. */
export const DELIVERIES_AT_ONCE = 8;

/** A delivery waits for those before it in its issue queue, except for one whose admission takes too long. */
const CLAIM_DELIVERIES = `
  UPDATE magis.work SET state = 'working', ${CLAIM}
   WHERE state = 'waiting' AND ${OF_VERSION} AND id IN (
     SELECT id FROM (
       SELECT id, urgent, row_number() OVER (ORDER BY arrival) AS place FROM magis.work own
        WHERE kind = 'deliver' AND state = 'waiting' AND (urgent OR NOT EXISTS (
          SELECT FROM magis.work before
           WHERE before.kind = 'deliver' AND before.queue = own.queue AND before.arrival < own.arrival
             AND before.state IN ('waiting', 'working')
             AND (before.state = 'waiting' OR before.at > now() - make_interval(secs => $4::float8 / 1000))))) next
      WHERE urgent OR place <= $5 - (
        SELECT count(*) FROM magis.work WHERE kind = 'deliver' AND state = 'working' AND claimant = $1))
  ${GIVEN}`;

/**
 * Claims the deliveries whose turn it is: the first that waits in each issue queue, in the order of arrival, while this
 * machine has room; and urgent ones, which overtake everything that was said before. One whose admission takes longer
 * than `patienceMs` holds up its issue queue no longer.
 */
export async function claimDeliveries(pool: Pool, claimant: Claimant, patienceMs: number): Promise<readonly Claimed[]> {
  const values = [...claimantOf(claimant), patienceMs, DELIVERIES_AT_ONCE];
  return (await pool.query<Claimed>(CLAIM_DELIVERIES, values)).rows;
}

/**
 * Runs of the installation with the fewest at work come first, then the order of arrival, not a clock: an organisation
 * with many issues does not keep the others waiting. A run waits while its comment is being written, and while another
 * one of its issue or pull request is parked: both would do the same.
 */
const NEXT_RUNS = `
  WITH busy AS (
    SELECT queue, claimant, split_part(queue, '/', 1) AS installation
      FROM magis.work WHERE kind = 'resolve' AND state = 'working'),
  first AS (
    SELECT DISTINCT ON (queue) id, queue, version, arrival, claimant
      FROM magis.work w WHERE kind = 'resolve' AND state = 'waiting'
       AND NOT EXISTS (
         SELECT FROM magis.work a
          WHERE a.kind = 'resolve' AND a.state = 'aside' AND a.queue = w.queue
            AND a.input ->> 'issue' = w.input ->> 'issue')
     ORDER BY queue, arrival)
  SELECT id,
         GREATEST(LEAST($1::bigint - (SELECT count(*) FROM busy WHERE claimant = $4),
                        $5::bigint - (SELECT count(*) FROM busy)), 0)::int AS places
    FROM first
   WHERE claimant IS NULL AND queue NOT IN (SELECT queue FROM busy) AND ${OF_VERSION}
   ORDER BY (SELECT count(*) FROM busy WHERE installation = split_part(first.queue, '/', 1))
            + row_number() OVER (PARTITION BY split_part(first.queue, '/', 1) ORDER BY arrival), arrival`;

const CLAIM_RUNS = `
  UPDATE magis.work SET state = 'working', ${CLAIM} WHERE id = ANY($3) AND state = 'waiting' AND claimant IS NULL ${GIVEN}`;

/** What holds the first of a repository's runs back holds those behind it, too. */
const OF_QUEUE = `
  kind = 'resolve' AND state = 'waiting' AND queue IN (SELECT queue FROM magis.work WHERE id = ANY($1))`;

const HOLD = `
  UPDATE magis.work SET held_by = $2, held_since = coalesce(held_since, now()), held_until = $3::timestamptz
   WHERE ${OF_QUEUE} AND (held_by, held_until) IS DISTINCT FROM ($2, $3::timestamptz)`;

const LET_GO = `
  UPDATE magis.work SET held_by = NULL, held_since = NULL, held_until = NULL WHERE ${OF_QUEUE} AND held_by IS NOT NULL`;

const CLAIM_LOCK = 7_264_128;

/** While its places are taken, a machine neither takes the lock, which the others need, nor reads what waits. */
const CAN_CLAIM = `
  WITH working AS (SELECT claimant FROM magis.work WHERE kind = 'resolve' AND state = 'working')
  SELECT FROM magis.work
   WHERE kind = 'resolve' AND state = 'waiting'
     AND (SELECT count(*) FROM working WHERE claimant = $1) < $2 AND (SELECT count(*) FROM working) < $3
   LIMIT 1`;

const REQUESTS = `
  SELECT id, input AS request FROM unnest($1::text[]) WITH ORDINALITY AS wanted (id, place) JOIN magis.work USING (id)
   ORDER BY place`;

export interface RunClaims {
  /** runs at once on this machine */
  concurrency: number;
  /** runs at once on all machines together; absent: as many as they take */
  concurrencyOfAll?: number | undefined;
  accounts: Accounts;
  log: Log;
}

/**
 * Claims the runs whose turn it is, one a repository and as many as `concurrency` and `concurrencyOfAll` allow, and
 * enters each in the ledger with the money that is reserved for it. A run that has to wait for room under a limit
 * stays in the queue, which keeps the reason. One for which there will be no room is claimed, to be refused.
 */
export async function claimRuns(
  pool: Pool,
  claimant: Claimant,
  { concurrency, concurrencyOfAll = Number.MAX_SAFE_INTEGER, accounts, log }: RunClaims,
): Promise<readonly Claimed[]> {
  const { executor, version, isLatest } = claimant;
  if ((await pool.query(CAN_CLAIM, [executor, concurrency, concurrencyOfAll])).rowCount === 0) return [];
  return inTransaction(pool, async (client) => {
    await client.query("SELECT pg_advisory_xact_lock($1)", [CLAIM_LOCK]);
    const values = [concurrency, version, isLatest, executor, concurrencyOfAll];
    const { rows } = await client.query<Candidate>(NEXT_RUNS, values);
    const places = rows[0]?.places ?? 0;
    if (places === 0) return [];
    const waiting = rows.map(({ id }) => id);
    const entered = await findEntered(client, waiting);
    const waitedFor: HeldByLimit = new Map();
    const claimed: string[] = [];
    for await (const { id, request } of withRequests(client, waiting, places)) {
      if (!entered.has(id)) {
        const entry = await prepareEntry(client, request, accounts);
        const verdict = await judgeLimits(client, entry, waitedFor);
        if (verdict.kind === "wait") {
          await hold(client, id, verdict, log);
          continue;
        }
        await openEntry(client, entry, verdict.kind === "begin" ? undefined : verdict);
      }
      if (claimed.push(id) === places) break;
    }
    if (claimed.length === 0) return [];
    await client.query(LET_GO, [claimed]);
    return (await client.query<Claimed>(CLAIM_RUNS, [executor, version, claimed])).rows;
  });
}

async function hold(client: PoolClient, run: string, { by, until }: Wait, log: Log): Promise<void> {
  const { rowCount } = await client.query(HOLD, [[run], by, until ?? null]);
  if (rowCount !== 0)
    log.info({ run, by, until }, "the run waits: what runs at work may still use leaves no room under a limit");
}

/** Runs with their requests. Those behind the first `places` are read only when limits hold back some of these. */
async function* withRequests(client: PoolClient, ids: readonly string[], places: number) {
  for (const part of [ids.slice(0, places), ids.slice(places)]) {
    if (part.length === 0) return;
    const { rows } = await client.query<{ id: string; request: RunRequest }>(REQUESTS, [part]);
    yield* rows;
  }
}

/** A run that is the first of its repository. */
interface Candidate {
  id: string;
  /** how many runs may begin now */
  places: number;
}

const CLAIM_PLACELESS = `
  UPDATE magis.work SET state = CASE state WHEN 'waiting' THEN 'working' ELSE state END, ${CLAIM}
   WHERE (kind IN ('report', 'abandon') AND state = 'waiting' OR state = 'aside' AND claimant IS NULL AND $4)
     AND ${OF_VERSION} ${GIVEN}`;

/**
 * Claims work that takes no place: reports of ends, and, on a machine that takes runs, those that were parked when
 * their machine left them.
 */
export async function claimPlaceless(pool: Pool, claimant: Claimant, takesRuns = true): Promise<readonly Claimed[]> {
  return (await pool.query<Claimed>(CLAIM_PLACELESS, [...claimantOf(claimant), takesRuns])).rows;
}
