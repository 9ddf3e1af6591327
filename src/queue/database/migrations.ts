import type { Pool } from "pg";
import { MagisError } from "../../data/error.ts";

/**
 * Columns with a model's text are json, not jsonb, which refuses \u0000 and lone surrogates: an answer that was paid
 * for must always fit. `magis.model_call.began` is milliseconds since the epoch.
 */
const FIRST = [
  `CREATE TABLE magis.executor (
     id text PRIMARY KEY,
     seen timestamptz NOT NULL DEFAULT now())`,
  `CREATE TABLE magis.open_pull (
     owner text NOT NULL,
     name text NOT NULL,
     number integer NOT NULL,
     installation bigint NOT NULL,
     since timestamptz NOT NULL DEFAULT now(),
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
     at timestamptz NOT NULL DEFAULT now())`,
  "CREATE UNIQUE INDEX model_call_paid_once ON magis.model_call (run_id, key) WHERE answer IS NOT NULL",
  "CREATE INDEX model_call_of_run ON magis.model_call (run_id, seq)",
  "CREATE INDEX model_call_by_age ON magis.model_call (at)",
  // Numbers deliveries and runs as they arrive, whatever the machines' clocks say.
  "CREATE SEQUENCE magis.arrival AS integer CYCLE",
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
  `CREATE INDEX remembered_by_blob
     ON magis.remembered_version (installation, repository, blob)`,
  `CREATE INDEX remembered_by_use
     ON magis.remembered_version (installation, repository, used)`,
];

/** By GitHub's clock: how far a pull request's comments are handled. */
const HEARD = ["ALTER TABLE magis.open_pull ADD COLUMN heard text"];

/** Runs that ended while their writes may have been under way. */
const SWEPT = [
  `CREATE TABLE magis.swept_run (
     run text PRIMARY KEY,
     request json NOT NULL,
     since timestamptz NOT NULL DEFAULT now())`,
];

/** Deliveries, runs and reports, numbered in the order in which they come, whatever the clocks of machines say. */
const WORK = [
  "DROP SEQUENCE magis.arrival",
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
     at timestamptz NOT NULL DEFAULT now())`,
  `CREATE INDEX unfinished_work ON magis.work (kind, queue, arrival)
     WHERE state IN ('waiting', 'working', 'aside')`,
  `CREATE UNIQUE INDEX work_of_subject ON magis.work (subject) WHERE state IN ('waiting', 'working', 'aside')`,
  "CREATE INDEX work_by_age ON magis.work (at)",
];

/**
 * What runs cost and what became of them, kept when their details are gone. `change` numbers the work on one change:
 * runs that continue each other, and later work on their pull request. Names and ids are emptied when they have to be
 * forgotten (`forget`); figures stay.
 */
const LEDGER = [
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
     forget text)`,
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
  "ALTER TABLE magis.model_call ADD COLUMN model text",
  // Calls of before count in no run.
  "ALTER TABLE magis.model_call ADD COLUMN counted boolean NOT NULL DEFAULT true",
  "ALTER TABLE magis.model_call ALTER COLUMN counted SET DEFAULT false",
  "CREATE INDEX model_call_uncounted ON magis.model_call (run_id) WHERE NOT counted",
];

/** Why a run did not begin (`LimitReached`), and which limits the operator has been warned of. */
const LIMITS = [
  "ALTER TABLE magis.ledger ADD COLUMN refused json",
  "CREATE TABLE magis.limit_warning (key text PRIMARY KEY, at timestamptz NOT NULL DEFAULT now())",
];

/** What maintainers asked the bot to remember. `comment`: the command, which is carried out once. */
const NOTES = [
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
];

/** The version of each machine's order of steps: while old and new ones run together, the newest take over. */
const MACHINE_VERSIONS = ["ALTER TABLE magis.executor ADD COLUMN version integer"];

/** Nothing uses it any more; machines of the version before still do, so a later one drops it. */
const WRITE_QUOTA = [
  `CREATE TABLE magis.write_quota (
     installation bigint PRIMARY KEY,
     version bigint NOT NULL DEFAULT 0,
     state json NOT NULL,
     at timestamptz NOT NULL DEFAULT now())`,
];

