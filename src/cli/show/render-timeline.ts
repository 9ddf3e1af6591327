import type { Span } from "./block.ts";
import { createTimeScale } from "./create-time-scale.ts";
import { escapeHtml } from "./escape-html.ts";
import { formatTime } from "./formats.ts";

const LABEL = 18;
const ROW = 12;
const BAR = 9;
const GAP = 8;

/** Calls in time as a drawing: a lane for each prompt, calls that run side by side below each other. */
export function renderTimeline(spans: readonly Span[]): string {
  const scale = createTimeScale(spans);
  const lanes = [...new Set(spans.map(({ lane }) => lane))];
  let top = 0;
  const drawn = lanes.map((lane) => {
    const rows = inRows(spans.filter((span) => span.lane === lane));
    const bars = rows.flatMap((row, at) => row.map((span) => bar(span, top + LABEL + at * ROW, scale.at)));
    const label = `<text x="0" y="${top + LABEL - 5}">${escapeHtml(lane)}</text>`;
    top += LABEL + rows.length * ROW + GAP;
    return label + bars.join("");
  });
  const cuts = scale.pauses.map(({ at, lasted }) => {
    const x = percent(at);
    return `<line class="pause" x1="${x}" x2="${x}" y1="0" y2="${top}"><title>pause of ${formatTime(lasted)}</title></line>`;
  });
  const about = `${spans.length} calls in ${formatTime(scale.whole)}`;
  const note = cuts.length === 0 ? "" : "; dashed: long pauses, cut short";
  return `<figure class="timeline"><figcaption>Time line: ${about}${note}</figcaption><svg role="img" aria-label="${about}" width="100%" height="${top}">${cuts.join("")}${drawn.join("")}</svg></figure>`;
}

function bar({ began, elapsed, failed, about }: Span, y: number, at: (moment: number) => number): string {
  const [from, to] = [at(began), at(began + elapsed)];
  const style = failed ? ' class="failed"' : "";
  return `<rect${style} x="${percent(from)}" y="${y}" width="${percent(to - from)}" height="${BAR}"><title>${escapeHtml(about)}</title></rect>`;
}

/** Each span goes to the first row that is free by then. */
function inRows(spans: readonly Span[]): Span[][] {
  const rows: Span[][] = [];
  for (const span of [...spans].sort((a, b) => a.began - b.began)) {
    const free = rows.find((row) => row.every(({ began, elapsed }) => began + elapsed <= span.began));
    if (free) free.push(span);
    else rows.push([span]);
  }
  return rows;
}

const percent = (part: number) => `${Math.round(part * 10_000) / 100}%`;
