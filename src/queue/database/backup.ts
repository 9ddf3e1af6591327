import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { open as openFile, readFile, rename, rm } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { PGlite } from "@electric-sql/pglite";
import { MagisError } from "../../data/error.ts";
import { fileFault } from "../../data/file-faults.ts";
import type { Log } from "../../data/log.ts";
import { type ProgramEnvironment, programOf } from "../../git/programs.ts";
import { errorCode } from "./connection.ts";
import { requireSpace } from "./data-directory.ts";
import { lockDirectory } from "./directory-lock.ts";

/** The first bytes of both kinds of backup: gzip, and the custom format of pg_dump. */
const EMBEDDED_MARK = Buffer.from([0x1f, 0x8b]);

const POSTGRES_MARK = Buffer.from("PGDMP");

/**
 * Writes everything that an open embedded database holds to a new file, which only its owner may read. Statements of
 * the bot wait meanwhile. Throws BACKUP_FAILED when the file exists or cannot be written.
 */
export async function backUpEmbedded(pglite: PGlite, file: string): Promise<void> {
  await writeNew(file, async (draft) => {
    const packed = await pglite.dumpDataDir("gzip");
    const handle = await openFile(draft, "wx", 0o600);
    try {
      await handle.writeFile(packed.stream());
      await handle.sync();
    } finally {
      await handle.close();
    }
  });
}

/**
 * Makes the embedded database of `dataDir` from a backup; whole or not at all.
 * Throws DATA_DIRECTORY_IN_USE, and BACKUP_FAILED when a database is there already or the file is no such backup.
 */
export async function restoreEmbedded(dataDir: string, file: string, log: Log): Promise<void> {
  const packed = await readBackup(file);
  if (!packed.subarray(0, EMBEDDED_MARK.length).equals(EMBEDDED_MARK)) throw wrongKind(file, packed);
  const directory = join(dataDir, "postgres");
  if (existsSync(directory)) throw failed(`There is a database in ${dataDir}. Move ${directory} away first.`);
  await requireSpace(dataDir);
  const lock = await lockDirectory(dataDir, log);
  const draft = join(dataDir, `.restored-${process.pid}`);
  try {
    await rm(draft, { recursive: true, force: true });
    const database = await PGlite.create({ dataDir: draft, loadDataDir: new Blob([new Uint8Array(packed)]) });
    await database.query("SELECT count(*) FROM magis.run");
    await database.close();
    await rename(draft, directory);
  } catch (error) {
    throw failed(`${file} cannot be restored: ${reasonOf(error)}.`, error);
  } finally {
    await rm(draft, { recursive: true, force: true });
    await lock.release();
  }
}

/** Everything of ours on a PostgreSQL server. */
const SCHEMAS = ["--schema=magis", "--schema=dbos"];

/**
 * Writes our schemas of a PostgreSQL database to a new file by pg_dump, in one snapshot; the bot may go on meanwhile.
 * Throws BACKUP_FAILED with what pg_dump said, or when there is none.
 */
export async function backUpPostgres(url: string, file: string, environment: ProgramEnvironment): Promise<void> {
  await writeNew(file, async (draft) => {
    // Made first, so that nobody else can read it.
    await (await openFile(draft, "wx", 0o600)).close();
    await runClient("pg_dump", [...SCHEMAS, "--format=custom", "--no-owner", `--file=${draft}`], { url, environment });
  });
}

/**
 * Restores a backup into a PostgreSQL database that holds nothing of ours, by pg_restore; whole or not at all.
 * Throws BACKUP_FAILED with what pg_restore said, or when there is none, or the file is no such backup.
 */
export async function restorePostgres(url: string, file: string, environment: ProgramEnvironment): Promise<void> {
  const packed = await readBackup(file);
  if (!packed.subarray(0, POSTGRES_MARK.length).equals(POSTGRES_MARK)) throw wrongKind(file, packed);
  await requireEmpty(url);
  const whole = ["--single-transaction", "--exit-on-error", "--no-owner", "--no-privileges"];
  await runClient("pg_restore", [...whole, file], { url, environment });
}

async function requireEmpty(url: string): Promise<void> {
  const { default: pg } = await import("pg");
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 10_000 });
  client.on("error", () => undefined);
  try {
    await client.connect();
    const sql = "SELECT nspname AS name FROM pg_namespace WHERE nspname IN ('magis', 'dbos') ORDER BY 1";
    const { rows } = await client.query<{ name: string }>(sql);
    if (rows.length === 0) return;
    const names = rows.map(({ name }) => name).join(" and ");
    throw failed(`The database of DATABASE_URL has the schema ${names} already. Restore into a new, empty database.`);
  } catch (error) {
    if (error instanceof MagisError) throw error;
    throw new MagisError(
      "DATABASE_UNAVAILABLE",
      `The database of DATABASE_URL cannot be used: ${reasonOf(error)}.`,
      {},
      error,
    );
  } finally {
    await client.end().catch(() => undefined);
  }
}

interface Client {
  url: string;
  environment: ProgramEnvironment;
}

/** Runs a client program of PostgreSQL. The password goes through its environment: others see a program's words. */
async function runClient(program: string, args: readonly string[], { url, environment }: Client): Promise<void> {
  const address = new URL(url);
  const password = decodeURIComponent(address.password);
  address.password = "";
  const env = password === "" ? environment : { ...environment, PGPASSWORD: password };
  try {
    await promisify(execFile)(programOf(program, environment), [...args, `--dbname=${address.href}`], { env });
  } catch (error) {
    if (errorCode(error) === "ENOENT") {
      const sentence = `${program} is not installed: install PostgreSQL's client programs (on Debian postgresql-client).`;
      throw failed(sentence, error);
    }
    const said = typeof error === "object" && error !== null && "stderr" in error ? String(error.stderr).trim() : "";
    throw failed(`${program} failed: ${said === "" ? reasonOf(error) : said}`, error);
  }
}

/** Has `write` write a draft beside `file`, and renames it. Never overwrites a file. */
async function writeNew(file: string, write: (draft: string) => Promise<void>): Promise<void> {
  if (existsSync(file)) throw failed(`${file} exists. Name a new file for the backup.`);
  const draft = `${file}.${process.pid}.tmp`;
  try {
    await write(draft);
    await rename(draft, file);
  } catch (error) {
    if (error instanceof MagisError) throw error;
    throw failed(`${file} cannot be written: ${fileFault(error)}.`, error);
  } finally {
    await rm(draft, { force: true });
  }
}

async function readBackup(file: string): Promise<Buffer> {
  try {
    return await readFile(file);
  } catch (error) {
    throw failed(`${file} cannot be read: ${fileFault(error)}.`, error);
  }
}

function wrongKind(file: string, packed: Buffer): MagisError {
  if (packed.subarray(0, POSTGRES_MARK.length).equals(POSTGRES_MARK)) {
    return failed(`${file} is a backup of a PostgreSQL server. Set DATABASE_URL to restore it.`);
  }
  if (packed.subarray(0, EMBEDDED_MARK.length).equals(EMBEDDED_MARK)) {
    return failed(`${file} is a backup of an embedded database. Restore it without DATABASE_URL.`);
  }
  return failed(`${file} is no backup made by magis backup.`);
}

const failed = (sentence: string, cause?: unknown) => new MagisError("BACKUP_FAILED", sentence, {}, cause);

const reasonOf = (error: unknown) => (error instanceof Error ? error.message : String(error));
