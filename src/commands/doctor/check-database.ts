import { figure } from "../../text/counted.ts";
import { fault, ok, type Verdict, warning } from "../findings.ts";

/** The result of a read-only inspection of the database. */
export type DatabaseState =
  | { readonly kind: "absent"; readonly place: string }
  /** another process has the embedded database open */
  | { readonly kind: "held"; readonly pid: number | undefined }
  /** `reason`: in sentences */
  | { readonly kind: "unusable"; readonly reason: string; readonly remedy: string }
  | {
      readonly kind: "open";
      /** e.g. `PostgreSQL 17.2` or `The embedded database` */
      readonly what: string;
      /** our tables do not exist yet */
      readonly missing: readonly string[];
      readonly mayCreate: boolean;
      readonly runs: number;
    };

/** Checks that the database is usable and its tables are current. */
export async function checkDatabase(state: DatabaseState): Promise<Verdict> {
  switch (state.kind) {
    case "absent":
      return ok(`There is none in ${state.place} yet: the first start creates it.`);
    case "held": {
      const who = state.pid === undefined ? "A running bot" : `The running bot (process ${state.pid})`;
      return ok(`${who} has it open; commands go through it.`);
    }
    case "unusable":
      return fault(state.reason, state.remedy);
    case "open":
      return opened(state);
  }
}

function opened({ what, missing, mayCreate, runs }: DatabaseState & { kind: "open" }): Verdict {
  if (missing.length > 0 && !mayCreate) {
    return fault(
      `${what}: this user may not make the tables.`,
      "Run GRANT CREATE ON DATABASE … TO … as the database's owner.",
    );
  }
  if (!mayCreate) return warning(`${what}: this user may not make the tables of a later version.`, "Grant it CREATE.");
  if (missing.length > 0) return ok(`${what}: it opens; the tables are made at the next start.`);
  return ok(`${what}: it opens, with every table and ${figure(runs, "run")}.`);
}
