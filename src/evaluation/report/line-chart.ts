import { escapeXml } from "./escape-xml.ts";
import { niceCeiling } from "./nice-ceiling.ts";
import { COLOURS, svgFrame } from "./svg-frame.ts";

export interface ChartLine {
  readonly name: string;
  /** the value at 1, 2, 3, … */
  readonly values: readonly number[];
}

const PLOT = { left: 60, right: 620, top: 40, bottom: 300 };
const WIDTH = 640;
const HEIGHT = 390;
const STEPS = 5;

/** A line chart as SVG text: values over 1, 2, 3, …; `percent` labels shares, whose axis ends at 1. */
export function lineChart(chart: {
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
  return svgFrame({ title, width: WIDTH, height: HEIGHT, body: [...grid, ...ticks, axis, ...drawn] });
}
