import { existsSync } from "node:fs";
import path from "node:path";
import type { Pool } from "pg";
import { isMagisError } from "../../data/error.ts";
import { openAsItIs } from "../../queue/database/open-database.ts";
import type { Config } from "../../settings/environment/config.ts";
import { figure } from "../../text/counted.ts";
import { fault, ok, type Verdict, warning } from "../findings.ts";

const QUIET = { debug: () => undefined, info: () => undefined, warn: () => undefined, error: () => undefined };

/** Checks that the database opens and has its tables, or may make them. Changes nothing in it. */
export async function checkDatabase({ dataDir, url }: Config["database"]): Promise<Verdict> {
  if (url === undefined && !existsSync(path.join(dataDir, "postgres")))
    return ok(`There is none in ${dataDir} yet: the first start creates it.`);
  try {
    const { kind, pool, close } = await openAsItIs({ url, dataDir, log: QUIET, patienceMs: 0 });
    return await checkTables(kind, pool).finally(close);
  } catch (error) {
    if (isMagisError(error, "DATA_DIRECTORY_IN_USE"))
      return ok(`The running bot (process ${error.data.pid ?? "unknown"}) has it open; commands go through it.`);
    const reason = error instanceof Error ? error.message : String(error);
    const remedy =
      url === undefined
        ? "The bot does not start before that is done; it moves and deletes nothing itself."
        : "Check DATABASE_URL, that the server runs, and that it admits this machine and user.";
    return fault(`${reason.replace(/\.$/, "")}.`, remedy);
  }
}

async function checkTables(kind: string, pool: Pool): Promise<Verdict> {
  const { rows } = await pool.query<{ version: string; may_create: boolean; is_new: boolean }>(
    `SELECT current_setting('server_version') AS version, to_regclass('magis.run') IS NULL AS is_new,
            has_database_privilege(current_database(), 'CREATE') AS may_create`,
  );
  const [{ version, may_create: mayCreate, is_new: isNew } = { version: "", may_create: false, is_new: true }] = rows;
  const what = kind === "embedded" ? "The embedded database" : `PostgreSQL ${version}`;
  if (isNew) return verdictOf(what, { mayCreate });
  const counted = await pool.query<{ runs: number }>("SELECT count(*)::int AS runs FROM magis.run");
  return verdictOf(what, { mayCreate, runs: counted.rows[0]?.runs });
}

/** `runs`: how many are kept; absent: the tables are not made yet. */
export function verdictOf(
  what: string,
  { mayCreate, runs }: { mayCreate: boolean; runs?: number | undefined },
): Verdict {
  const isNew = runs === undefined;
  if (isNew && !mayCreate) {
    const remedy = "Run GRANT CREATE ON DATABASE … TO … as the database's owner.";
    return fault(`${what}: this user may not make the tables.`, remedy);
  }
  if (!mayCreate) return warning(`${what}: this user may not make the tables of a later version.`, "Grant it CREATE.");
  if (isNew) return ok(`${what}: it opens; the tables are made at the next start.`);
  return ok(`${what}: it opens, with ${figure(runs, "run")}.`);
}
