import { existsSync } from "node:fs";
import { rename } from "node:fs/promises";
import { PGlite } from "@electric-sql/pglite";
import type { Log } from "../../ports/log.ts";

/** Single-user mode has no checkpointer: a small write-ahead log, and little memory. */
const START_PARAMS = ["-c", "max_wal_size=64MB", "-c", "min_wal_size=32MB", "-c", "shared_buffers=16MB"];

/**
 * Opens the embedded database in `directory`, making it on the first start. One that will not open (a power cut, an
 * older PostgreSQL version) is moved aside and said so: what matters of a run is found again on GitHub.
 */
export async function startPglite(directory: string, log: Log): Promise<PGlite> {
  try {
    return await open(directory);
  } catch (error) {
    if (!existsSync(directory)) throw error;
    const aside = `${directory}.broken-${new Date().toISOString().replaceAll(":", "-")}`;
    await rename(directory, aside);
    log.error(
      { error, aside },
      "THE EMBEDDED DATABASE DID NOT OPEN. It was moved aside and MAGIS starts with an empty one: " +
        "unfinished runs are forgotten (set the label again), and summaries of files are made anew.",
    );
    return open(directory);
  }
}

async function open(directory: string): Promise<PGlite> {
  const database = await PGlite.create(directory, { startParams: [...PGlite.defaultStartParams, ...START_PARAMS] });
  await database.query("SELECT count(*) FROM pg_class");
  return database;
}
