import { setTimeout as delay } from "node:timers/promises";
import type { Pool, PoolClient } from "pg";
import type { LimitReached } from "../data/limits.ts";
import type { Log } from "../data/log.ts";
import type { Delivery, RunRequest } from "../data/run-request.ts";
import type { RunResult } from "../data/run-state.ts";
import type { Accounts, PullEnd, RunFacts } from "./engine.ts";
import { type Applicant, warnOfLimits } from "./limits.ts";
import { inTransaction, type Queries } from "./transaction.ts";
import { patientQuery } from "./work-queue.ts";

/** The first run of the same root, or the one that opened the pull request. */
const OPENER = `
  SELECT coalesce(change, seq) AS change, person FROM magis.ledger
   WHERE root = $1 OR $5::text <> 'resolve' AND lower(owner) = lower($2) AND lower(repo) = lower($3) AND pull = $4
   ORDER BY seq LIMIT 1`;

interface Opener {
  /** int8 comes as text */
  change: string;
  person: string | null;
}

/** What a run has to be entered with. */
export interface NewEntry extends Applicant {
  /** number of the work on the same change that it belongs to; absent: it is the first */
  change: string | undefined;
}

/** Runs that checks or a push started count towards the person who asked for the pull request. */
export async function prepareEntry(client: Queries, request: RunRequest, accounts: Accounts): Promise<NewEntry> {
  const { root, repository, issue, actor, work } = request;
  const { rows } = await client.query<Opener>(OPENER, [root, repository.owner, repository.name, issue, work.kind]);
  const [opener] = rows;
  const person = (work.kind === "repair" || work.kind === "update" ? opener?.person : undefined) ?? actor;
  const needed = Math.max(0, accounts.budgetOf(request) - (await spentByRoot(client, root)));
  const limits = accounts.limitsOf(request);
  return { request, person, needed, limits, change: opener?.change };
}

const OPEN = `
  INSERT INTO magis.ledger
         (run, root, installation, owner, repo, issue, person, asked, work, set_aside, change, refused, limits)
  VALUES ($1, $2, $3, $4, $5, $6, $7, $8::timestamptz, $9, $10, $11, $12, $13)
  ON CONFLICT (run) DO NOTHING`;

/** Enters a run that begins, or one that a limit refuses, which gets no money. One that is entered stays as it is. */
export async function openEntry(
  client: PoolClient,
  { request, person, needed, change, limits }: NewEntry,
  refused?: LimitReached,
): Promise<void> {
  const { id, root, repository, issue, requestedAt, work } = request;
  const { installationId, owner, name } = repository;
  const asked = Number.isNaN(Date.parse(requestedAt)) ? null : requestedAt;
  const reserved = refused === undefined ? needed : 0;
  const values = [id, root, installationId, owner, name, issue, person, asked, work.kind, reserved, change ?? null];
  const refusal = refused === undefined ? null : JSON.stringify(refused);
  await client.query(OPEN, [...values, refusal, JSON.stringify(limits.money)]);
}

/** Which of the runs are in the ledger. */
export async function findEntered(client: PoolClient, runs: readonly string[]): Promise<ReadonlySet<string>> {
  const sql = "SELECT run FROM magis.ledger WHERE run = ANY($1)";
  return new Set((await client.query<{ run: string }>(sql, [runs])).rows.map(({ run }) => run));
}

/** The limit that keeps a run from beginning; it never changes once the run is entered. */
export async function findRefusal(pool: Pool, run: string): Promise<LimitReached | undefined> {
  const sql = "SELECT refused FROM magis.ledger WHERE run = $1";
  return (await patientQuery<{ refused: LimitReached | null }>(pool, sql, [run])).rows[0]?.refused ?? undefined;
}

/** What a run continues has spent: that counts against its budget, and was counted before. */
async function spentByRoot(client: Queries, root: string): Promise<number> {
  const sql = "SELECT coalesce(sum(money), 0)::float8 AS spent FROM magis.model_call WHERE run_id = $1";
  const { rows } = await client.query<{ spent: number }>(sql, [root]);
  return rows[0]?.spent ?? 0;
}

/** How a run has ended. */
export interface RunEnd extends RunFacts {
  /** milliseconds by step; absent: nobody knows */
  durations?: Readonly<Record<string, number>>;
}

const RETRY_MS = 500;

/** While the database is away for longer, `settleEnded` settles the run later. */
const WITHIN_MS = 600_000;

