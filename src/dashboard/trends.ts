import { SPANS, type Span, type TrendSlot } from "../queue/visible.ts";
import type { Reply } from "./gate.ts";
import type { PageParts } from "./page-parts.ts";
import { dollars, GROUPS, groupOf, plotsOf } from "./plots.ts";

const COUNTS: Readonly<Record<Span, number>> = { day: 30, week: 26, month: 12 };

const isSpan = (text: string | undefined): text is Span => SPANS.some((span) => span === text);

/** Runs, money, merge rate and time to the pull request over time: as plots, and as a table for those who read figures. */
export async function trendsPage(
  { templates, visitor, figures }: PageParts,
  given: string | undefined,
): Promise<Reply> {
  const span = isSpan(given) ? given : "day";
  const slots = await figures.trend(span, COUNTS[span]);
  return templates.page("trends", visitor, {
    title: "Trends",
    place: "Trends",
    values: {
      span,
      spans: SPANS,
      count: COUNTS[span],
      plots: plotsOf(slots, span),
      head: [span, ...GROUPS.map(({ name }) => name), "cost", "merged", "closed", "time to pull request"],
      rows: slots.toReversed().map(rowOf),
    },
  });
}

function rowOf({ from, runs, merged, closed, timeToPull }: TrendSlot): readonly string[] {
  const counts = GROUPS.map(({ name }) =>
    runs.filter(({ outcome }) => groupOf(outcome) === name).reduce((sum, one) => sum + one.runs, 0),
  );
  const money = runs.reduce((sum, one) => sum + one.money, 0);
  return [
    from,
    ...counts.map(String),
    dollars(money),
    String(merged),
    String(closed),
    timeToPull === undefined ? "–" : `${Math.round(timeToPull / 60_000)} min`,
  ];
}
