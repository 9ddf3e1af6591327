import type { MarkdownScan, MarkdownSegment } from "./markdown-scan.ts";

/** Adds what stands between two places of the text to the scan's segments; text goes on with text before it. */
export function pushSegment(scan: MarkdownScan, kind: MarkdownSegment["kind"], from: number, to: number): void {
  if (to <= from) return;
  const text = scan.text.slice(from, to);
  const last = scan.segments.at(-1);
  if (kind !== "text" || last?.kind !== "text") scan.segments.push({ kind, text });
  else scan.segments[scan.segments.length - 1] = { kind, text: last.text + text };
}
