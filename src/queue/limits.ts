import { createHash } from "node:crypto";
import type { Pool } from "pg";
import { type HeldBack, type LimitReached, type MoneyLimit, NEAR, type RunLimits } from "../data/limits.ts";
import type { Log } from "../data/log.ts";
import { type RunRequest, repositoryName } from "../data/run-request.ts";
import type { Queries } from "./transaction.ts";

/** A run, and the limits that hold for it. */
interface Limited {
  request: RunRequest;
  /** login of whoever asked for it, or for the run that it repairs */
  person: string;
  limits: RunLimits;
}

/** A run that wants to begin. */
export interface Applicant extends Limited {
  /** US dollars that it may cost */
  needed: number;
}

/**
 * `begin`: there is room under every limit. `wait`: there will be, if runs at work use less than they may. Otherwise
 * the limit under which there is no room however little they use.
 */
export type Verdict = { kind: "begin" } | Wait | LimitReached;

/** What keeps a run waiting, and until when at the latest. */
export type Wait = { kind: "wait" } & Omit<HeldBack, "since">;

const BEGIN = { kind: "begin" } as const;

/** What earlier runs in a round of claims wait for, by limit. */
export type HeldByLimit = Map<string, Wait>;

/**
 * Judges a run in a round of claims, in which nobody else may enter runs. While a run waits for room under a limit,
 * later ones under the same limit wait behind it (`waitedFor`): small runs must not keep a large one waiting for ever.
 */
export async function judgeLimits(client: Queries, applicant: Applicant, waitedFor: HeldByLimit): Promise<Verdict> {
  const { money, openPulls } = applicant.limits;
  // Files of one owner may set different limits for all its repositories.
  const keys = money.map((limit) => `${keyOf(limit, applicant)} ${limit.most}`);
  const behind = keys.flatMap((key) => waitedFor.get(key) ?? []);
  if (behind.length > 0) return lastOf(behind);
  const waits: Wait[] = [];
  for (const [at, limit] of money.entries()) {
    const verdict = await verdictOnMoney(client, limit, applicant);
    if (verdict.kind === "money" || verdict.kind === "open-pulls") return verdict;
    if (verdict.kind === "begin") continue;
    waitedFor.set(keys[at] ?? "", verdict);
    waits.push(verdict);
  }
  const pulls = openPulls === undefined ? BEGIN : await verdictOnPulls(client, applicant.request, openPulls);
  return pulls.kind === "begin" && waits.length > 0 ? lastOf(waits) : pulls;
}

async function verdictOnMoney(client: Queries, limit: MoneyLimit, applicant: Applicant): Promise<Verdict> {
  const { needed, request } = applicant;
  const values = [...scopeOf(limit, applicant), limit.period, needed, limit.most, request.id];
  const { rows } = await client.query<Room>(ROOM, values);
  const [room] = rows;
  if (room === undefined || room.fits) return BEGIN;
  const { spent } = room;
  const until = room.until.toISOString();
  return room.may_fit ? { kind: "wait", by: "budget", until } : { kind: "money", ...limit, spent, needed, until };
}

/** The one with the latest end: a run needs room under all of its limits. */
const lastOf = (waits: readonly Wait[]): Wait =>
  waits.reduce((last, one) => ((one.until ?? "") > (last.until ?? "") ? one : last));

const keyOf = (limit: MoneyLimit, applicant: Limited) => JSON.stringify([limit.period, ...scopeOf(limit, applicant)]);

/** The owner, repository and person whose runs count; null: all. */
function scopeOf(
  { scope }: MoneyLimit,
  { request, person }: Limited,
): readonly [owner: string | null, repo: string | null, person: string | null] {
  const { owner, name } = request.repository;
  switch (scope) {
    case "organisation":
      return [owner.toLowerCase(), null, null];
    case "repository":
      return [owner.toLowerCase(), name.toLowerCase(), null];
    case "person":
      return [null, null, person.toLowerCase()];
    default:
      return [null, null, null];
  }
}

interface Room {
  /** US dollars that ended runs have spent */
  spent: number;
  fits: boolean;
  /** it fits if the runs at work spend nothing */
  may_fit: boolean;
  until: Date;
}

