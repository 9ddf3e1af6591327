import type { Pool, PoolClient } from "pg";
import type { HeldBack } from "../model/limits.ts";
import type { RunRequest } from "../model/run-request.ts";
import type { Accounts, WorkKind } from "./engine.ts";
import { findEntered, openEntry, prepareEntry } from "./ledger.ts";
import { createLimitJudge } from "./limits.ts";
import { inTransaction } from "./transaction.ts";

/** A machine that claims work, and the version of its order of steps. */
export interface Claimant {
  readonly executor: string;
  readonly version: string;
  /** whether no living machine has a newer version: an older one must not pull work back to itself */
  readonly isLatest: boolean;
}

/** A piece of work whose turn it is. */
export interface Claimed {
  readonly id: string;
  readonly kind: WorkKind;
  readonly input: unknown;
  /** counts from 1 */
  readonly attempt: number;
  /** the first attempt by this version, whose steps can be replayed */
  readonly since: number;
}

/** What a claim writes; the claimant's values are $1 to $3. */
const CLAIM = `claimant = $1, attempt = attempt + 1, version = $2,
  since = CASE WHEN version = $2 THEN since ELSE attempt + 1 END`;

const GIVEN = "RETURNING id, kind, input, attempt, since";

const OF_VERSION = "(version IS NULL OR version = $2 OR $3)";

const claimantOf = ({ executor, version, isLatest }: Claimant) => [executor, version, isLatest];

/** An unfinished delivery. */
export interface Arrived {
  readonly id: string;
  readonly queue: string;
  /** nobody admits it yet */
  readonly waits: boolean;
  /** it overtakes everything that was said before */
  readonly urgent: boolean;
}

/**
 * The deliveries whose turn it is, of all unfinished ones in the order of their arrival: urgent ones, and the first
 * that waits in each issue queue, unless one before it is being admitted and not overdue.
 */
export function nextInQueues(arrived: readonly Arrived[], isOverdue: (id: string) => boolean): readonly string[] {
  const held = new Set<string>();
  const next: string[] = [];
  for (const { id, queue, waits, urgent } of arrived) {
    if (waits && (urgent || !held.has(queue))) next.push(id);
    if (waits || !isOverdue(id)) held.add(queue);
  }
  return next;
}

const UNADMITTED = `
  SELECT id, queue, state = 'waiting' AS waits, urgent FROM magis.work
   WHERE kind = 'deliver' AND state IN ('waiting', 'working') AND queue IN (
     SELECT queue FROM magis.work WHERE kind = 'deliver' AND state = 'waiting')
   ORDER BY arrival`;

const CLAIM_DELIVERIES = `
  UPDATE magis.work SET state = 'working', ${CLAIM} WHERE id = ANY($4) AND state = 'waiting' AND ${OF_VERSION} ${GIVEN}`;

/**
 * Makes the function that claims deliveries whose turn it is: all urgent ones, and others while `room` lasts. A
 * delivery whose admission takes longer than `patienceMs`, as seen here by a steady clock, holds up its issue queue no
 * longer.
 */
export function createDeliveryClaims(
  pool: Pool,
  patienceMs: number,
): (claimant: Claimant, room: number) => Promise<readonly Claimed[]> {
  const seen = new Map<string, number>();
  return async (claimant, room) => {
    const { rows } = await pool.query<Arrived>(UNADMITTED);
    const now = performance.now();
    const working = new Set(rows.filter(({ waits }) => !waits).map(({ id }) => id));
    for (const id of working) if (!seen.has(id)) seen.set(id, now);
    for (const id of seen.keys()) if (!working.has(id)) seen.delete(id);
    const next = nextInQueues(rows, (id) => now - (seen.get(id) ?? now) > patienceMs);
    const urgent = new Set(rows.filter((row) => row.urgent).map(({ id }) => id));
    const claimed = new Set([...next.filter((id) => urgent.has(id)), ...next.slice(0, Math.max(0, room))]);
    if (claimed.size === 0) return [];
    return (await pool.query<Claimed>(CLAIM_DELIVERIES, [...claimantOf(claimant), [...claimed]])).rows;
  };
}

/**
 * Runs of the installation with the fewest at work come first, then the order of arrival, not a clock: an organisation
 * with many issues does not keep the others waiting. A run waits until its delivery is over, since only that may write
 * the run's comment until then, and while another one of its issue or pull request is aside: both would do the same.
 */
const NEXT_RUNS = `
  WITH busy AS (
    SELECT queue, claimant, split_part(queue, '/', 1) AS installation
      FROM magis.work WHERE kind = 'resolve' AND state = 'working'),
  first AS (
    SELECT DISTINCT ON (queue) id, queue, version, arrival, input ->> 'delivery' AS delivery
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
   WHERE queue NOT IN (SELECT queue FROM busy) AND ${OF_VERSION}
     AND NOT EXISTS (
       SELECT FROM magis.work d
        WHERE d.kind = 'deliver' AND d.id = first.delivery AND d.state IN ('waiting', 'working'))
   ORDER BY (SELECT count(*) FROM busy WHERE installation = split_part(first.queue, '/', 1))
            + row_number() OVER (PARTITION BY split_part(first.queue, '/', 1) ORDER BY arrival), arrival`;

