import { RECALL_DEPTH, type Totals } from "../measures/totals.ts";
import { COLOURS, STYLE } from "./bar-plot.ts";

/** The plot's file, beside the report. */
export const RECALL_PLOT = "recall.svg";

export const RECALL_TITLE = "Recall of the files to change over the number of files";

const [WIDTH, HEIGHT] = [640, 390];

const PLOT = { left: 60, right: 620, top: 40, bottom: 300 };

/** The recall of the Custodian, BM25, lunr and the ranking as an SVG document, readable on light and dark pages. */
export function recallPlot({ custodian, bm25, lunr, ranking }: NonNullable<Totals["recall"]>): string {
  const x = (k: number) => (PLOT.left + ((k - 1) / (RECALL_DEPTH - 1)) * (PLOT.right - PLOT.left)).toFixed(1);
  const y = (share: number) => (PLOT.bottom - share * (PLOT.bottom - PLOT.top)).toFixed(1);
  const grid = [0, 0.2, 0.4, 0.6, 0.8, 1].map((share) => {
    const at = y(share);
    const label = `<text x="${PLOT.left - 8}" y="${at}" text-anchor="end" dominant-baseline="middle">`;
    const line = `<line class="grid" x1="${PLOT.left}" y1="${at}" x2="${PLOT.right}" y2="${at}"/>`;
    return `${line}${label}${Math.round(share * 100)} %</text>`;
  });
  const ticks = [1, 5, 10, 15, RECALL_DEPTH].map(
    (k) => `<text x="${x(k)}" y="${PLOT.bottom + 18}" text-anchor="middle">${k}</text>`,
  );
  const curves = [
    ["Custodian", custodian],
    ["BM25", bm25],
    ["lunr", lunr],
    ["ranking, no model", ranking],
  ] as const;
  const drawn = curves.map(([name, shares], index) => {
    const points = shares.map((share, at) => `${x(at + 1)},${y(share)}`).join(" ");
    const [left, below] = [PLOT.left + index * 140, HEIGHT - 18];
    const key = `<line x1="${left}" y1="${below}" x2="${left + 22}" y2="${below}" stroke-width="2.5"/>`;
    // The first lies on top, the others show around it where they are equal.
    const curve = `<polyline fill="none" stroke-width="${2.5 + index * 2}" points="${points}"/>`;
    const text = `<text x="${left + 28}" y="${below}" dominant-baseline="middle">${name}</text>`;
    return `<g stroke="${COLOURS[index]}">${curve}${key}</g>${text}`;
  });
  const middle = (PLOT.left + PLOT.right) / 2;
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${HEIGHT}" width="${WIDTH}" height="${HEIGHT}" role="img">`,
    `<title>${RECALL_TITLE}</title>`,
    `<style>${STYLE}</style>`,
    `<rect class="paper" width="${WIDTH}" height="${HEIGHT}" fill="#fff"/>`,
    `<text class="title" x="16" y="22">${RECALL_TITLE}</text>`,
    ...grid,
    ...ticks,
    `<text x="${middle}" y="${PLOT.bottom + 42}" text-anchor="middle">number of files (1 to ${RECALL_DEPTH})</text>`,
    ...drawn.reverse(),
    "</svg>",
    "",
  ].join("\n");
}
