/** Figures as the report shows them; a figure that is not there is a dash. */
export const formatFigure = {
  percent: (share: number | null | undefined) => (share == null ? "–" : `${(share * 100).toFixed(1)} %`),
  money: (dollars: number | null | undefined) => (dollars == null ? "–" : `$${dollars.toFixed(dollars < 1 ? 4 : 2)}`),
  seconds: (ms: number | null | undefined) => (ms == null ? "–" : `${(ms / 1000).toFixed(1)} s`),
  number: (value: number | null | undefined) =>
    value == null ? "–" : Number.isInteger(value) ? value.toLocaleString("en-US") : value.toFixed(value < 10 ? 2 : 1),
} as const;
