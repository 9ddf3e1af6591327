import { formatMoney } from "../../data/spend.ts";
import type { Config } from "./config.ts";

const VARIABLES = {
  day: "MAGIS_BUDGET_DAY",
  month: "MAGIS_BUDGET_MONTH",
  organisation: "MAGIS_BUDGET_MONTH_ORGANISATION",
  repository: "MAGIS_BUDGET_MONTH_REPOSITORY",
  person: "MAGIS_BUDGET_MONTH_PERSON",
} as const;

export const LIMIT_VARIABLES = Object.values(VARIABLES);

/**
 * A sentence for each limit of money (US dollars) that is below what one run may cost: a run sets its whole budget
 * aside before it begins, so none can, except where a repository's file sets a smaller budget.
 */
export function limitsBelowARun({ limits, budget }: Config): readonly string[] {
  return Object.entries(VARIABLES).flatMap(([scope, variable]) => {
    const most = limits[scope as keyof typeof VARIABLES];
    if (most === undefined || most >= budget.money) return [];
    return `${variable} is ${formatMoney(most)}, and one run may cost ${formatMoney(budget.money)} (MAGIS_BUDGET_MONEY), so that no run can start. Raise the one or lower the other.`;
  });
}
