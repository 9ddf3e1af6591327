import { type LimitPeriod, type LimitUse, NEAR } from "../data/limits.ts";
import type { Spending } from "../queue/visible.ts";
import type { RunSummary } from "../run/runs.ts";
import type { Reply } from "./gate.ts";
import type { PageParts } from "./page-parts.ts";
import { dollars } from "./plots.ts";
import { REFRESH_SECONDS, runLine } from "./run-pages.ts";

const LATEST = 10;

const UNFINISHED = 200;

const LISTED_LIMITS = 20;

/** What is queued, works and waits, and the money of today and this month. */
export async function overviewPage({ templates, visitor, runs, figures, limits }: PageParts): Promise<Reply> {
  const unfinished = await runs.unfinished(UNFINISHED);
  const latest = await runs.latest(LATEST);
  const spending = await figures.spending();
  const uses = await figures.limits();
  // What is left of the bot's limits would say what others spend.
  const { day, month } = visitor.isOperator ? limits : {};
  return templates.page("overview", visitor, {
    title: "Overview",
    place: "Overview",
    refresh: unfinished.length > 0 ? REFRESH_SECONDS : undefined,
    values: {
      counts: STANDINGS.map(({ is, name }) => ({ name, count: countOf(unfinished, is) })),
      money: [moneyOf("Today", spending.day, day), moneyOf("This month", spending.month, month)],
      uses: uses.slice(0, LISTED_LIMITS).map(limitLine),
      moreUses: Math.max(0, uses.length - LISTED_LIMITS),
      unfinished: unfinished.map(runLine),
      latest: latest.filter(({ id }) => !unfinished.some((one) => one.id === id)).map(runLine),
      isOperator: visitor.isOperator,
    },
  });
}

const STANDINGS = [
  { is: "working", name: "working" },
  { is: "waiting", name: "waiting" },
  { is: "queued", name: "queued" },
] as const;

const countOf = (runs: readonly RunSummary[], is: string) => runs.filter(({ standing }) => standing?.is === is).length;

function moneyOf(name: string, { spent, setAside }: Spending, limit: number | undefined) {
  return {
    name,
    spent: dollars(spent),
    setAside: setAside > 0 ? dollars(setAside) : "",
    limit: limit === undefined ? "" : dollars(limit),
    value: spent,
    most: limit ?? 0,
    near: (limit ?? 0) * NEAR,
    isNear: limit !== undefined && spent >= limit * NEAR,
  };
}

const PERIODS: Readonly<Record<LimitPeriod, string>> = { day: "today", month: "this month" };

function limitLine({ scope, of, period, spent, setAside, most, isReached }: LimitUse) {
  return {
    of,
    what: `${scope}, ${PERIODS[period]}`,
    spent: dollars(spent),
    setAside: setAside > 0 ? dollars(setAside) : "",
    limit: dollars(most),
    value: spent,
    most,
    near: most * NEAR,
    state: stateOf(isReached, spent >= most * NEAR),
  };
}

function stateOf(isReached: boolean, isNear: boolean): string {
  if (isReached) return "reached";
  return isNear ? "near" : "";
}
