import { existsSync, readFileSync } from "node:fs";
import { mkdtemp, readdir, rename, rm } from "node:fs/promises";
import { createRequire } from "node:module";
import { basename, dirname, join } from "node:path";
import { setImmediate as nextTurn } from "node:timers/promises";
import { PGlite } from "@electric-sql/pglite";
import { createPgConfig } from "@electric-sql/pglite/node-postgres";
import pg from "pg";
import { create, extract } from "tar";
import type { Log } from "../../data/log.ts";
import { OWN_FOLDER } from "../../data/own-files.ts";
import type { Database } from "../database.ts";
import { backUpEmbedded } from "./backup.ts";
import { atMost, createStatementNames } from "./connection.ts";
import { damaged, hasFreeBytes, requireOwnFiles, requireSpace, requireVersion } from "./data-directory.ts";
import { lockDirectory } from "./directory-lock.ts";

const CHECKPOINT_MS = 60_000;

/** Plans are kept, and one made for an empty table is bad for a full one. */
const PLANS_MS = 600_000;

const VACUUM_MS = 24 * 3_600_000;

const CLOSE_WITHIN_MS = 1_000;

/** A segment of the write-ahead log: with less room the next one cannot be made. */
const SEGMENT_BYTES = 16 * 1024 * 1024;

/**
 * PostgreSQL in this process (PGlite), files under `dataDir`. Safe against a killed process; a power cut may cost it
 * (it does not fsync). One connection: PGlite has one session.
 * Throws DATA_DIRECTORY_IN_USE, and DATABASE_UNAVAILABLE when the directory cannot be used, its disk is full, or the
 * database in it does not open, which is then left as it is.
 */
export async function openEmbedded(dataDir: string, log: Log): Promise<Database> {
  await requireSpace(dataDir);
  const directory = join(dataDir, "postgres");
  const lock = await lockDirectory(dataDir, log);
  try {
    await requireVersion(dataDir, directory);
    const opening = requireOwnFiles(directory).then(() => open(directory));
    const pglite = await opening.catch((error: unknown) => {
      throw damaged(dataDir, directory, error);
    });
    const config = createPgConfig(pglite);
    // `connection` is pg's seam for another transport; it is missing from its types. `ssl`: PGSSLMODE is not meant for us.
    const options = { ...config, connection: config.connection, ssl: false, max: 1, idleTimeoutMillis: 0 };
    const pool = keepClient(new pg.Pool({ ...options, Client: YieldingClient } as pg.PoolConfig));
    pool.on("error", (error) => log.error({ error }, "the embedded database failed"));
    const stopUpkeep = keepUp(pool, log);
    const close = async () => {
      stopUpkeep();
      await atMost(CLOSE_WITHIN_MS, endPool(pool));
      await atMost(CLOSE_WITHIN_MS, pglite.close());
      await lock.release();
    };
    // One process, so nobody to keep out.
    const hasRoom = () => hasFreeBytes(dataDir, SEGMENT_BYTES);
    const backUp = (file: string) => backUpEmbedded(pglite, file);
    return { kind: "embedded", pool, migrate: (body) => body(), hasRoom, serve: lock.serve, backUp, close };
  } catch (error) {
    await lock.release();
    throw error;
  }
}

/**
 * pg's pool replaces a client when a statement fails. Here the new one would share the session, and get the old one's
 * answers or its end, so the one client stays.
 */
function keepClient(pool: pg.Pool): pg.Pool {
  const open = pool.connect.bind(pool) as () => Promise<pg.PoolClient>;
  const connect = async () => {
    const client = await open();
    const release = client.release.bind(client);
    const rollBack = () => client.query("ROLLBACK").catch(() => undefined);
    client.release = (fault) => (fault ? void rollBack().then(() => release()) : release());
    return client;
  };
  const query = async (...given: Parameters<Query>) => {
    const client = await connect();
    return (client.query as Query)(...given).finally(() => client.release());
  };
  return Object.assign(pool, { connect, query });
}

