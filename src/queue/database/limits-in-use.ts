import type { Pool } from "pg";
import type { LimitPeriod, LimitScope, LimitUse, MoneyLimit } from "../../data/limits.ts";
import type { Log } from "../../data/log.ts";
import type { Visible } from "../visible.ts";
import { patientQuery } from "./connection.ts";
import { begunIn, moneyOf, SEEN } from "./ledger-terms.ts";
import { namesOf } from "./visible-runs.ts";

/**
 * How much of each limit of money is used in its day or month, those used most first. A limit is the one that held for
 * the latest run under it. Somebody who may not see every repository whose runs count towards a limit does not see it.
 */
export async function findLimitsInUse(pool: Pool, visible: Visible, log: Log): Promise<readonly LimitUse[]> {
  const { installations, names } = namesOf(visible);
  const uses: LimitUse[] = [];
  for (const [scope, sql] of Object.entries(SUMS) as readonly (readonly [LimitScope, string])[]) {
    const rows = await patientQuery<SumRow>(pool, log, sql, [installations, names, scope]);
    uses.push(...rows.flatMap((row) => usesOf(scope, row)));
  }
  return uses.toSorted((one, other) => other.spent / other.most - one.spent / one.most);
}

function usesOf(scope: LimitScope, row: SumRow): readonly LimitUse[] {
  const own = (row.limits ?? []).filter((limit) => limit.scope === scope);
  return own.map(({ period, most }) => {
    const { spent, held, refused } = row[period];
    return {
      scope,
      period,
      most,
      of: row.of,
      spent,
      setAside: held,
      isReached: spent >= most || (refused ?? 0) >= most,
    };
  });
}

interface Sums {
  spent: number;
  held: number;
  /** the highest limit that has kept a run from beginning; a limit that was raised since then is not reached */
  refused: number | null;
}

interface SumRow extends Readonly<Record<LimitPeriod, Sums>> {
  of: string;
  /** null: its runs began before limits were kept */
  limits: readonly MoneyLimit[] | null;
}

const sumsIn = (period: LimitPeriod) => `json_build_object(
    'spent', ${moneyOf("spent", `ended IS NOT NULL AND ${begunIn(period)}`)},
    'held', ${moneyOf("set_aside", `ended IS NULL AND ${begunIn(period)}`)},
    'refused', max((refused ->> 'most')::float8) FILTER (
      WHERE refused ->> 'scope' = $3 AND refused ->> 'period' = '${period}' AND ${begunIn(period)})) AS ${period}`;

/** Sums by whose limit it is. GitHub ignores the case of names; the latest spelling is shown. */
const sumsBy = (name: string) => `
  SELECT (array_agg(${name} ORDER BY seq DESC))[1] AS of,
         (array_agg(limits ORDER BY seq DESC) FILTER (WHERE limits IS NOT NULL))[1] AS limits,
         ${sumsIn("day")}, ${sumsIn("month")}
    FROM magis.ledger WHERE ${begunIn("month")} AND ${name} IS NOT NULL
   GROUP BY lower(${name}) HAVING $1::bigint[] IS NULL OR bool_and(coalesce(${SEEN}, false))`;

const SUMS: Readonly<Record<LimitScope, string>> = {
  bot: sumsBy("''::text"),
  organisation: sumsBy("owner"),
  repository: sumsBy("owner || '/' || repo"),
  person: sumsBy("person"),
};
