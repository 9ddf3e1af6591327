import type { Log } from "../../ports/log.ts";
import { createTables } from "./create-tables.ts";
import type { Database } from "./database.ts";
import { openEmbedded } from "./open-embedded.ts";
import { openPostgres } from "./open-postgres.ts";

export interface DatabaseOptions {
  /** a PostgreSQL URL; absent: the embedded database */
  readonly url?: string | undefined;
  /** where the embedded database keeps its files; made when missing, not used with `url` */
  readonly dataDir: string;
  readonly log: Log;
  /** milliseconds that a PostgreSQL server is waited for; 30 s unless given */
  readonly patienceMs?: number;
}

/**
 * Opens the database and makes our tables. One process may hold an embedded database at a time.
 * Throws DATA_DIRECTORY_IN_USE, DATABASE_UNAVAILABLE.
 */
export async function openDatabase({ url, dataDir, log, patienceMs }: DatabaseOptions): Promise<Database> {
  const database = url === undefined ? await openEmbedded(dataDir, log) : await openPostgres(url, log, patienceMs);
  try {
    await database.migrate(() => createTables(database.pool));
    return database;
  } catch (error) {
    await database.close();
    throw error;
  }
}