/** Enters the end of a run with what it has spent, once. Tries again for ten minutes while the database is away. */
export async function settleEnd(
  pool: Pool,
  request: RunRequest,
  result: RunResult,
  { accounts, durations, log }: { durations: RunEnd["durations"] } & Accounting,
): Promise<void> {
  const from = performance.now();
  for (;;) {
    try {
      const facts = await accounts.factsOf(request, result);
      return await settle(pool, request, { ...facts, durations }, { accounts, log });
    } catch (error) {
      const late = pool.ended || performance.now() - from > WITHIN_MS;
      log.warn({ run: request.id, error }, "the run's end could not be entered in the ledger; it is tried again");
      if (late) return;
      await delay(RETRY_MS);
    }
  }
}

interface Accounting {
  accounts: Accounts;
  log: Log;
}

const END = `
  UPDATE magis.ledger SET ended = now(), outcome = $2, phases = $3, rounds = $4, proof = $5, head = $7,
         pull = coalesce($6, pull), pull_state = CASE WHEN $6::int IS NULL THEN pull_state ELSE coalesce(pull_state, 'open') END
   WHERE run = $1 AND ended IS NULL`;

/** Work on the pull request that began before the run that opened it had ended. */
const FOLLOW_UPS = `
  UPDATE magis.ledger f SET change = coalesce(l.change, l.seq) FROM magis.ledger l
   WHERE l.run = $1 AND f.work <> 'resolve' AND f.change IS NULL AND f.issue = l.pull
     AND lower(f.owner) = lower(l.owner) AND lower(f.repo) = lower(l.repo)`;

async function settle(pool: Pool, request: RunRequest, end: RunEnd, { accounts, log }: Accounting): Promise<void> {
  const { id, root } = request;
  const person = await inTransaction(pool, async (client) => {
    const entry = await prepareEntry(client, request, accounts);
    await openEntry(client, entry);
    await countCalls(client, root, id, accounts);
    const phases = end.durations === undefined ? null : JSON.stringify(end.durations);
    const values = [
      id,
      end.outcome,
      phases,
      end.rounds ?? null,
      end.proof ?? null,
      end.opened ?? null,
      end.head ?? null,
    ];
    await client.query(END, values);
    if (end.opened !== undefined) await client.query(FOLLOW_UPS, [id]);
    return entry.person;
  });
  const limits = accounts.limitsOf(request);
  await warnOfLimits(pool, { request, person, limits }, log).catch((error: unknown) =>
    log.warn({ run: id, error }, "could not see how much of the spending limits is used"),
  );
}

interface CountedCall {
  prompt_id: string;
  tier: string;
  model: string | null;
  money: number;
  tokens: number;
}

const COUNT = `
  UPDATE magis.model_call SET counted = true WHERE run_id = $1 AND NOT counted
  RETURNING prompt_id, tier, model, money, tokens`;

const ADD_SPEND = `
  INSERT INTO magis.ledger_spend AS s (ledger, role, model, calls, spent, tokens)
  SELECT seq, $2, $3, $4, $5::float8::numeric, $6 FROM magis.ledger WHERE run = $1
  ON CONFLICT (ledger, role, model) DO UPDATE
    SET calls = s.calls + EXCLUDED.calls, spent = s.spent + EXCLUDED.spent, tokens = s.tokens + EXCLUDED.tokens`;

const ADD_TO_RUN = `
  UPDATE magis.ledger SET calls = calls + $2, spent = spent + $3::float8::numeric, tokens = tokens + $4 WHERE run = $1`;

/** Adds a root's calls that no run has counted yet to a run, by role and model. Each call counts once. */
async function countCalls(client: PoolClient, root: string, run: string, accounts: Accounts): Promise<void> {
  const { rows } = await client.query<CountedCall>(COUNT, [root]);
  // A failed call names no model: it is the one that its tier answered with otherwise.
  const byTier = new Map(rows.flatMap(({ tier, model }) => (model === null ? [] : [[tier, model] as const])));
  const sums = new Map<string, { role: string; model: string; calls: number; money: number; tokens: number }>();
  for (const { prompt_id, tier, model, money, tokens } of rows) {
    const role = accounts.roleOf(prompt_id);
    const name = model ?? byTier.get(tier) ?? "unknown";
    const key = JSON.stringify([role, name]);
    const sum = sums.get(key) ?? { role, model: name, calls: 0, money: 0, tokens: 0 };
    sums.set(key, { ...sum, calls: sum.calls + 1, money: sum.money + money, tokens: sum.tokens + tokens });
  }
  for (const { role, model, calls, money, tokens } of sums.values()) {
    await client.query(ADD_SPEND, [run, role, model, calls, money, Math.round(tokens)]);
    await client.query(ADD_TO_RUN, [run, calls, money, Math.round(tokens)]);
  }
}

/** By then a cancelled run has stopped on every machine, and its last calls are stored. */
const REST_SECONDS = 15;

