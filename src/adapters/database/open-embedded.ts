import { existsSync } from "node:fs";
import { mkdir, rename, rm, statfs, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { setImmediate as nextTurn } from "node:timers/promises";
import { PGlite } from "@electric-sql/pglite";
import { createPgConfig } from "@electric-sql/pglite/node-postgres";
import pg from "pg";
import { MagisError } from "../../model/error.ts";
import type { Log } from "../../ports/log.ts";
import { atMost } from "./connection.ts";
import type { Database } from "./database.ts";
import { lockDirectory } from "./directory-lock.ts";

const CHECKPOINT_MS = 60_000;

const VACUUM_MS = 24 * 3_600_000;

const CLOSE_WITHIN_MS = 1_000;

/** A first start writes about 40 MB. */
const FREE_BYTES = 100_000_000;

/**
 * PostgreSQL in this process (PGlite), files under `dataDir`. Safe against a killed process; a power cut may cost it
 * (it does not fsync). One connection: PGlite has one session.
 * Throws DATA_DIRECTORY_IN_USE, or DATABASE_UNAVAILABLE when the directory cannot be written or the disk is full.
 */
export async function openEmbedded(dataDir: string, log: Log): Promise<Database> {
  await requireSpace(dataDir);
  const lock = await lockDirectory(dataDir, log);
  try {
    const pglite = await startPglite(join(dataDir, "postgres"), log);
    const config = createPgConfig(pglite);
    // `connection` is pg's seam for another transport; it is missing from its types. `ssl`: PGSSLMODE is not meant for us.
    const options = { ...config, connection: config.connection, ssl: false, max: 1, idleTimeoutMillis: 0 };
    const pool = new pg.Pool({ ...options, Client: yieldingClient() } as pg.PoolConfig);
    pool.on("error", (error) => log.error({ error }, "the embedded database failed"));
    const stopUpkeep = keepUp(pool, log);
    const close = async () => {
      stopUpkeep();
      await atMost(CLOSE_WITHIN_MS, endPool(pool));
      await atMost(CLOSE_WITHIN_MS, pglite.close());
      await lock.release();
    };
    // One process, so nobody to keep out.
    return { kind: "embedded", pool, migrate: (body) => body(), serve: lock.serve, close };
  } catch (error) {
    await lock.release();
    throw error;
  }
}

/** There is no background writer and no autovacuum in single-user mode. */
function keepUp(pool: pg.Pool, log: Log): () => void {
  const run = (sql: string) => () => {
    pool.query(sql).catch((error: unknown) => log.warn({ error }, `${sql} failed`));
  };
  const timers = [setInterval(run("CHECKPOINT"), CHECKPOINT_MS), setInterval(run("VACUUM"), VACUUM_MS)];
  for (const timer of timers) timer.unref();
  return () => timers.forEach(clearInterval);
}

async function endPool(pool: pg.Pool): Promise<void> {
  await pool.query("CHECKPOINT");
  await pool.end();
}

/** So that a full disk or a wrong owner is told as such, and never taken for a broken database. */
async function requireSpace(dataDir: string): Promise<void> {
  const fault = (reason: string, cause?: unknown) =>
    new MagisError("DATABASE_UNAVAILABLE", `The data directory ${dataDir} cannot be used: ${reason}.`, {}, cause);
  const probe = join(dataDir, `.writable-${process.pid}`);
  try {
    await mkdir(dataDir, { recursive: true, mode: 0o700 });
    await writeFile(probe, "");
    await rm(probe, { force: true });
  } catch (error) {
    throw fault(error instanceof Error ? error.message : String(error), error);
  }
  const { blocks, bavail, bsize } = await statfs(dataDir);
  // Some network file systems know no size and say 0.
  if (blocks > 0 && bavail * bsize < FREE_BYTES) throw fault("less than 100 MB of its disk are free");
}

/** Single-user mode has no checkpointer: a small write-ahead log, and little memory. */
const START_PARAMS = ["-c", "max_wal_size=64MB", "-c", "min_wal_size=32MB", "-c", "shared_buffers=16MB"];

/**
 * Opens the embedded database in `directory`, making it on the first start. One that will not open (a power cut, an
 * older PostgreSQL version) is moved aside and said so: what matters of a run is found again on GitHub.
 */
async function startPglite(directory: string, log: Log): Promise<PGlite> {
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

type Query = (query: unknown, values?: unknown) => Promise<unknown>;

type Callback = (error: unknown, result?: unknown) => void;

/**
 * A pg client for the database in this process. PGlite answers in microtasks, so queries one after the other would
 * keep timers and sockets waiting for seconds; this client gives them a turn every `everyMs` milliseconds.
 */
function yieldingClient(everyMs = 8): typeof pg.Client {
  let lastTurn = performance.now();
  return class YieldingClient extends pg.Client {
    constructor(config?: string | pg.ClientConfig) {
      super(config);
      const send = super.query.bind(this) as Query;
      const run: Query = async (query, values) => {
        if (performance.now() - lastTurn > everyMs) {
          await nextTurn();
          lastTurn = performance.now();
        }
        return send(query, values);
      };
      this.query = ((query: unknown, second?: unknown, third?: Callback) => {
        const callback = typeof second === "function" ? (second as Callback) : third;
        const answer = run(query, typeof second === "function" ? undefined : second);
        if (callback === undefined) return answer;
        answer.then(
          (result) => callback(null, result),
          (error) => callback(error),
        );
        return undefined;
      }) as typeof this.query;
    }
  };
}
