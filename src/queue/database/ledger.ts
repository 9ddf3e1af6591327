import type { Pool } from "pg";
import type { Log } from "../../data/log.ts";
import type { MemoryScope } from "../../run/evolution-memory.ts";
import type { CostGroup, CostLine, Ledger, LedgerMedians, LedgerStats } from "../ledger-port.ts";
import { patientQuery } from "./connection.ts";

/** What the engine enters in the ledger (`queue/ledger.ts`), for people. */
export function createLedger(pool: Pool, log: Log): Ledger {
  const query = <T extends object>(sql: string, ...values: unknown[]) => patientQuery<T>(pool, log, sql, values);
  const count = async (sql: string, ...values: unknown[]) => {
    const [row] = await query<{ count: number }>(`WITH done AS (${sql} RETURNING 1) ${COUNT}`, ...values);
    return row?.count ?? 0;
  };
  return {
    costs: (by) => query<CostLine>(by === "model" ? COSTS_BY_MODEL : costsBy(by)),
    async stats(): Promise<LedgerStats> {
      const outcomes = await query<LedgerStats["outcomes"][number]>(OUTCOMES);
      const [totals] = await query<Totals>(TOTALS);
      const [medians] = await query<{ [Name in keyof LedgerMedians]: number | null }>(MEDIANS);
      const { running, setAside, open, merged, reverted, closed, proved, unproved, linesKnown } = totals ?? NOTHING;
      const known = Object.entries(medians ?? {}).filter(([, value]) => value !== null);
      return {
        outcomes,
        running: { runs: running, setAside },
        pulls: { open, merged, reverted, closed },
        proofs: { proved, unproved },
        linesKnown,
        medians: Object.fromEntries(known),
      };
    },
    async forget(scope, when) {
      const [installation, owner, name] = placeOf(scope);
      // A scope that is empty against its type must not empty everything.
      if (installation === null && owner === null) return 0;
      const found = await count(MARK, installation, owner, name, when);
      await query(FORGET_PEOPLES, installation, owner, name);
      await query(EMPTY);
      return found;
    },
    async forgetPerson(login) {
      await query("UPDATE magis.maintainer_note SET person = '' WHERE lower(person) = lower($1)", login);
      return count("UPDATE magis.ledger SET person = NULL WHERE lower(person) = lower($1)", login);
    },
    async emptyForgotten() {
      await query(EMPTY);
    },
  };
}

const COUNT = "SELECT count(*)::int AS count FROM done";

function placeOf({ installationId, owner, name }: MemoryScope): readonly (number | string | null)[] {
  return [installationId ?? null, owner ?? null, name ?? null];
}

const FORGET_PEOPLES = `
  DELETE FROM magis.peoples_pull
   WHERE ($1::bigint IS NULL OR installation = $1) AND ($2::text IS NULL OR owner = lower($2))
     AND ($3::text IS NULL OR repo = lower($3))`;

const MARK = `
  UPDATE magis.ledger SET forget = $4
   WHERE owner IS NOT NULL AND ($1::bigint IS NULL OR installation = $1)
     AND ($2::text IS NULL OR lower(owner) = lower($2) AND lower(repo) = lower($3::text))`;

const EMPTY = `
  UPDATE magis.ledger
     SET run = NULL, root = NULL, installation = NULL, owner = NULL, repo = NULL, issue = NULL, person = NULL,
         pull = NULL, head = NULL, merge_commit = NULL, measured = true
   WHERE forget IS NOT NULL AND owner IS NOT NULL AND ended IS NOT NULL
     AND (forget = 'now' OR started < date_trunc('month', now() AT TIME ZONE 'UTC') AT TIME ZONE 'UTC')`;

const NAMES: Readonly<Record<Exclude<CostGroup, "model">, string>> = {
  repo: "owner || '/' || repo",
  org: "owner",
  month: "to_char(started AT TIME ZONE 'UTC', 'YYYY-MM')",
  person: "person",
};

/** GitHub ignores the case of names: the latest spelling is shown. */
function costsBy(by: Exclude<CostGroup, "model">): string {
  return `
    SELECT coalesce((array_agg(name ORDER BY seq DESC))[1], '') AS name, count(*)::int AS runs,
           sum(calls)::int AS calls, sum(tokens)::float8 AS tokens, sum(spent)::float8 AS money,
           count(pull_state)::int AS opened, (count(*) FILTER (WHERE pull_state = 'merged'))::int AS merged
      FROM (SELECT *, ${NAMES[by]} AS name FROM magis.ledger WHERE ended IS NOT NULL) entries
     GROUP BY lower(name) ORDER BY ${by === "month" ? "lower(name)" : "sum(spent) DESC, lower(name)"}`;
}

const COSTS_BY_MODEL = `
  SELECT model AS name, count(DISTINCT ledger)::int AS runs, sum(calls)::int AS calls, sum(tokens)::float8 AS tokens,
         sum(spent)::float8 AS money
    FROM magis.ledger_spend GROUP BY model ORDER BY sum(spent) DESC, model`;

const OUTCOMES = `
  SELECT outcome, count(*)::int AS runs, sum(spent)::float8 AS money FROM magis.ledger
   WHERE ended IS NOT NULL GROUP BY outcome ORDER BY count(*) DESC, outcome`;

interface Totals {
  running: number;
  setAside: number;
  open: number;
  merged: number;
  reverted: number;
  closed: number;
  proved: number;
  unproved: number;
  linesKnown: number;
}

const NOTHING: Totals = {
  running: 0,
  setAside: 0,
  open: 0,
  merged: 0,
  reverted: 0,
  closed: 0,
  proved: 0,
  unproved: 0,
  linesKnown: 0,
};

const having = (condition: string) => `(count(*) FILTER (WHERE ${condition}))::int`;

const TOTALS = `
  SELECT ${having("ended IS NULL")} AS running,
         coalesce(sum(set_aside) FILTER (WHERE ended IS NULL), 0)::float8 AS "setAside",
         ${having("pull_state = 'open'")} AS open,
         ${having("pull_state = 'merged'")} AS merged,
         ${having("pull_state = 'reverted'")} AS reverted,
         ${having("pull_state = 'closed'")} AS closed,
         ${having("proof = 'proved'")} AS proved,
         ${having("proof = 'unproved'")} AS unproved,
         ${having("pull_state = 'merged' AND lines_after IS NOT NULL")} AS "linesKnown"
    FROM magis.ledger`;

const median = (value: string, condition = "true") =>
  `percentile_cont(0.5) WITHIN GROUP (ORDER BY (${value})::float8) FILTER (WHERE ${condition})`;

const msBetween = (from: string, to: string) => `extract(epoch FROM ${to} - ${from}) * 1000`;

const MEDIANS = `
  WITH changes AS (
    SELECT sum(spent) AS spent, bool_or(pull_state = 'merged') AS merged FROM magis.ledger
     GROUP BY coalesce(change, seq))
  SELECT ${median("spent", "ended IS NOT NULL")} AS "runCost",
         ${median(msBetween("started", "ended"))} AS "runTime",
         ${median(msBetween("asked", "ended"), "pull_state IS NOT NULL")} AS "timeToPull",
         ${median(msBetween("ended", "pull_ended"), "pull_state = 'merged'")} AS "timeToMerge",
         ${median("rounds")} AS rounds,
         ${median("review_comments", "pull_state = 'merged'")} AS "reviewComments",
         ${median("lines_after", "pull_state = 'merged'")} AS "linesAfter",
         (SELECT ${median("spent", "merged")} FROM changes) AS "mergedCost"
    FROM magis.ledger`;
