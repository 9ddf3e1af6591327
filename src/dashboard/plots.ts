import { setImmediate } from "node:timers/promises";
import type { Axis, Data, Mark, Scale, Spec } from "vega";
import type { Span, TrendSlot } from "../ports/visible.ts";

/** Ends of runs as the plots group them; their colours are the style sheet's. */
export const GROUPS = [
  { name: "made", tone: "good" },
  { name: "no change", tone: "plain" },
  { name: "stopped", tone: "warn" },
  { name: "failed", tone: "bad" },
] as const;

type Group = (typeof GROUPS)[number]["name"];

const OUTCOMES: ReadonlyMap<string, Group> = new Map([
  ["published", "made"],
  ["dry-run", "made"],
  ["nothing-to-change", "no change"],
  ["asked", "no change"],
  ["awaiting-approval", "no change"],
  ["gave-up", "failed"],
  ["failed", "failed"],
]);

export const groupOf = (outcome: string): Group => OUTCOMES.get(outcome) ?? "stopped";

function grouped(outcome: string) {
  const group = groupOf(outcome);
  return { group, rank: GROUPS.findIndex(({ name }) => name === group) };
}

/** A plot as SVG, with a title of our own. */
interface Plot {
  readonly title: string;
  readonly svg: string;
  /** what its colours mean */
  readonly key: typeof GROUPS | readonly [];
}

const HOUR_MS = 3_600_000;

/** The plots of the page, for its style sheet: they have no colours of their own, and no style attributes. */
export async function plotsOf(slots: readonly TrendSlot[], span: Span): Promise<readonly Plot[]> {
  const days = slots.map(({ from }) => (span === "month" ? from.slice(0, 7) : from.slice(5)));
  const named = slots.map((slot, at) => ({ ...slot, from: days[at] ?? "" }));
  const runs = named.flatMap(({ from, runs: ended }) =>
    ended.map((one) => ({ from, value: one.runs, ...grouped(one.outcome) })),
  );
  const money = named.map((slot) => ({ from: slot.from, value: slot.runs.reduce((sum, one) => sum + one.money, 0) }));
  const merges = named.flatMap(({ from, merged, closed }) =>
    merged + closed === 0 ? [] : [{ from, value: merged / (merged + closed) }],
  );
  const times = named.flatMap(({ from, timeToPull }) =>
    timeToPull === undefined ? [] : [{ from, value: timeToPull / HOUR_MS }],
  );
  const line = [LINE, POINTS];
  const wanted: readonly (readonly [title: string, spec: Spec, key?: Plot["key"]])[] = [
    ["Runs by how they ended", stackedBars(days, runs), GROUPS],
    ["Money in US dollars", plot(days, money, { marks: [BARS], format: "~s" })],
    ["Merge rate of decided pull requests", plot(days, merges, { marks: line, format: ".0%", top: 1 })],
    ["Hours to the pull request, median", plot(days, times, { marks: line, format: "~g" })],
  ];
  const plots: Plot[] = [];
  for (const one of wanted) {
    // Webhooks and runs get their turn between two of them.
    await setImmediate();
    plots.push(await drawn(...one));
  }
  return plots;
}

async function drawn(title: string, spec: Spec, key: Plot["key"] = []): Promise<Plot> {
  // Loaded for this page alone: it takes a fifth of a second and 25 MB.
  const { parse, View } = await import("vega");
  const view = new View(parse({ ...spec, description: title }), { renderer: "none" });
  try {
    return { title, svg: await view.toSVG(), key };
  } finally {
    view.finalize();
  }
}

interface Row {
  readonly from: string;
  readonly value: number;
}

interface Drawn {
  readonly marks: readonly Mark[];
  /** of the figures, in d3's words */
  readonly format: string;
  /** the largest figure, where it is known before */
  readonly top?: number;
}

const X = { scale: "x", field: "from" } as const;

const BARS: Mark = {
  type: "rect",
  from: { data: "rows" },
  encode: {
    enter: {
      x: X,
      width: { scale: "x", band: 1 },
      y: { scale: "y", field: "value" },
      y2: { scale: "y", value: 0 },
      fill: { value: "var(--plot-plain)" },
    },
  },
};

const AT_POINT = { x: { ...X, band: 0.5 }, y: { scale: "y", field: "value" } } as const;

const LINE: Mark = {
  type: "line",
  from: { data: "rows" },
  encode: { enter: { ...AT_POINT, stroke: { value: "var(--plot-plain)" }, strokeWidth: { value: 1.5 } } },
};

const POINTS: Mark = {
  type: "symbol",
  from: { data: "rows" },
  encode: { enter: { ...AT_POINT, fill: { value: "var(--plot-plain)" }, size: { value: 30 } } },
};

function plot(days: readonly string[], rows: readonly Row[], { marks, format, top }: Drawn): Spec {
  const domain: Scale["domain"] = top === undefined ? { data: "rows", field: "value" } : [0, top];
  return {
    ...frame(days, format),
    data: [{ name: "rows", values: [...rows] }],
    scales: scales(days, rows.length === 0 ? [0, 1] : domain),
    marks: [...marks],
  };
}

function stackedBars(days: readonly string[], rows: readonly (Row & { readonly group: Group })[]): Spec {
  const data: Data = {
    name: "rows",
    values: [...rows],
    transform: [{ type: "stack", groupby: ["from"], field: "value", sort: { field: "rank" } }],
  };
  const colours: Scale = {
    name: "colour",
    type: "ordinal",
    domain: GROUPS.map(({ name }) => name),
    range: GROUPS.map(({ tone }) => `var(--plot-${tone})`),
  };
  const bars: Mark = {
    type: "rect",
    from: { data: "rows" },
    encode: {
      enter: {
        x: X,
        width: { scale: "x", band: 1 },
        y: { scale: "y", field: "y0" },
        y2: { scale: "y", field: "y1" },
        fill: { scale: "colour", field: "group" },
      },
    },
  };
  return {
    ...frame(days, "~s"),
    data: [data],
    scales: [...scales(days, rows.length === 0 ? [0, 1] : { data: "rows", field: "y1" }), colours],
    marks: [bars],
  };
}

/** Narrow enough for a telephone, so that nothing is made smaller there. */
const SIZE = { width: 320, height: 190 };

function frame(days: readonly string[], format: string): Spec {
  const shared: Partial<Axis> = {
    labelColor: "var(--soft)",
    labelFontSize: 11,
    domainColor: "var(--line)",
    ticks: false,
  };
  const few = days.filter((_, at) => (days.length - 1 - at) % Math.ceil(days.length / 5) === 0);
  return {
    ...SIZE,
    padding: 4,
    autosize: { type: "fit", contains: "padding" },
    axes: [
      { ...shared, orient: "bottom", scale: "x", values: few, labelPadding: 6 } as Axis,
      {
        ...shared,
        orient: "left",
        scale: "y",
        format,
        grid: true,
        gridColor: "var(--line)",
        tickCount: 4,
        domain: false,
      } as Axis,
    ],
  };
}

const scales = (days: readonly string[], domain: Scale["domain"]): Scale[] => [
  { name: "x", type: "band", domain: [...days], range: "width", paddingInner: 0.2 },
  { name: "y", type: "linear", domain, zero: true, nice: true, range: "height" } as Scale,
];