const CLAIM_RUNS = `
  UPDATE magis.work SET state = 'working', ${CLAIM} WHERE id = ANY($3) AND state = 'waiting' ${GIVEN}`;

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
  readonly concurrency: number;
  /** runs at once on all machines together; absent: as many as they take */
  readonly concurrencyOfAll?: number | undefined;
  readonly accounts?: Accounts | undefined;
  /** Called for each run that waits for room under a limit. */
  readonly onWait?: (run: string, held: Omit<HeldBack, "since">) => void;
}

/**
 * Claims the runs whose turn it is, one a repository and as many as `concurrency` and `concurrencyOfAll` allow, and
 * enters each in the ledger with the money that is set aside for it. A run that has to wait for room under a limit
 * stays in the queue, which keeps the reason. One for which there will be no room is claimed, to be refused.
 */
export async function claimRuns(
  pool: Pool,
  claimant: Claimant,
  { concurrency, concurrencyOfAll = Number.MAX_SAFE_INTEGER, accounts, onWait }: RunClaims,
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
    const { judge } = createLimitJudge(client);
    const claimed: string[] = [];
    for await (const { id, request } of withRequests(client, waiting, places)) {
      if (!entered.has(id)) {
        const entry = await prepareEntry(client, request, accounts);
        const verdict = await judge(entry);
        if (verdict.kind === "wait") {
          onWait?.(id, verdict);
          await client.query(HOLD, [[id], verdict.by, verdict.until ?? null]);
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

/**
 * What would hold a run back if its turn came now; only a claim decides. Nothing while a run of its repository works:
 * its turn has not come. The comment can say it, since that is made before the run may begin.
 */
export async function likelyHold(
  pool: Pool,
  request: RunRequest,
  accounts: Accounts | undefined,
): Promise<HeldBack | undefined> {
  if ((await pool.query(IS_BEHIND_WORK, [request.id])).rowCount !== 0) return undefined;
  const verdict = await createLimitJudge(pool).judge(await prepareEntry(pool, request, accounts));
  if (verdict.kind !== "wait") return undefined;
  const { by, until } = verdict;
  return { by, since: new Date().toISOString(), until };
}

const IS_BEHIND_WORK = `
  SELECT FROM magis.work own JOIN magis.work w USING (queue)
   WHERE own.id = $1 AND w.kind = 'resolve' AND w.state = 'working' LIMIT 1`;

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
  readonly id: string;
  /** how many runs may begin now */
  readonly places: number;
}

const CLAIM_PLACELESS = `
  UPDATE magis.work SET state = CASE state WHEN 'waiting' THEN 'working' ELSE state END, ${CLAIM}
   WHERE (kind IN ('report', 'abandon') AND state = 'waiting' OR state = 'aside' AND claimant IS NULL AND $4)
     AND ${OF_VERSION} ${GIVEN}`;

/**
 * Claims work that takes no place: reports of ends, and, on a machine that takes runs, those that were aside when their
 * machine left them.
 */
export async function claimPlaceless(pool: Pool, claimant: Claimant, takesRuns = true): Promise<readonly Claimed[]> {
  return (await pool.query<Claimed>(CLAIM_PLACELESS, [...claimantOf(claimant), takesRuns])).rows;
}

const UNCLAIM = "claimant = NULL, state = CASE state WHEN 'working' THEN 'waiting' ELSE state END";

/** Puts back what this machine claimed and does not do: it waits for its turn again, or goes on aside elsewhere. */
export async function unclaim(pool: Pool, executor: string, ids: readonly string[]): Promise<void> {
  const sql = `UPDATE magis.work SET ${UNCLAIM} WHERE id = ANY($1) AND claimant = $2 AND state IN ('working', 'aside')`;
  await pool.query(sql, [ids, executor]);
}

/** Work taken from a machine; `takeovers`: how often that has happened to it. */
export interface TakenOver {
  readonly id: string;
  readonly kind: WorkKind;
  readonly takeovers: number;
}

/** Takes unfinished work from every machine that is not in `living`. Each piece is given to one caller only. */
export async function takeOver(pool: Pool, living: readonly string[]): Promise<readonly TakenOver[]> {
  const sql = `UPDATE magis.work SET takeovers = takeovers + 1, ${UNCLAIM}
    WHERE state IN ('working', 'aside') AND claimant <> ALL($1) RETURNING id, kind, takeovers`;
  return (await pool.query<TakenOver>(sql, [living])).rows;
}

/** A run that was aside under an earlier version begins again from its first step, which needs a place. */
export async function requeueOldVersions(pool: Pool, version: string): Promise<void> {
  const sql = "UPDATE magis.work SET state = 'waiting' WHERE state = 'aside' AND claimant IS NULL AND version <> $1";
  await pool.query(sql, [version]);
}

/** The ids of the work that a machine has claimed and not ended. */
export async function claimedBy(pool: Pool, executor: string): Promise<ReadonlySet<string>> {
  const sql = "SELECT id FROM magis.work WHERE claimant = $1 AND state IN ('working', 'aside')";
  return new Set((await pool.query<{ id: string }>(sql, [executor])).rows.map(({ id }) => id));
}