/** The commit that merged a pull request, by which a push that reverts it is known. */
const MERGE_COMMITS = ["ALTER TABLE magis.ledger ADD COLUMN merge_commit text"];

/** Not `own`: somebody's pull request, whose merge is waited for. */
const WATCHED_FOR_MERGE = ["ALTER TABLE magis.open_pull ADD COLUMN own boolean NOT NULL DEFAULT true"];

/** Why a run whose turn it is waits (`HeldBack`); empty once it has begun. */
const HELD = [
  `ALTER TABLE magis.work ADD COLUMN held_by text, ADD COLUMN held_since timestamptz,
     ADD COLUMN held_until timestamptz`,
];

/** The limits of money (`MoneyLimit[]`) that held for a run. */
const LIMITS_OF_RUN = ["ALTER TABLE magis.ledger ADD COLUMN limits json"];

/** Other people's pull requests are no longer watched. Nothing reads `own` any more. */
const ONLY_OWN_PULLS = ["DELETE FROM magis.open_pull WHERE NOT own"];

/** What became of people's pull requests, to hold the bot's against. Whose they are is not kept. */
const PEOPLES_PULLS = [
  `CREATE TABLE magis.peoples_pull (
     installation bigint NOT NULL,
     owner text NOT NULL,
     repo text NOT NULL,
     number integer NOT NULL,
     is_merged boolean NOT NULL,
     at timestamptz NOT NULL,
     PRIMARY KEY (installation, owner, repo, number))`,
];

/** How often it was looked for what an ended run left behind. */
const LOOKS = ["ALTER TABLE magis.swept_run ADD COLUMN looks integer NOT NULL DEFAULT 0"];

/** The bot's own comments on edits of tests are marked in one way. */
const SHOWN_EDITS = [
  `UPDATE magis.run_record
     SET value = regexp_replace(value::text, '"tampering":"(?:asked|unasked|shown)"', '"shown":true', 'g')::json
     WHERE part = 'work' AND value::text LIKE '%"tampering":"%'`,
];

/** A record keeps what stays of an image's address. Earlier ones kept it whole; the images are fetched anew. */
const ASSETS = ["DELETE FROM magis.run_record WHERE part = 'images'"];

/** What GitHub called a repository last: `since` by its clock, `at` by ours. What is kept under a name follows it (`queue/repository-names.ts`). */
const REPOSITORIES = [
  `CREATE TABLE magis.repository (
     id bigint PRIMARY KEY,
     owner text NOT NULL,
     name text NOT NULL,
     installation bigint NOT NULL,
     since timestamptz NOT NULL,
     at timestamptz NOT NULL DEFAULT now())`,
  "CREATE INDEX repository_by_name ON magis.repository (lower(owner), lower(name))",
];

/**
 * Changes of our tables and their contents, in order. A new format is one more entry at the end, which also converts
 * existing rows; released entries never change. Machines of the version before still work on the new tables while they
 * are replaced one by one: add what is new, and drop what is old a version later.
 */
export const MIGRATIONS: readonly (readonly string[])[] = [
  FIRST,
  HEARD,
  SWEPT,
  WORK,
  LEDGER,
  LIMITS,
  NOTES,
  MACHINE_VERSIONS,
  WRITE_QUOTA,
  MERGE_COMMITS,
  WATCHED_FOR_MERGE,
  HELD,
  LIMITS_OF_RUN,
  ONLY_OWN_PULLS,
  PEOPLES_PULLS,
  SHOWN_EDITS,
  LOOKS,
  ASSETS,
  REPOSITORIES,
];

/**
 * Brings our tables up to date, each migration once, whole or not at all. Call it under the migration lock. Throws
 * DATABASE_UNAVAILABLE for tables of a newer version of MAGIS.
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
  if (done > migrations.length) {
    const message =
      `A newer version of MAGIS has used this database: its tables have version ${done}, and this one knows ` +
      `${migrations.length}. Start that version, or restore a backup from before the upgrade.`;
    throw new MagisError("DATABASE_UNAVAILABLE", message);
  }
  for (const [at, statements] of migrations.entries()) {
    if (at >= done) await migrateOnce(pool, at + 1, statements);
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