const UNSETTLED = `
  SELECT l.run, w.input AS request, w.state FROM magis.ledger l LEFT JOIN magis.work w ON w.id = l.run
   WHERE l.ended IS NULL AND (w.id IS NULL OR w.state = 'ended'
      OR w.state = 'cancelled' AND w.at < now() - make_interval(secs => $1))`;

interface Unsettled {
  run: string;
  /** absent when the work was deleted */
  request: RunRequest | null;
  state: string | null;
}

/** Calls that were stored after their run was settled; the run that last worked for their root gets them. */
const LATE = `
  SELECT DISTINCT ON (l.root) l.root, l.run FROM magis.ledger l
   WHERE l.root IN (SELECT run_id FROM magis.model_call WHERE NOT counted)
     AND NOT EXISTS (SELECT FROM magis.ledger w WHERE w.root = l.root AND w.ended IS NULL)
   ORDER BY l.root, l.seq DESC`;

/**
 * Settles what no run could settle itself: runs that were cancelled or given up, or whose end was not entered, and calls
 * that ended after their run.
 */
export async function settleEnded(
  pool: Pool,
  { accounts, log }: Accounting,
  restSeconds = REST_SECONDS,
): Promise<void> {
  const { rows } = await pool.query<Unsettled>(UNSETTLED, [restSeconds]);
  for (const { run, request, state } of rows) {
    if (request === null) {
      await pool.query("UPDATE magis.ledger SET ended = now(), outcome = 'unknown' WHERE run = $1", [run]);
      continue;
    }
    const facts = await accounts.factsOf(request, undefined);
    const outcome = facts.outcome ?? (state === "cancelled" ? "cancelled" : "failed");
    await settle(pool, request, { ...facts, outcome }, { accounts, log });
    log.info({ run, outcome }, "the run's costs were entered in the ledger after its end");
  }
  const late = await pool.query<{ root: string; run: string }>(LATE);
  for (const { root, run } of late.rows) await inTransaction(pool, (client) => countCalls(client, root, run, accounts));
  await accounts.emptyForgotten();
}

const PULL_ENDED = `
  UPDATE magis.ledger SET pull_state = $4, pull_ended = $5::timestamptz, merge_commit = $6, measured = false
   WHERE lower(owner) = lower($1) AND lower(repo) = lower($2) AND pull = $3 AND pull_state IN ('open', 'closed')
     AND pull_state <> $4`;

/** When it was merged is left to `measureOutcomes`. */
const PULL_REVERTED = `
  UPDATE magis.ledger SET pull_state = 'reverted', measured = measured AND pull_state = 'merged'
   WHERE lower(owner) = lower($1) AND lower(repo) = lower($2) AND (pull = $3 OR merge_commit = ANY($4))
     AND pull_state IN ('open', 'closed', 'merged')`;

const DECIDED = `
  INSERT INTO magis.peoples_pull (installation, owner, repo, number, is_merged, at)
  VALUES ($1, lower($2), lower($3), $4, $5, $6::timestamptz)
  ON CONFLICT (installation, owner, repo, number) DO UPDATE SET is_merged = EXCLUDED.is_merged, at = EXCLUDED.at`;

/**
 * Enters in the ledger that a pull request was merged, closed, or reverted after its merge; one that was reverted stays
 * so. Of people's pull requests it counts what became of them. Other deliveries change nothing. Gives the ends that the ledger did not know yet, one for each pull request of the
 * bot; running it again gives none. Asks the host nothing.
 */
export async function notePullEnd(
  pool: Pool,
  { trigger, repository, issue, at }: Delivery,
): Promise<readonly PullEnd[]> {
  const { owner, name, installationId } = repository;
  const time = Number.isNaN(Date.parse(at)) ? new Date().toISOString() : at;
  const decided = (number: number, isMerged: boolean) =>
    pool.query(DECIDED, [installationId, owner, name, number, isMerged, time]);
  const enter = async (end: PullEnd, sql: string, values: readonly unknown[]) => {
    const { rowCount } = await pool.query(sql, [owner, name, ...values]);
    return Array.from({ length: rowCount ?? 0 }, () => end);
  };
  if (trigger.kind === "decided") await decided(issue, trigger.isMerged);
  if (trigger.kind === "reverted") {
    await decided(trigger.by, true);
    return enter("reverted", PULL_REVERTED, [issue, []]);
  }
  if (trigger.kind === "push" && trigger.reverts) return enter("reverted", PULL_REVERTED, [null, trigger.reverts]);
  if (trigger.kind !== "gone" || (trigger.why !== "merged" && trigger.why !== "closed")) return [];
  return enter(trigger.why, PULL_ENDED, [issue, trigger.why, time, trigger.mergeCommit ?? null]);
}
