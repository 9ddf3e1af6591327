import { numberLines } from "./number-lines.ts";

/** Lines shown around each change. */
const AROUND = 12;

/**
 * The changed places of a new version, numbered, with some lines around each; `diff` is the unified diff that led to
 * it. Gaps are marked. "" for a deleted file.
 */
export function numberedExcerpt(lines: readonly string[], diff: string): string {
  const places = [...diff.matchAll(/^@@ -\S+ \+(\d+)(?:,(\d+))? @@/gm)].map(([, start, count]) => ({
    from: Math.max(1, Number(start) - AROUND),
    to: Math.min(lines.length, Number(start) + Number(count ?? 1) - 1 + AROUND),
  }));
  const merged: { from: number; to: number }[] = [];
  for (const place of places) {
    const last = merged.at(-1);
    if (last && place.from <= last.to + 1) last.to = Math.max(last.to, place.to);
    else merged.push({ ...place });
  }
  return merged
    .filter(({ from, to }) => from <= to)
    .map(({ from, to }) => numberLines(lines.slice(from - 1, to), from))
    .join("\n⋮\n");
}
