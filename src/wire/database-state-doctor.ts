import { inspectDatabase } from "../adapters/database/inspect-database.ts";
import type { DatabaseState } from "../cli/doctor/check-database.ts";
import type { Config } from "../config/environment/config-config.ts";

/** The state of the configured database in the doctor's words. */
export async function databaseStateDoctor({ dataDir, url }: Config["database"]): Promise<DatabaseState> {
  const state = await inspectDatabase(dataDir, url);
  const place = url === undefined ? dataDir : "The database of DATABASE_URL";
  if (state.kind === "held") return state;
  if (state.kind === "absent") return { kind: "absent", place };
  if (state.kind === "open") {
    const what = url === undefined ? "The embedded database" : `PostgreSQL ${state.version}`;
    return { ...state, what };
  }
  const remedy =
    url === undefined
      ? "The next start moves a database that does not open aside and makes an empty one: copy the directory first if it matters."
      : "Check DATABASE_URL, that the server runs, and that it lets this machine and user in.";
  return { kind: "unusable", place, reason: `${state.reason.replace(/\.$/, "")}.`, remedy };
}
