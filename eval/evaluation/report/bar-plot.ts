const [WIDTH, HEIGHT] = [640, 330];

const PLOT = { left: 60, right: 620, top: 40, bottom: 250 };

/** They differ in lightness too, for those who do not see the colours. */
export const COLOURS = ["#2f6fde", "#e08a1e", "#5b9b57", "#9a5bb0", "#8a8a8a", "#b04a4a"] as const;

/** Of all plots: readable on light and dark pages. */
export const STYLE = `
text { font: 12px system-ui, sans-serif; fill: #333 }
.title { font-weight: 600; font-size: 15px }
.grid { stroke: #ddd }
@media (prefers-color-scheme: dark) { .paper { fill: #161b22 } text { fill: #d0d7de } .grid { stroke: #30363d } }
`;

/** Shares by group, side by side for each series. Names of series beyond the sixth are left out, with their bars. */
export interface BarPlot {
  title: string;
  groups: readonly string[];
  /** shares between 0 and 1, one for each group */
  series: readonly { name: string; shares: readonly number[] }[];
}

/** A bar plot as an SVG document. */
export function barPlot({ title, groups, series: given }: BarPlot): string {
  const series = given.slice(0, COLOURS.length);
  const width = (PLOT.right - PLOT.left) / groups.length;
  const bar = (width * 0.8) / series.length;
  const height = (share: number) => share * (PLOT.bottom - PLOT.top);
  const grid = [0, 0.2, 0.4, 0.6, 0.8, 1].map((share) => {
    const y = (PLOT.bottom - height(share)).toFixed(1);
    const line = `<line class="grid" x1="${PLOT.left}" y1="${y}" x2="${PLOT.right}" y2="${y}"/>`;
    const label = `<text x="${PLOT.left - 8}" y="${y}" text-anchor="end" dominant-baseline="middle">`;
    return `${line}${label}${Math.round(share * 100)} %</text>`;
  });
  const bars = series.flatMap(({ shares }, at) =>
    shares.map((share, group) => {
      const x = PLOT.left + group * width + width * 0.1 + at * bar;
      const y = PLOT.bottom - height(share);
      const size = `width="${bar.toFixed(1)}" height="${height(share).toFixed(1)}"`;
      return `<rect x="${x.toFixed(1)}" y="${y.toFixed(1)}" ${size} fill="${COLOURS[at]}"/>`;
    }),
  );
  const labels = groups.map((name, group) => {
    const x = (PLOT.left + (group + 0.5) * width).toFixed(1);
    return `<text x="${x}" y="${PLOT.bottom + 18}" text-anchor="middle">${escaped(name)}</text>`;
  });
  const keys = series.map(({ name }, at) => {
    const [x, y] = [PLOT.left + (at % 3) * 190, PLOT.bottom + 42 + Math.floor(at / 3) * 20];
    const mark = `<rect x="${x}" y="${y - 6}" width="12" height="12" fill="${COLOURS[at]}"/>`;
    return `${mark}<text x="${x + 18}" y="${y}" dominant-baseline="middle">${escaped(name.slice(0, 26))}</text>`;
  });
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${HEIGHT}" width="${WIDTH}" height="${HEIGHT}" role="img">`,
    `<title>${escaped(title)}</title>`,
    `<style>${STYLE}</style>`,
    `<rect class="paper" width="${WIDTH}" height="${HEIGHT}" fill="#fff"/>`,
    `<text class="title" x="16" y="22">${escaped(title)}</text>`,
    ...grid,
    ...bars,
    ...labels,
    ...keys,
    "</svg>",
    "",
  ].join("\n");
}

const escaped = (text: string) => text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
