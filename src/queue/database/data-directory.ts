import { closeSync, existsSync, openSync } from "node:fs";
import { mkdir, readdir, readFile, rm, statfs, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { MagisError } from "../../data/error.ts";
import { errorCode } from "./connection.ts";

/** A first start writes about 40 MB. */
const FREE_BYTES = 100_000_000;

/** Makes the data directory if it is missing, and checks that it can be written and has room. Throws DATABASE_UNAVAILABLE. */
export async function requireSpace(dataDir: string): Promise<void> {
  const probe = join(dataDir, `.writable-${process.pid}`);
  try {
    await makeDirectory(dataDir);
    await writeFile(probe, "");
    await rm(probe, { force: true });
  } catch (error) {
    throw unusable(dataDir, `${reasonOf(error)}. It has to be a directory that this user may read and write`, error);
  }
  if (!(await hasFreeBytes(dataDir, FREE_BYTES))) throw unusable(dataDir, "less than 100 MB of its disk are free");
}

/** Whether the disk of `place` has so many bytes left; true where unknown. */
export async function hasFreeBytes(place: string, bytes: number): Promise<boolean> {
  const disk = await statfs(place).catch(() => undefined);
  // Some network file systems report a size of 0.
  return disk === undefined || disk.blocks === 0 || disk.bavail * disk.bsize >= bytes;
}

/** Not by Node's `recursive`, which tries for ever where directories can be read but not made, as in /proc. */
async function makeDirectory(path: string): Promise<void> {
  const parent = dirname(path);
  if (parent !== path && !existsSync(parent)) await makeDirectory(parent);
  await mkdir(path, { mode: 0o700 }).catch((error: unknown) => {
    if (errorCode(error) !== "EEXIST") throw error;
  });
}

/** Opens every file of the database, if there is one, before PostgreSQL changes any. Throws the system's error. */
export async function requireOwnFiles(database: string): Promise<void> {
  if (!existsSync(database)) return;
  for (const entry of await readdir(database, { recursive: true, withFileTypes: true }))
    if (entry.isFile()) closeSync(openSync(join(entry.parentPath, entry.name), "r+"));
}

/** The embedded PostgreSQL's major version, which opens no other version's files. */
const MAJOR = "18";

/** Throws DATABASE_UNAVAILABLE when another version of PostgreSQL made the database. */
export async function requireVersion(dataDir: string, database: string): Promise<void> {
  const made = (await readFile(join(database, "PG_VERSION"), "utf8").catch(() => MAJOR)).trim();
  if (made === MAJOR || !/^\d{1,3}$/.test(made)) return;
  const reason = `its database was made by PostgreSQL ${made}, and this version of MAGIS has PostgreSQL ${MAJOR}. Start the version of MAGIS that made it, or ${startAnew(database)}`;
  throw unusable(dataDir, reason);
}

/** For a database that does not open: it is named and left alone. */
export function damaged(dataDir: string, database: string, error: unknown): MagisError {
  const reason = `its database does not open (${reasonOf(error)}). Nothing was moved or deleted. Give its files to this user if they belong to another, or restore a backup; or ${startAnew(database)}`;
  return unusable(dataDir, reason, error);
}

const startAnew = (database: string) =>
  `move ${database} away to begin with an empty one: unfinished runs are then forgotten (set the label again), and summaries of files are made anew`;

const reasonOf = (error: unknown) => (error instanceof Error ? error.message : String(error)).replace(/\.$/, "");

/** `reason` is a clause without a full stop. */
function unusable(dataDir: string, reason: string, cause?: unknown): MagisError {
  return new MagisError("DATABASE_UNAVAILABLE", `The data directory ${dataDir} cannot be used: ${reason}.`, {}, cause);
}
