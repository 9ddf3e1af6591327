import type { Pool } from "pg";
import type { Log } from "../../data/log.ts";
import type { AcceptanceRow, RepositoryFigures, Spending, TrendSlot, Visible, VisibleFigures } from "../visible.ts";
import { patientQuery } from "./connection.ts";
import { begunIn, moneyOf, SEEN } from "./ledger-terms.ts";
import { findLimitsInUse } from "./limits-in-use.ts";
import { namesOf } from "./visible-runs.ts";

/** The ledger as far as somebody may see it. Of what was forgotten, only those who see all get the figures. */
export function createVisibleFigures(pool: Pool, visible: Visible, log: Log): VisibleFigures {
  const { installations, names } = namesOf(visible);
  const query = <T extends object>(sql: string, ...values: unknown[]) =>
    patientQuery<T>(pool, log, sql, [installations, names, ...values]);
  return {
    async spending() {
      const [row] = await query<SpendingRow>(SPENDING);
      const { day = 0, dayHeld = 0, month = 0, monthHeld = 0 } = row ?? {};
      return { day: spending(day, dayHeld), month: spending(month, monthHeld) };
    },
    async limits() {
      const uses = await findLimitsInUse(pool, visible, log);
      return uses.filter(({ scope }) => scope !== "bot");
    },
    repositories: (most) => query<RepositoryFigures>(REPOSITORIES, most),
    acceptance: (most) => query<AcceptanceRow>(ACCEPTANCE, most),
    async trend(span, count) {
      const about = [span, count];
      const slots = await query<SlotRow>(SLOTS, ...about);
      const runs = await query<RunsRow>(RUNS, ...about);
      return slots.map(({ from, merged, closed, timeToPull }): TrendSlot => {
        const own = runs.filter((row) => row.from === from);
        return {
          from,
          runs: own.map(({ outcome, runs: number, money }) => ({ outcome, runs: number, money })),
          merged,
          closed,
          timeToPull: timeToPull ?? undefined,
        };
      });
    },
  };
}

const spending = (spent: number, setAside: number): Spending => ({ spent, setAside });

interface SpendingRow {
  day: number;
  dayHeld: number;
  month: number;
  monthHeld: number;
}

/** Counts as the limits do (`queue/limits.ts`). */
const SPENDING = `
  SELECT ${moneyOf("spent", `ended IS NOT NULL AND ${begunIn("day")}`)} AS day,
         ${moneyOf("set_aside", `ended IS NULL AND ${begunIn("day")}`)} AS "dayHeld",
         ${moneyOf("spent", "ended IS NOT NULL")} AS month,
         ${moneyOf("set_aside", "ended IS NULL")} AS "monthHeld"
    FROM magis.ledger WHERE ${begunIn("month")} AND ${SEEN}`;

const REPOSITORIES = `
  SELECT (array_agg(owner || '/' || repo ORDER BY seq DESC))[1] AS name,
         (count(*) FILTER (WHERE ended IS NOT NULL))::int AS runs,
         (count(*) FILTER (WHERE ended IS NULL))::int AS unfinished,
         sum(spent)::float8 AS money, ${moneyOf("spent", begunIn("month"))} AS "moneyThisMonth",
         count(pull_state)::int AS opened, (count(*) FILTER (WHERE pull_state = 'merged'))::int AS merged
    FROM magis.ledger WHERE owner IS NOT NULL AND ${SEEN}
   GROUP BY lower(owner), lower(repo) ORDER BY max(seq) DESC LIMIT $3`;

const monthOf = (column: string) => `to_char(${column} AT TIME ZONE 'UTC', 'YYYY-MM')`;

const ACCEPTANCE = `
  WITH own AS (
    SELECT lower(owner) AS owner, lower(repo) AS repo, ${monthOf("pull_ended")} AS month,
           (array_agg(owner || '/' || repo ORDER BY seq DESC))[1] AS name,
           (count(*) FILTER (WHERE pull_state = 'merged'))::int AS merged, count(*)::int AS decided
      FROM magis.ledger WHERE pull_ended IS NOT NULL AND pull_state <> 'open' AND owner IS NOT NULL AND ${SEEN}
     GROUP BY 1, 2, 3),
  people AS (
    SELECT owner, repo, ${monthOf("at")} AS month,
           (count(*) FILTER (WHERE is_merged))::int AS "peoplesMerged", count(*)::int AS "peoplesDecided"
      FROM magis.peoples_pull WHERE ${SEEN} GROUP BY 1, 2, 3)
  SELECT name, month, merged, decided, coalesce("peoplesMerged", 0) AS "peoplesMerged",
         coalesce("peoplesDecided", 0) AS "peoplesDecided"
    FROM own LEFT JOIN people USING (owner, repo, month) ORDER BY month DESC, name LIMIT $3`;

/** Entries by the day, week or month of a time. Each is looked at once, however many periods there are. */
const periodOf = (column: string) => `date_trunc($3, ${column} AT TIME ZONE 'UTC')`;

/** The days, weeks or months: `$3` of them is one, and there are `$4`. */
const PERIODS = `
  WITH periods AS (
    SELECT begun FROM generate_series(
      date_trunc($3, now() AT TIME ZONE 'UTC') - ($4::int - 1) * ('1 ' || $3)::interval,
      date_trunc($3, now() AT TIME ZONE 'UTC'), ('1 ' || $3)::interval) AS begun)`;

interface SlotRow {
  from: string;
  merged: number;
  closed: number;
  timeToPull: number | null;
}

const SLOTS = `
  ${PERIODS},
  pulls AS (
    SELECT ${periodOf("pull_ended")} AS begun, (count(*) FILTER (WHERE pull_state = 'merged'))::int AS merged,
           (count(*) FILTER (WHERE pull_state = 'closed'))::int AS closed
      FROM magis.ledger WHERE pull_ended IS NOT NULL AND ${SEEN} GROUP BY 1),
  opened AS (
    SELECT ${periodOf("ended")} AS begun,
           percentile_cont(0.5) WITHIN GROUP (ORDER BY extract(epoch FROM ended - asked)::float8 * 1000) AS median
      FROM magis.ledger WHERE pull_state IS NOT NULL AND ended IS NOT NULL AND ${SEEN} GROUP BY 1)
  SELECT to_char(begun, 'YYYY-MM-DD') AS from, coalesce(merged, 0) AS merged, coalesce(closed, 0) AS closed,
         median AS "timeToPull"
    FROM periods LEFT JOIN pulls USING (begun) LEFT JOIN opened USING (begun) ORDER BY begun`;

interface RunsRow {
  from: string;
  outcome: string;
  runs: number;
  money: number;
}

const RUNS = `
  ${PERIODS},
  runs AS (
    SELECT ${periodOf("ended")} AS begun, coalesce(outcome, 'unknown') AS outcome, count(*)::int AS runs,
           sum(spent)::float8 AS money
      FROM magis.ledger WHERE ended IS NOT NULL AND ${SEEN} GROUP BY 1, 2)
  SELECT to_char(begun, 'YYYY-MM-DD') AS from, outcome, runs, money
    FROM periods JOIN runs USING (begun) ORDER BY begun, runs DESC, outcome`;
