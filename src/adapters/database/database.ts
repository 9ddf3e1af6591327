import type { Pool } from "pg";
import type { Answer } from "./lock-socket.ts";

/** An open database. Who opened it closes it, after the engine has stopped. */
export interface Database {
  /** `embedded`: one process, one connection. `postgres`: a server that several machines may share. */
  readonly kind: "embedded" | "postgres";
  readonly pool: Pool;
  /** Runs `body` while no other machine makes or changes tables. */
  migrate<T>(body: () => Promise<T>): Promise<T>;
  /** Whether there is room on its disk for what work writes; what cannot be told counts as room. */
  hasRoom(): Promise<boolean>;
  /**
   * Answers commands of other processes, which cannot open an embedded database beside us. A server is open to them,
   * so that nobody asks us.
   */
  serve(answer: Answer): void;
  /** Lets go of files, connections and locks within a few seconds, whatever is still running. */
  close(): Promise<void>;
}

/**
 * Columns are json, not jsonb, where text of a model is kept: jsonb refuses \u0000 and lone surrogates, and an answer
 * that was paid for must always go in.
 */
const STATEMENTS = [
  "CREATE SCHEMA IF NOT EXISTS magis",
  `CREATE TABLE IF NOT EXISTS magis.executor (
     id text PRIMARY KEY,
     seen timestamptz NOT NULL DEFAULT now())`,
  `CREATE TABLE IF NOT EXISTS magis.open_pull (
     owner text NOT NULL,
     name text NOT NULL,
     number integer NOT NULL,
     installation bigint NOT NULL,
     since timestamptz NOT NULL DEFAULT now(),
     PRIMARY KEY (owner, name, number))`,
  `CREATE TABLE IF NOT EXISTS magis.delivery_digest (
     digest text PRIMARY KEY,
     delivery text NOT NULL,
     at timestamptz NOT NULL DEFAULT now())`,
  "CREATE INDEX IF NOT EXISTS delivery_digest_by_age ON magis.delivery_digest (at)",
  `CREATE TABLE IF NOT EXISTS magis.run (
     id text PRIMARY KEY,
     repository text,
     issue integer,
     request json,
     state json,
     updated_at timestamptz NOT NULL DEFAULT now())`,
  "ALTER TABLE magis.run ADD COLUMN IF NOT EXISTS seq bigint GENERATED ALWAYS AS IDENTITY",
  "CREATE INDEX IF NOT EXISTS run_by_age ON magis.run (updated_at)",
  "CREATE INDEX IF NOT EXISTS run_of_issue ON magis.run (lower(repository), issue, seq)",
  `CREATE TABLE IF NOT EXISTS magis.run_record (
     run_id text NOT NULL,
     part text NOT NULL,
     value json NOT NULL,
     updated_at timestamptz NOT NULL DEFAULT now(),
     PRIMARY KEY (run_id, part))`,
  // Of the record that the part belongs to; null for parts that were kept before records had one.
  "ALTER TABLE magis.run_record ADD COLUMN IF NOT EXISTS version integer",
  `CREATE TABLE IF NOT EXISTS magis.model_call (
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
     failure text,
     at timestamptz NOT NULL DEFAULT now())`,
  // Milliseconds since the epoch; null for calls that were kept before it was noted.
  "ALTER TABLE magis.model_call ADD COLUMN IF NOT EXISTS began bigint",
  "CREATE UNIQUE INDEX IF NOT EXISTS model_call_paid_once ON magis.model_call (run_id, key) WHERE answer IS NOT NULL",
  "CREATE INDEX IF NOT EXISTS model_call_of_run ON magis.model_call (run_id, seq)",
  "CREATE INDEX IF NOT EXISTS model_call_by_age ON magis.model_call (at)",
  // Numbers deliveries and runs in the order in which they come, whatever the clocks of machines say.
  "CREATE SEQUENCE IF NOT EXISTS magis.arrival AS integer CYCLE",
  // A clock that never stands still: timestamps can be equal, and then neither "latest" nor "least recent" means one row.
  "CREATE SEQUENCE IF NOT EXISTS magis.memory_clock",
  `CREATE TABLE IF NOT EXISTS magis.remembered_version (
     installation bigint NOT NULL,
     repository text NOT NULL,
     path text NOT NULL,
     blob text NOT NULL,
     summary text NOT NULL,
     learned bigint NOT NULL,
     used bigint NOT NULL,
     PRIMARY KEY (installation, repository, path, blob))`,
  `CREATE INDEX IF NOT EXISTS remembered_by_blob
     ON magis.remembered_version (installation, repository, blob)`,
  `CREATE INDEX IF NOT EXISTS remembered_by_use
     ON magis.remembered_version (installation, repository, used)`,
];

/** Makes our tables where they are missing; may be run at every start, under the migration lock. */
export async function createTables(pool: Pool): Promise<void> {
  for (const sql of STATEMENTS) await pool.query(sql);
}
