import { numberLines } from "./number-lines.ts";

/** Ranges of lines (1-based, inclusive, in order; they may overlap or reach beyond the file), numbered, gaps marked. */
export function numberedRanges(
  lines: readonly string[],
  ranges: readonly { readonly from: number; readonly to: number }[],
): string {
  const merged: { from: number; to: number }[] = [];
  for (const { from, to } of ranges) {
    const place = { from: Math.max(1, from), to: Math.min(lines.length, to) };
    const last = merged.at(-1);
    if (last && place.from <= last.to + 1) last.to = Math.max(last.to, place.to);
    else merged.push(place);
  }
  return merged
    .filter(({ from, to }) => from <= to)
    .map(({ from, to }) => numberLines(lines.slice(from - 1, to), from))
    .join("\n⋮\n");
}
