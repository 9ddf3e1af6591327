import type { Span, TrendSlot } from "../queue/visible.ts";

/** Ends of runs as the plots group them; their colours are the style sheet's. */
export const GROUPS = [
  { name: "made", tone: "good" },
  { name: "no change", tone: "plain" },
  { name: "stopped", tone: "warn" },
  { name: "failed", tone: "bad" },
] as const;

type Group = (typeof GROUPS)[number];

const OUTCOMES: ReadonlyMap<string, Group["name"]> = new Map([
  ["published", "made"],
  ["dry-run", "made"],
  ["nothing-to-change", "no change"],
  ["asked", "no change"],
  ["awaiting-approval", "no change"],
  ["gave-up", "failed"],
  ["failed", "failed"],
]);

export const groupOf = (outcome: string): Group["name"] => OUTCOMES.get(outcome) ?? "stopped";

export const dollars = (money: number): string => `$${money.toFixed(2)}`;

/** A plot of bars as the template draws it. Lengths are hundredths of the plot's height, and tenths of a period. */
interface Plot {
  title: string;
  /** what its colours mean */
  key: readonly Group[];
  /** along the left edge, evenly spaced from the top to zero; empty: there is nothing to show yet */
  ticks: readonly string[];
  /** one a period; empty where there is no room for it */
  labels: readonly string[];
  width: number;
  lines: readonly number[];
  bars: readonly Bar[];
}

interface Bar {
  x: number;
  y: number;
  height: number;
  tone: Group["tone"];
  /** for those who point at it */
  says: string;
}

/** How the figures of a plot are written and spaced. */
interface Scale {
  words: (figure: number) => string;
  /** the smallest distance between two ticks */
  least: number;
  /** the highest figure, where it is known before */
  top?: number;
}

interface Part {
  figure: number;
  tone: Group["tone"];
  name: string;
}

const COUNT: Scale = { words: String, least: 1 };
const MONEY: Scale = { words: dollars, least: 0.01 };
const SHARE: Scale = { words: (share) => `${Math.round(share * 100)} %`, least: 0.25, top: 1 };
const MINUTES: Scale = { words: (minutes) => `${Math.round(minutes)} min`, least: 1 };

const MINUTE_MS = 60_000;

/** The plots of the trends: of each period its parts, from the bottom up; none where nothing is known. */
export function plotsOf(slots: readonly TrendSlot[], span: Span): readonly Plot[] {
  const names = slots.map(({ from }) => (span === "month" ? from.slice(0, 7) : from.slice(5)));
  const plot = (title: string, scale: Scale, partsOf: (slot: TrendSlot) => readonly Part[]) =>
    drawn(title, names, slots.map(partsOf), scale);
  const plain = (figure: number): Part => ({ figure, tone: "plain", name: "" });
  return [
    {
      ...plot("Runs by how they ended", COUNT, ({ runs }) =>
        GROUPS.map(({ name, tone }) => {
          const own = runs.filter(({ outcome }) => groupOf(outcome) === name);
          return { figure: own.reduce((sum, one) => sum + one.runs, 0), tone, name: ` ${name}` };
        }),
      ),
      key: GROUPS,
    },
    plot("Money in US dollars", MONEY, ({ runs }) =>
      runs.length === 0 ? [] : [plain(runs.reduce((sum, one) => sum + one.money, 0))],
    ),
    plot("Merge rate of decided pull requests", SHARE, ({ merged, closed }) =>
      merged + closed === 0 ? [] : [plain(merged / (merged + closed))],
    ),
    plot("Minutes to the pull request, median", MINUTES, ({ timeToPull }) =>
      timeToPull === undefined ? [] : [plain(timeToPull / MINUTE_MS)],
    ),
  ];
}

/** A bar that is there, however low its figure. */
const LOWEST = 0.8;

function drawn(title: string, names: readonly string[], periods: readonly (readonly Part[])[], scale: Scale): Plot {
  const most = Math.max(0, ...periods.map((parts) => parts.reduce((sum, { figure }) => sum + figure, 0)));
  const { step, count } = ticksFor(scale.top ?? most, scale.least);
  const bars = periods.flatMap((parts, at) => {
    let below = 0;
    // A lone figure may be a zero that is known; in a stack nothing is shown of what did not happen.
    const shown = parts.filter(({ figure }) => figure > 0 || parts.length === 1);
    return shown.map(({ figure, tone, name }): Bar => {
      const height = Math.max(LOWEST, (100 * figure) / (step * count));
      below += height;
      return { x: at * 10 + 1, y: 100 - below, height, tone, says: `${names[at]}: ${scale.words(figure)}${name}` };
    });
  });
  const isEmpty = most === 0 && (scale.top === undefined || bars.length === 0);
  return {
    title,
    key: [],
    ticks: isEmpty ? [] : Array.from({ length: count + 1 }, (_, at) => scale.words(step * (count - at))),
    labels: names.map((name, at) => ((names.length - 1 - at) % Math.ceil(names.length / 5) === 0 ? name : "")),
    width: periods.length * 10,
    lines: Array.from({ length: count }, (_, at) => (100 * at) / count),
    bars,
  };
}

/** Round distances: at most five of them reach `most`. */
function ticksFor(most: number, least: number): { step: number; count: number } {
  for (let power = least; ; power *= 10) {
    for (const factor of [1, 2, 5]) {
      const step = factor * power;
      if (step * 5 >= most) return { step, count: Math.max(1, Math.ceil(most / step)) };
    }
  }
}
