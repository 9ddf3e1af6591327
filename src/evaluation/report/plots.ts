import { RECALL_DEPTH } from "../measures/totals.ts";
import { formatFigure, type ReportFacts } from "./tables.ts";

/** The plots' files, and what each shows. */
export const PLOTS = {
  "recall.svg": "Recall of the files to change over the number of files",
  "cost.svg": "US dollars for each instance",
  "tokens.svg": "Tokens for each instance",
  "calls.svg": "Calls one after another for each instance",
} as const;

/** The plots by file name, as SVG text; what was not measured has none. */
export function plotsOf({ metrics, totals }: Pick<ReportFacts, "metrics" | "totals">): ReadonlyMap<string, string> {
  const plots = new Map<string, string>();
  const { recall } = totals;
  if (recall) {
    const lines = [
      { name: "Custodian", values: recall.custodian },
      { name: "BM25", values: recall.bm25 },
      { name: "lunr", values: recall.lunr },
      { name: "ranking, no model", values: recall.ranking },
    ];
    const across = `number of files (1 to ${RECALL_DEPTH})`;
    plots.set("recall.svg", lineChart({ title: PLOTS["recall.svg"], across, lines, percent: true }));
  }
  if (metrics.length === 0) return plots;
  const bars = (name: keyof typeof PLOTS, show: (value: number) => string, values: (at: number) => number[]) => {
    const rows = metrics.map(({ id }, index) => ({ name: id, values: values(index) }));
    return { title: PLOTS[name], bars: rows, show };
  };
  const spend = (at: number) => metrics[at]?.spend;
  plots.set("cost.svg", barChart(bars("cost.svg", formatFigure.money, (at) => [spend(at)?.money ?? 0])));
  const tokens = bars("tokens.svg", formatFigure.number, (at) => {
    const { input = 0, cacheWrite = 0, cacheRead = 0, output = 0 } = spend(at) ?? {};
    return [input, cacheWrite, cacheRead, output];
  });
  plots.set("tokens.svg", barChart({ ...tokens, parts: ["input", "cache write", "cache read", "output"] }));
  plots.set("calls.svg", barChart(bars("calls.svg", formatFigure.number, (at) => [spend(at)?.sequentialCalls ?? 0])));
  return plots;
}

interface Bar {
  readonly name: string;
  /** stacked, in the order of the chart's `parts` */
  readonly values: readonly number[];
}

const ROW = 20;

const LEFT = 250;

const BARS_WIDTH = 720;

const RIGHT = 640;

const MAX_NAME_LENGTH = 36;

/** Horizontal bars as SVG text, one a line, in the order given, each with its sum as `show` writes it. */
function barChart(chart: {
  readonly title: string;
  readonly bars: readonly Bar[];
  /** what the stacked parts are; one name or none draws no key */
  readonly parts?: readonly string[];
  show(value: number): string;
}): string {
  const { title, bars, parts = [], show } = chart;
  const sumOf = ({ values }: Bar) => values.reduce((sum, value) => sum + value, 0);
  const top = niceCeiling(bars.reduce((most, bar) => Math.max(most, sumOf(bar)), 0));
  const key = parts.length > 1 ? ROW : 0;
  const rows = bars.map((bar, index) => {
    const y = 44 + key + index * ROW;
    const name = bar.name.length > MAX_NAME_LENGTH ? `${bar.name.slice(0, MAX_NAME_LENGTH - 1)}…` : bar.name;
    let x = LEFT;
    const stacked = bar.values.map((value, part) => {
      const width = (value / top) * (RIGHT - LEFT);
      const colour = COLOURS[part % COLOURS.length];
      const drawn = `<rect x="${x.toFixed(1)}" y="${y}" width="${width.toFixed(1)}" height="14" fill="${colour}"/>`;
      x += width;
      return drawn;
    });
    return (
      `<text x="${LEFT - 8}" y="${y + 7}" text-anchor="end" dominant-baseline="middle">${escapeXml(name)}</text>` +
      `${stacked.join("")}<text x="${(x + 6).toFixed(1)}" y="${y + 7}" dominant-baseline="middle">` +
      `${escapeXml(show(sumOf(bar)))}</text>`
    );
  });
  const keys = (parts.length > 1 ? parts : []).map((part, index) => {
    const x = LEFT + index * 130;
    const square = `<rect x="${x}" y="36" width="12" height="12" fill="${COLOURS[index % COLOURS.length]}"/>`;
    return `${square}<text x="${x + 18}" y="43" dominant-baseline="middle">${escapeXml(part)}</text>`;
  });
  return svgFrame({ title, width: BARS_WIDTH, height: 60 + key + bars.length * ROW, body: [...keys, ...rows] });
}

