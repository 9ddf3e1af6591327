import type { Pool } from "pg";
import { MagisError } from "../../data/error.ts";

/**
 * Columns with a model's text are json, not jsonb, which refuses \u0000 and lone surrogates: an answer that was paid
 * for must always fit.
 */
const START = [
  // Each machine, with the version of its order of steps: while old and new ones run together, the newest take over.
  `CREATE TABLE magis.executor (
     id text PRIMARY KEY,
     seen timestamptz NOT NULL DEFAULT now(),
     version integer)`,
  // `heard`, by GitHub's clock: how far a pull request's comments are handled.
  `CREATE TABLE magis.open_pull (
     owner text NOT NULL,
     name text NOT NULL,
     number integer NOT NULL,
     installation bigint NOT NULL,
     since timestamptz NOT NULL DEFAULT now(),
     heard text,
     PRIMARY KEY (owner, name, number))`,
  `CREATE TABLE magis.delivery_digest (
     digest text PRIMARY KEY,
     delivery text NOT NULL,
     at timestamptz NOT NULL DEFAULT now())`,
  "CREATE INDEX delivery_digest_by_age ON magis.delivery_digest (at)",
  `CREATE TABLE magis.run (
     id text PRIMARY KEY,
     repository text,
     issue integer,
     request json,
     state json,
     seq bigint GENERATED ALWAYS AS IDENTITY,
     updated_at timestamptz NOT NULL DEFAULT now())`,
  "CREATE INDEX run_by_age ON magis.run (updated_at)",
  "CREATE INDEX run_of_issue ON magis.run (lower(repository), issue, seq)",
  `CREATE TABLE magis.run_record (
     run_id text NOT NULL,
     part text NOT NULL,
     value json NOT NULL,
     updated_at timestamptz NOT NULL DEFAULT now(),
     PRIMARY KEY (run_id, part))`,
  // `began`: milliseconds since the epoch; `counted`: in the ledger.
  `CREATE TABLE magis.model_call (
     id uuid PRIMARY KEY,
     seq bigint GENERATED ALWAYS AS IDENTITY,
     run_id text NOT NULL,
     key text NOT NULL,
     prompt_id text NOT NULL,
     tier text NOT NULL,
     answer json,
     tokens double precision NOT NULL,
     money double precision NOT NULL,
     elapsed double precision NOT NULL,
     began bigint,
     failure text,
     at timestamptz NOT NULL DEFAULT now(),
     model text,
     counted boolean NOT NULL DEFAULT false)`,
  "CREATE UNIQUE INDEX model_call_paid_once ON magis.model_call (run_id, key) WHERE answer IS NOT NULL",
  "CREATE INDEX model_call_of_run ON magis.model_call (run_id, seq)",
  "CREATE INDEX model_call_by_age ON magis.model_call (at)",
  "CREATE INDEX model_call_uncounted ON magis.model_call (run_id) WHERE NOT counted",
  // A counter, since timestamps can be equal, and then neither "latest" nor "least recent" is one row.
  "CREATE SEQUENCE magis.memory_clock",
  `CREATE TABLE magis.remembered_version (
     installation bigint NOT NULL,
     repository text NOT NULL,
     path text NOT NULL,
     blob text NOT NULL,
     summary text NOT NULL,
     learned bigint NOT NULL,
     used bigint NOT NULL,
     PRIMARY KEY (installation, repository, path, blob))`,
  "CREATE INDEX remembered_by_blob ON magis.remembered_version (installation, repository, blob)",
  "CREATE INDEX remembered_by_use ON magis.remembered_version (installation, repository, used)",
  // Runs that ended while their writes may have been under way. `looks`: sweeps that are done.
  `CREATE TABLE magis.swept_run (
     run text PRIMARY KEY,
     request json NOT NULL,
     since timestamptz NOT NULL DEFAULT now(),
     looks integer NOT NULL DEFAULT 0)`,
  // Deliveries, runs and reports, numbered in the order in which they come, whatever the clocks of machines say.
  // `held_by` and so on: why a run whose turn it is waits (`HeldBack`); empty once it has begun.
  `CREATE TABLE magis.work (
     id text PRIMARY KEY,
     arrival bigint GENERATED ALWAYS AS IDENTITY,
     kind text NOT NULL,
     queue text NOT NULL,
     state text NOT NULL DEFAULT 'waiting',
     urgent boolean NOT NULL DEFAULT false,
     subject text,
     input json NOT NULL,
     claimant text,
     version text,
     attempt integer NOT NULL DEFAULT 0,
     since integer NOT NULL DEFAULT 1,
     takeovers integer NOT NULL DEFAULT 0,
     woken boolean NOT NULL DEFAULT false,
     at timestamptz NOT NULL DEFAULT now(),
     held_by text,
     held_since timestamptz,
     held_until timestamptz)`,
  `CREATE INDEX unfinished_work ON magis.work (kind, queue, arrival)
     WHERE state IN ('waiting', 'working', 'aside')`,
  `CREATE UNIQUE INDEX work_of_subject ON magis.work (subject) WHERE state IN ('waiting', 'working', 'aside')`,
  "CREATE INDEX work_by_age ON magis.work (at)",
  // What runs cost and what became of them, kept when their details are gone. `change` numbers the work on one change:
  // runs that continue each other, and later work on their pull request. Names and ids are emptied when they have to be
  // forgotten (`forget`); figures stay. `refused`: why a run did not begin (`LimitReached`); `limits`: the limits of
  // money (`MoneyLimit[]`) that held for it; `merge_commit`: by which a push that reverts it is known.
  `CREATE TABLE magis.ledger (
     seq bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
     run text UNIQUE,
     root text,
     installation bigint,
     owner text,
     repo text,
     issue integer,
     person text,
     change bigint,
     work text NOT NULL,
     asked timestamptz,
     started timestamptz NOT NULL DEFAULT now(),
     ended timestamptz,
     outcome text,
     set_aside numeric NOT NULL DEFAULT 0,
     spent numeric NOT NULL DEFAULT 0,
     calls integer NOT NULL DEFAULT 0,
     tokens bigint NOT NULL DEFAULT 0,
     phases json,
     rounds integer,
     proof text,
     pull integer,
     head text,
     pull_state text,
     pull_ended timestamptz,
     review_comments integer,
     lines_after integer,
     lines_note text,
     measured boolean NOT NULL DEFAULT false,
     forget text,
     refused json,
     merge_commit text,
     limits json)`,
  "CREATE INDEX ledger_by_start ON magis.ledger (started)",
  "CREATE INDEX ledger_of_root ON magis.ledger (root)",
  "CREATE INDEX ledger_of_change ON magis.ledger (coalesce(change, seq))",
  "CREATE INDEX ledger_of_repository ON magis.ledger (lower(owner), lower(repo), pull)",
  "CREATE INDEX ledger_unended ON magis.ledger (seq) WHERE ended IS NULL",
  `CREATE TABLE magis.ledger_spend (
     ledger bigint NOT NULL REFERENCES magis.ledger ON DELETE CASCADE,
     role text NOT NULL,
     model text NOT NULL,
     calls integer NOT NULL,
     spent numeric NOT NULL,
     tokens bigint NOT NULL,
     PRIMARY KEY (ledger, role, model))`,
  // Limits that the operator has been warned of.
  "CREATE TABLE magis.limit_warning (key text PRIMARY KEY, at timestamptz NOT NULL DEFAULT now())",
  // What maintainers asked the bot to remember. `comment`: the command, which is carried out once.
  `CREATE TABLE magis.maintainer_note (
     installation bigint NOT NULL,
     owner text NOT NULL,
     repo text NOT NULL,
     number integer NOT NULL,
     comment bigint NOT NULL,
     text text NOT NULL,
     person text NOT NULL,
     at timestamptz NOT NULL DEFAULT now(),
     PRIMARY KEY (installation, owner, repo, number),
     UNIQUE (installation, owner, repo, comment))`,
  // What became of people's pull requests, to hold the bot's against. Whose they are is not kept.
  `CREATE TABLE magis.peoples_pull (
     installation bigint NOT NULL,
     owner text NOT NULL,
     repo text NOT NULL,
     number integer NOT NULL,
     is_merged boolean NOT NULL,
     at timestamptz NOT NULL,
     PRIMARY KEY (installation, owner, repo, number))`,
  // What GitHub called a repository last: `since` by its clock, `at` by ours. What is kept under a name follows it.
  `CREATE TABLE magis.repository (
     id bigint PRIMARY KEY,
     owner text NOT NULL,
     name text NOT NULL,
     installation bigint NOT NULL,
     since timestamptz NOT NULL,
     at timestamptz NOT NULL DEFAULT now())`,
  "CREATE INDEX repository_by_name ON magis.repository (lower(owner), lower(name))",
];