/** There is no background writer and no autovacuum in single-user mode. */
function keepUp(pool: pg.Pool, log: Log): () => void {
  const run = (sql: string) => () => {
    pool.query(sql).catch((error: unknown) => log.warn({ error }, `${sql} failed`));
  };
  const timers = [
    setInterval(run("CHECKPOINT"), CHECKPOINT_MS),
    setInterval(run("DISCARD PLANS"), PLANS_MS),
    setInterval(run("VACUUM"), VACUUM_MS),
  ];
  for (const timer of timers) timer.unref();
  return () => timers.forEach(clearInterval);
}

async function endPool(pool: pg.Pool): Promise<void> {
  await pool.query("CHECKPOINT");
  await pool.end();
}

/** Single-user mode has no checkpointer: a small write-ahead log, and little memory. */
const START_PARAMS = ["-c", "max_wal_size=64MB", "-c", "min_wal_size=32MB", "-c", "shared_buffers=16MB"];

async function open(directory: string): Promise<PGlite> {
  await unpackTemplate(directory);
  return openFiles(directory);
}

async function openFiles(directory: string): Promise<PGlite> {
  const database = await PGlite.create(directory, { startParams: [...PGlite.defaultStartParams, ...START_PARAMS] });
  await database.query("SELECT count(*) FROM pg_class");
  return database;
}

type Query = (query: unknown, values?: unknown) => Promise<unknown>;

type Callback = (error: unknown, result?: unknown) => void;

const TURN_MS = 8;

/**
 * A pg client for the database in this process. PGlite answers in microtasks, so queries one after the other would
 * keep timers and sockets waiting for seconds; this client gives them a turn every few milliseconds.
 */
class YieldingClient extends pg.Client {
  constructor(config?: string | pg.ClientConfig) {
    super(config);
    this.on("error", () => undefined); // each statement reports it
    const send = super.query.bind(this) as Query;
    const named = createStatementNames();
    let lastTurn = performance.now();
    const run: Query = async (query, values) => {
      if (performance.now() - lastTurn > TURN_MS) {
        await nextTurn();
        lastTurn = performance.now();
      }
      return send(named(query, values), values);
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
}

/** Beside the compiled program, also when running from sources; one for each version of PGlite. */
function templateFile(): string {
  const pglite = dirname(dirname(createRequire(import.meta.url).resolve("@electric-sql/pglite")));
  const { version } = JSON.parse(readFileSync(join(pglite, "package.json"), "utf8")) as { version: string };
  return join(OWN_FOLDER, "dist", `postgres-of-pglite-${version}.tgz`);
}

/**
 * Packs a new database as the template, unless there is one. `npm run build` does it, because PostgreSQL's initdb takes
 * 750 MB in WebAssembly, and opening a made database 170.
 * @public
 */
export async function makeTemplate(): Promise<void> {
  const template = templateFile();
  if (existsSync(template)) return;
  const scratch = await mkdtemp(join(dirname(template), ".postgres-"));
  try {
    await (await openFiles(join(scratch, "postgres"))).close();
    const packed = join(scratch, "packed");
    await create({ file: packed, cwd: scratch, gzip: true, portable: true }, ["postgres"]);
    await rename(packed, template);
  } finally {
    await rm(scratch, { recursive: true, force: true });
  }
}

/**
 * Unpacks the template to `directory` unless that exists; whole or not at all. Without a template (the program was not
 * built) does nothing. Throws file system errors.
 */
async function unpackTemplate(directory: string): Promise<void> {
  const template = templateFile();
  if (existsSync(directory) || !existsSync(template)) return;
  const prefix = `.${basename(directory)}-`;
  // Left by a process that was killed here.
  for (const name of await readdir(dirname(directory))) {
    if (name.startsWith(prefix)) await rm(join(dirname(directory), name), { recursive: true, force: true });
  }
  const scratch = await mkdtemp(join(dirname(directory), prefix));
  try {
    await extract({ file: template, cwd: scratch, preserveOwner: false });
    await rename(join(scratch, "postgres"), directory);
  } finally {
    await rm(scratch, { recursive: true, force: true });
  }
}
