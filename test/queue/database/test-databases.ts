import { randomBytes } from "node:crypto";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import pg from "pg";
import type { Log } from "../../../src/data/log.ts";
import { openDatabase } from "../../../src/queue/database/open-database.ts";
import type { Database } from "../../../src/queue/database.ts";
import { copyStarted } from "../../bot/copy-database.ts";

export const QUIET: Log = { info: () => undefined, warn: () => undefined, error: () => undefined };

/** How a new, empty database of each kind is opened; PostgreSQL only where there is a server. */
export const TEST_DATABASES = {
  PGlite: openTemporaryPglite,
  PostgreSQL: process.env.TEST_DATABASE_URL === undefined ? undefined : openTemporaryPostgres,
};

async function openTemporaryPglite() {
  const dataDir = await mkdtemp(join(tmpdir(), "magis-database-"));
  copyStarted(dataDir);
  const database = await openDatabase({ dataDir, log: QUIET });
  await emptyDatabase(database);
  const remove = async () => {
    await database.close();
    await rm(dataDir, { recursive: true, force: true });
  };
  return { database, remove };
}

async function openTemporaryPostgres() {
  const { url, drop } = await createPostgresDatabase();
  const database = await openDatabase({ url, dataDir: "", log: QUIET });
  const remove = async () => {
    await database.close();
    await drop();
  };
  return { database, remove };
}

/** An empty database on the server of TEST_DATABASE_URL. */
export async function createPostgresDatabase(): Promise<{ url: string; drop(): Promise<void> }> {
  const server = process.env.TEST_DATABASE_URL ?? "";
  const name = `magis_test_${randomBytes(6).toString("hex")}`;
  const run = async (sql: string) => {
    const client = new pg.Client({ connectionString: server });
    await client.connect();
    await client.query(sql).finally(() => client.end());
  };
  await run(`CREATE DATABASE ${name}`);
  const url = new URL(server);
  url.pathname = `/${name}`;
  return { url: url.href, drop: () => run(`DROP DATABASE ${name} WITH (FORCE)`) };
}

const EMPTY = `DO $$
  DECLARE one regclass;
  BEGIN
    FOR one IN SELECT format('%I.%I', schemaname, tablename) FROM pg_tables
      WHERE schemaname IN ('dbos', 'magis') AND tablename NOT IN ('dbos_migrations', 'migration')
    LOOP EXECUTE format('DELETE FROM %s', one); END LOOP;
  END $$`;

/** Deletes all rows except the records of migrations; rows that refer to them go too. */
export async function emptyDatabase({ pool }: Database): Promise<void> {
  await pool.query(EMPTY);
}