/** `now()` is the database's, for all machines. Sums are exact: the columns are numeric. */
const PERIOD = `
  SELECT date_trunc($4, now() AT TIME ZONE 'UTC') AS begun,
         date_trunc($4, now() AT TIME ZONE 'UTC') + ('1 ' || $4)::interval AS until`;

const ROOM = `
  WITH period AS (${PERIOD}),
  sums AS (
    SELECT coalesce(sum(spent) FILTER (WHERE ended IS NOT NULL), 0) AS spent,
           coalesce(sum(set_aside) FILTER (WHERE ended IS NULL), 0) AS held
      FROM magis.ledger, period
     WHERE started >= begun AT TIME ZONE 'UTC' AND run IS DISTINCT FROM $7
       AND ($1::text IS NULL OR lower(owner) = $1) AND ($2::text IS NULL OR lower(repo) = $2)
       AND ($3::text IS NULL OR lower(person) = $3))
  SELECT spent::float8 AS spent, spent + held + $5::numeric <= $6::numeric AS fits,
         spent + $5::numeric <= $6::numeric AS may_fit, until AT TIME ZONE 'UTC' AS until
    FROM sums, period`;

/** The watch knows the open ones; the ledger hears first of those that were closed. */
const PULLS = `
  SELECT (SELECT count(*) FROM magis.open_pull o
           WHERE lower(o.owner) = lower($1) AND lower(o.name) = lower($2) AND NOT EXISTS (
             SELECT FROM magis.ledger l
              WHERE lower(l.owner) = lower($1) AND lower(l.repo) = lower($2) AND l.pull = o.number
                AND l.pull_state IN ('merged', 'closed', 'reverted')))::int AS open,
         (SELECT count(*) FROM magis.ledger
           WHERE ended IS NULL AND work = 'resolve' AND lower(owner) = lower($1) AND lower(repo) = lower($2)
             AND run <> $3)::int AS coming`;

async function verdictOnPulls(client: Queries, { id, repository }: RunRequest, most: number): Promise<Verdict> {
  const { owner, name } = repository;
  const { rows } = await client.query<{ open: number; coming: number }>(PULLS, [owner, name, id]);
  const { open = 0, coming = 0 } = rows[0] ?? {};
  if (open >= most) return { kind: "open-pulls", open, most };
  return open + coming >= most ? { kind: "wait", by: "pulls" } : BEGIN;
}

const SPENT = `
  WITH period AS (${PERIOD})
  SELECT coalesce(sum(spent), 0)::float8 AS spent, coalesce(sum(spent), 0) >= ${NEAR} * $5::numeric AS is_near,
         (SELECT begun FROM period)::text AS begun
    FROM magis.ledger, period
   WHERE started >= begun AT TIME ZONE 'UTC'
     AND ($1::text IS NULL OR lower(owner) = $1) AND ($2::text IS NULL OR lower(repo) = $2)
     AND ($3::text IS NULL OR lower(person) = $3)`;

/** Logs each limit of which four fifths are spent, once in its period, whichever machine sees it. */
export async function warnOfLimits(pool: Pool, applicant: Limited, log: Log): Promise<void> {
  for (const limit of applicant.limits.money) {
    const values = [...scopeOf(limit, applicant), limit.period, limit.most];
    const { rows } = await pool.query<{ spent: number; is_near: boolean; begun: string }>(SPENT, values);
    const [found] = rows;
    if (found === undefined || !found.is_near) continue;
    // A digest, since the key names a repository or a person and is kept.
    const key = createHash("sha256")
      .update(JSON.stringify([found.begun, limit.most, keyOf(limit, applicant)]))
      .digest("hex");
    const noted = await pool.query("INSERT INTO magis.limit_warning (key) VALUES ($1) ON CONFLICT DO NOTHING", [key]);
    if (noted.rowCount === 0) continue;
    const { scope, period, most } = limit;
    const about = { scope, period, most, spent: found.spent, of: nameOf(limit, applicant) };
    log.warn(about, "80 % of a spending limit is used; at the limit no more runs begin");
  }
}

function nameOf({ scope }: MoneyLimit, { request, person }: Limited): string {
  const { repository } = request;
  const names = { bot: "all", organisation: repository.owner, repository: repositoryName(repository), person };
  return names[scope];
}
