import { randomBytes } from "node:crypto";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import pg from "pg";
import type { Log } from "../../../src/data/log.ts";
import { openDatabase } from "../../../src/queue/database/open-database.ts";
import type { Database } from "../../../src/queue/database.ts";

export const QUIET: Log = { info: () => undefined, warn: () => undefined, error: () => undefined };

export interface TestDatabase {
  readonly name: string;
  /** why this database is left out */
  readonly skip?: string;
  /** A new, empty database; `remove` closes and deletes it. */
  open(): Promise<{ database: Database; remove(): Promise<void> }>;
}

/** The databases that the adapters are tested on. */
export function testDatabases(): TestDatabase[] {
  const url = process.env.TEST_DATABASE_URL;
  const skip = url === undefined ? { skip: "TEST_DATABASE_URL is not set" } : {};
  return [
    { name: "PGlite", open: openTemporaryPglite },
    { name: "PostgreSQL", ...skip, open: openTemporaryPostgres },
  ];
}

async function openTemporaryPglite() {
  const dataDir = await mkdtemp(join(tmpdir(), "magis-database-"));
  const database = await openDatabase({ dataDir, log: QUIET });
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
