import { escapeXml } from "./escape-xml.ts";
import { niceCeiling } from "./nice-ceiling.ts";
import { COLOURS, svgFrame } from "./svg-frame.ts";

export interface Bar {
  readonly name: string;
  /** stacked, in the order of the chart's `parts` */
  readonly values: readonly number[];
}

const ROW = 20;
const LEFT = 250;
const WIDTH = 720;
const RIGHT = 640;
const MAX_NAME_LENGTH = 36;

/** Horizontal bars as SVG text, one a line, in the order given, each with its sum as `show` writes it. */
export function barChart(chart: {
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
  return svgFrame({ title, width: WIDTH, height: 60 + key + bars.length * ROW, body: [...keys, ...rows] });
}
