import { numberedRanges } from "../../../edits/numbered-ranges.ts";

/** Lines shown around each change. */
const AROUND = 12;

/**
 * The changed places of a new version, numbered, with some lines around each; `diff` is the unified diff that led to
 * it. Gaps are marked. "" for a deleted file.
 */
export function numberedExcerpt(lines: readonly string[], diff: string): string {
  const places = [...diff.matchAll(/^@@ -\S+ \+(\d+)(?:,(\d+))? @@/gm)].map(([, start, count]) => ({
    from: Number(start) - AROUND,
    to: Number(start) + Number(count ?? 1) - 1 + AROUND,
  }));
  return numberedRanges(lines, places);
}
