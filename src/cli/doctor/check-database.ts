import { figure } from "../../text/counted.ts";
import { fault, ok, type Verdict, warning } from "../findings.ts";

/** The result of a read-only inspection of the database. */
export type DatabaseState =
  | { readonly kind: "absent"; readonly place: string }
  /** another process has the embedded database open */
  | { readonly kind: "held"; readonly pid: number | undefined; readonly aside?: string }
  | { readonly kind: "unusable"; readonly place: string; readonly reason: string; readonly remedy: string }
  | {
      readonly kind: "open";
      /** e.g. `PostgreSQL 17.2` or `The embedded database` */
      readonly what: string;
      /** our tables do not exist yet */
      readonly missing: readonly string[];
      readonly mayCreate: boolean;
      readonly runs: number;
      /** a killed process left its lock behind */
      readonly staleLock: boolean;
      /** where a damaged database was moved */
      readonly aside?: string;
    };

/** Checks that the database is usable and its tables are current. */
export async function checkDatabase(state: DatabaseState): Promise<Verdict> {
  switch (state.kind) {
    case "absent":
      return ok(`There is none in ${state.place} yet: the first start creates it.`);
    case "held": {
      const who = state.pid === undefined ? "A running bot" : `The running bot (process ${state.pid})`;
      const held = `${who} has it open; commands go through it.`;
      return state.aside === undefined ? ok(held) : damaged(held, state.aside);
    }
    case "unusable":
      return fault(`${state.place} cannot be used: ${state.reason}`, state.remedy);
    case "open":
      return opened(state);
  }
}

function opened({ what, missing, mayCreate, runs, staleLock, aside }: DatabaseState & { kind: "open" }): Verdict {
  const stale = staleLock ? " A killed process left its lock behind; the next start takes it over." : "";
  if (missing.length > 0 && !mayCreate) {
    return fault(
      `${what}: this user may not make the tables.`,
      "Run GRANT CREATE ON DATABASE … TO … as the database's owner.",
    );
  }
  if (!mayCreate) return warning(`${what}: this user may not make the tables of a later version.`, "Grant it CREATE.");
  if (aside !== undefined) return damaged(`${what}: it opens.`, aside);
  if (missing.length > 0) return ok(`${what}: it opens; the tables are made at the next start.${stale}`);
  return ok(`${what}: it opens, with every table and ${figure(runs, "run")}.${stale}`);
}

function damaged(standing: string, aside: string): Verdict {
  return warning(`${standing} A damaged one before it was moved to ${aside}.`, "Delete it when you no longer need it.");
}