/** Who may write a run's state and record (`RunWriter`). What only earlier versions used goes. */
const WRITERS = [
  "ALTER TABLE magis.run ADD COLUMN writer text",
  "DROP TABLE IF EXISTS magis.write_quota",
  "ALTER TABLE magis.open_pull DROP COLUMN IF EXISTS own",
];

/**
 * Changes of our tables and their contents, in order. A new format is one more entry at the end, which also converts
 * existing rows; released entries never change. Machines of the version before still work on the new tables while they
 * are replaced one by one: add what is new, and drop what is old a version later.
 */
export const MIGRATIONS: readonly (readonly string[])[] = [START, WRITERS];

/** Versions of the tables before `START`, which nobody has any more. */
const GONE = 18;

/**
 * Brings our tables up to date, each migration once, whole or not at all. Call it under the migration lock. Throws
 * DATABASE_UNAVAILABLE for tables of a newer version of MAGIS, and of one that is too old.
 */
export async function migrateTables(pool: Pool, migrations = MIGRATIONS): Promise<void> {
  await pool.query("CREATE SCHEMA IF NOT EXISTS magis");
  await pool.query(
    "CREATE TABLE IF NOT EXISTS magis.migration (number integer PRIMARY KEY, at timestamptz NOT NULL DEFAULT now())",
  );
  const { rows } = await pool.query<{ done: number }>(
    "SELECT coalesce(max(number), 0)::int AS done FROM magis.migration",
  );
  const done = rows[0]?.done ?? 0;
  const latest = GONE + migrations.length;
  if (done > latest) {
    const message =
      `A newer version of MAGIS has used this database: its tables have version ${done}, and this one knows ` +
      `${latest}. Start that version, or restore a backup from before the upgrade.`;
    throw new MagisError("DATABASE_UNAVAILABLE", message);
  }
  if (done > 0 && done <= GONE) {
    const message =
      `The tables of this database have version ${done}, which is too old: this version of MAGIS upgrades them from ` +
      `${GONE + 1} on. Start a version in between first.`;
    throw new MagisError("DATABASE_UNAVAILABLE", message);
  }
  for (const [at, statements] of migrations.entries()) {
    const number = GONE + at + 1;
    if (number > done) await migrateOnce(pool, number, statements);
  }
}

async function migrateOnce(pool: Pool, number: number, statements: readonly string[]): Promise<void> {
  const client = await pool.connect();
  try {
    await client.query("BEGIN");
    for (const sql of statements) await client.query(sql);
    await client.query("INSERT INTO magis.migration (number) VALUES ($1)", [number]);
    await client.query("COMMIT");
  } catch (error) {
    await client.query("ROLLBACK");
    throw error;
  } finally {
    client.release();
  }
}
