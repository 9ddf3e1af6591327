import { existsSync } from "node:fs";
import { join } from "node:path";
import { isMagisError } from "../../model/error.ts";

/** A database's state. */
export type Inspection =
  | { readonly kind: "absent" }
  /** another process has the embedded database open */
  | { readonly kind: "held"; readonly pid: number | undefined }
  | { readonly kind: "unusable"; readonly reason: string }
  | {
      readonly kind: "open";
      /** of PostgreSQL, e.g. `17.2` */
      readonly version: string;
      readonly missing: readonly string[];
      readonly mayCreate: boolean;
      readonly runs: number;
    };

type Query = (sql: string) => Promise<{ readonly rows: readonly Record<string, unknown>[] }>;

const TABLES = ["executor", "run", "run_record", "model_call", "ledger", "remembered_version"];

const CONNECT_MS = 10_000;

const QUIET = { info: () => undefined, warn: () => undefined, error: () => undefined };

/** Looks at a database, and makes and changes no tables. Database errors are values here. */
export async function inspectDatabase(dataDir: string, url: string | undefined): Promise<Inspection> {
  try {
    return url === undefined ? await inspectEmbedded(dataDir) : await inspectPostgres(url);
  } catch (error) {
    if (isMagisError(error, "DATA_DIRECTORY_IN_USE"))
      return { kind: "held", pid: error.data.pid as number | undefined };
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
    return await look((sql) => client.query(sql));
  } finally {
    await client.end().catch(() => undefined);
  }
}

async function inspectEmbedded(dataDir: string): Promise<Inspection> {
  if (!existsSync(join(dataDir, "postgres"))) return { kind: "absent" };
  const { openEmbedded } = await import("./open-embedded.ts");
  const { pool, close } = await openEmbedded(dataDir, QUIET);
  return look((sql) => pool.query(sql)).finally(close);
}

async function look(query: Query): Promise<Inspection> {
  const { rows: servers } = await query(
    `SELECT current_setting('server_version') AS version,
            has_database_privilege(current_database(), 'CREATE') AS may_create`,
  );
  const { rows: there } = await query("SELECT tablename AS name FROM pg_tables WHERE schemaname = 'magis'");
  const names = new Set(there.map(({ name }) => String(name)));
  const { rows: counted } = names.has("run") ? await query("SELECT count(*) AS runs FROM magis.run") : { rows: [] };
  return {
    kind: "open",
    version: String(servers[0]?.version ?? ""),
    missing: TABLES.filter((name) => !names.has(name)),
    mayCreate: servers[0]?.may_create === true,
    runs: Number(counted[0]?.runs ?? 0),
  };
}