interface ChartLine {
  readonly name: string;
  /** the value at 1, 2, 3, … */
  readonly values: readonly number[];
}

const PLOT = { left: 60, right: 620, top: 40, bottom: 300 };

const CURVE_WIDTH = 640;

const HEIGHT = 390;

const STEPS = 5;

/** A line chart as SVG text: values over 1, 2, 3, …; `percent` labels shares, whose axis ends at 1. */
function lineChart(chart: {
  readonly title: string;
  readonly across: string;
  readonly lines: readonly ChartLine[];
  readonly percent?: boolean;
}): string {
  const { title, across, lines, percent = false } = chart;
  const count = lines.reduce((most, { values }) => Math.max(most, values.length), 1);
  const top = percent ? 1 : niceCeiling(Math.max(...lines.flatMap(({ values }) => values), 0));
  const x = (k: number) => PLOT.left + ((k - 1) / Math.max(1, count - 1)) * (PLOT.right - PLOT.left);
  const y = (value: number) => PLOT.bottom - (value / top) * (PLOT.bottom - PLOT.top);
  const label = (value: number) => (percent ? `${Math.round(value * 100)} %` : String(Number(value.toPrecision(3))));
  const grid = Array.from({ length: STEPS + 1 }, (_, step) => {
    const value = (top * step) / STEPS;
    const at = y(value).toFixed(1);
    return (
      `<line class="grid" x1="${PLOT.left}" y1="${at}" x2="${PLOT.right}" y2="${at}"/>` +
      `<text x="${PLOT.left - 8}" y="${at}" text-anchor="end" dominant-baseline="middle">${label(value)}</text>`
    );
  });
  const ticks = Array.from({ length: count }, (_, index) => index + 1)
    .filter((k) => k === 1 || k % (count > 10 ? 5 : 1) === 0)
    .map((k) => `<text x="${x(k).toFixed(1)}" y="${PLOT.bottom + 18}" text-anchor="middle">${k}</text>`);
  const drawn = lines.map(({ name, values }, index) => {
    const colour = COLOURS[index % COLOURS.length];
    const points = values.map((value, at) => `${x(at + 1).toFixed(1)},${y(value).toFixed(1)}`).join(" ");
    const [left, below] = [PLOT.left + index * 190, HEIGHT - 18];
    return (
      `<polyline fill="none" stroke="${colour}" stroke-width="${2.5 + index * 2}" points="${points}"/>` +
      `<line x1="${left}" y1="${below}" x2="${left + 22}" y2="${below}" stroke="${colour}" stroke-width="2.5"/>` +
      `<text x="${left + 28}" y="${below}" dominant-baseline="middle">${escapeXml(name)}</text>`
    );
  });
  // The first lies on top, the others show around it where they are equal.
  drawn.reverse();
  const middle = (PLOT.left + PLOT.right) / 2;
  const axis = `<text x="${middle}" y="${PLOT.bottom + 42}" text-anchor="middle">${escapeXml(across)}</text>`;
  return svgFrame({ title, width: CURVE_WIDTH, height: HEIGHT, body: [...grid, ...ticks, axis, ...drawn] });
}

/** They differ in lightness too, for those who do not see the colours. */
const COLOURS = ["#2f6fde", "#e08a1e", "#5b9b57", "#9a5bb0"] as const;

/** An SVG document that is readable on light and dark pages, with its title as text and for screen readers. */
function svgFrame({
  title,
  width,
  height,
  body,
}: {
  readonly title: string;
  readonly width: number;
  readonly height: number;
  readonly body: readonly string[];
}): string {
  const style =
    "text{font:12px system-ui,sans-serif;fill:#333}.title{font-weight:600;font-size:15px}.grid{stroke:#ddd}" +
    "@media(prefers-color-scheme:dark){.paper{fill:#161b22}text{fill:#d0d7de}.grid{stroke:#30363d}}";
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" role="img">`,
    `<title>${escapeXml(title)}</title>`,
    `<style>${style}</style>`,
    `<rect class="paper" width="${width}" height="${height}" fill="#fff"/>`,
    `<text class="title" x="16" y="22">${escapeXml(title)}</text>`,
    ...body,
    "</svg>",
    "",
  ].join("\n");
}

/** The smallest of 1, 2, 2.5, 5 and 10 times a power of ten that is not below `value`: where an axis ends. 1 for 0. */
function niceCeiling(value: number): number {
  if (value <= 0) return 1;
  const power = 10 ** Math.floor(Math.log10(value));
  return ([1, 2, 2.5, 5].find((factor) => factor * power >= value) ?? 10) * power;
}

/** Text as XML takes it, in elements and in quoted attributes. */
function escapeXml(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;").replaceAll('"', "&quot;");
}
