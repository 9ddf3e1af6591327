import { existsSync } from "node:fs";
import { join } from "node:path";
import { MagisError } from "../../model/error.ts";
import { errorCode } from "./connection.ts";
import { findAside, requireOwnFiles, requireVersion } from "./data-directory.ts";
import { lockDirectory, openLockAddresses } from "./directory-lock.ts";
import { askSocket } from "./lock-socket.ts";

/** A database's state, as far as it shows without changing it. */
export type Inspection =
  | { readonly kind: "absent" }
  /** another process has the embedded database open */
  | { readonly kind: "held"; readonly pid: number | undefined; readonly aside?: string }
  | { readonly kind: "unusable"; readonly reason: string }
  | {
      readonly kind: "open";
      /** of PostgreSQL, e.g. `17.2` */
      readonly version: string;
      readonly missing: readonly string[];
      readonly mayCreate: boolean;
      readonly runs: number;
      /** a socket file that a killed process left behind */
      readonly staleLock: boolean;
      /** a damaged database that was moved aside, if there is one */
      readonly aside?: string;
    };

type Rows = readonly Record<string, unknown>[];

type Query = (sql: string) => Promise<Rows>;

const TABLES = ["executor", "run", "run_record", "model_call", "ledger", "remembered_version"];

const CONNECT_MS = 10_000;

const ANSWER_WITHIN_MS = 1_000;

/**
 * Looks at a database without making, changing or moving anything. Database errors are values here.
 */
export async function inspectDatabase(dataDir: string, url: string | undefined): Promise<Inspection> {
  try {
    return url === undefined ? await inspectEmbedded(dataDir) : await inspectPostgres(url);
  } catch (error) {
    return { kind: "unusable", reason: error instanceof Error && error.message !== "" ? error.message : codeOf(error) };
  }
}

/** An error over several addresses has no message of its own. */
function codeOf(error: unknown): string {
  return typeof error === "object" && error !== null && "code" in error ? String(error.code) : "it failed";
}

async function inspectPostgres(url: string): Promise<Inspection> {
  const { default: pg } = await import("pg");
  const limits = { connectionTimeoutMillis: CONNECT_MS, query_timeout: CONNECT_MS };
  const client = new pg.Client({ connectionString: url, application_name: "magis doctor", ...limits });
  client.on("error", () => undefined);
  try {
    await client.connect();
    return await look(async (sql) => (await client.query(sql)).rows as Rows, false);
  } finally {
    await client.end().catch(() => undefined);
  }
}

async function inspectEmbedded(dataDir: string): Promise<Inspection> {
  const directory = join(dataDir, "postgres");
  if (!existsSync(directory)) return { kind: "absent" };
  await requireOwnFiles(dataDir, directory);
  const aside = (await findAside(directory)).at(-1);
  const found = await findHolder(dataDir);
  if ("pid" in found) return { kind: "held", pid: found.pid, aside };
  await requireVersion(dataDir, directory);
  // A bot that starts meanwhile must not open it too.
  const lock = await lockDirectory(dataDir, { info: () => undefined, warn: () => undefined, error: () => undefined });
  try {
    const { PGlite } = await import("@electric-sql/pglite");
    const database = await PGlite.create(directory);
    try {
      const seen = await look(async (sql) => (await database.query(sql)).rows as Rows, found.staleLock);
      return { ...seen, aside };
    } finally {
      await database.close();
    }
  } finally {
    await lock.release();
  }
}

async function findHolder(
  dataDir: string,
): Promise<{ readonly pid: number | undefined } | { readonly staleLock: boolean }> {
  const { addresses, close } = await openLockAddresses(dataDir);
  let staleLock = false;
  try {
    for (const { path, file } of addresses) {
      const said = await askSocket({ address: path, withinMs: ANSWER_WITHIN_MS });
      if (said !== "nobody") return { pid: said.pid };
      staleLock ||= file && existsSync(path);
    }
    return { staleLock };
  } finally {
    await close();
  }
}

async function look(query: Query, staleLock: boolean): Promise<Extract<Inspection, { kind: "open" }>> {
  const [server] = await query(
    `SELECT current_setting('server_version') AS version,
            has_database_privilege(current_database(), 'CREATE') AS may_create`,
  );
  const there = await query("SELECT tablename AS name FROM pg_tables WHERE schemaname = 'magis'");
  const names = new Set(there.map(({ name }) => String(name)));
  const [counted] = names.has("run") ? await query("SELECT count(*) AS runs FROM magis.run") : [];
  return {
    kind: "open",
    version: String(server?.version ?? ""),
    missing: TABLES.filter((name) => !names.has(name)),
    mayCreate: server?.may_create === true,
    runs: Number(counted?.runs ?? 0),
    staleLock,
  };
}

const QUERY_WITHIN_MS = 30_000;

/**
 * Sends a command to the process that holds the embedded database of `dataDir`, and gives its unchecked answer;
 * undefined when no process holds it, or the directory is missing. Waits for the answer for `withinMs` milliseconds.
 * Throws DATA_DIRECTORY_IN_USE (`data.pid` if known) when the holder does not answer.
 */
export async function askHolder(dataDir: string, request: unknown, withinMs = QUERY_WITHIN_MS): Promise<unknown> {
  const lock = await openLockAddresses(dataDir).catch((error: unknown) => {
    if (errorCode(error) === "ENOENT") return undefined;
    throw error;
  });
  if (lock === undefined) return undefined;
  try {
    for (const { path, trusted } of lock.addresses) {
      if (!trusted) continue;
      const said = await askSocket({ address: path, request, withinMs });
      if (said === "nobody") continue;
      if (said.answer !== undefined) return said.answer;
      throw silent(dataDir, said.pid);
    }
    return undefined;
  } finally {
    await lock.close();
  }
}

function silent(dataDir: string, pid: number | undefined): MagisError {
  const who = pid === undefined ? "another process" : `another process (pid ${pid})`;
  const message = `${dataDir} is in use by ${who}, which did not answer. Run the command as that process's user, when it has started, or stop it first.`;
  return new MagisError("DATA_DIRECTORY_IN_USE", message, { pid });
}
