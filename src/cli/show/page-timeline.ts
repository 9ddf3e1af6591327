import { formatTime, type Span } from "./block.ts";
import { escapeHtml } from "./html.ts";

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

/** A pause in which nothing ran is drawn no longer than this part of all that did. */
const MAX_PAUSE = 0.1;

/** milliseconds; shorter pauses are never cut */
const SHORT_PAUSE = 20_000;

export interface TimeScale {
  /** the place of a moment (milliseconds since the epoch), 0 to 1 */
  at(moment: number): number;
  /** the pauses that are cut: where, and how many milliseconds they lasted */
  readonly pauses: readonly { readonly at: number; readonly lasted: number }[];
  /** milliseconds from the first beginning to the last end */
  readonly whole: number;
}

/**
 * Where moments go on a line. A run that was suspended over night has pauses beside which its calls would be too small to
 * be seen: they are cut.
 */
export function createTimeScale(spans: readonly { readonly began: number; readonly elapsed: number }[]): TimeScale {
  const busy = busyTimes(spans);
  const first = busy[0]?.from ?? 0;
  const work = busy.reduce((sum, { from, to }) => sum + to - from, 0);
  const longest = Math.max(SHORT_PAUSE, work * MAX_PAUSE);
  const pauses = busy.slice(1).flatMap(({ from }, at) => {
    const end = busy[at]?.to ?? from;
    return from - end > longest ? [{ end, from, cut: from - end - longest, lasted: from - end }] : [];
  });
  const shown = (moment: number) =>
    pauses.reduce((place, { end, from, cut }) => {
      if (moment >= from) return place - cut;
      return moment > end ? Math.min(place, place - (moment - end) + longest) : place;
    }, moment - first);
  const end = busy.at(-1)?.to ?? first;
  const width = Math.max(1, shown(end));
  return {
    at: (moment) => Math.max(0, Math.min(1, shown(moment) / width)),
    pauses: pauses.map(({ end: begins, lasted }) => ({ at: shown(begins) / width + longest / width / 2, lasted })),
    whole: end - first,
  };
}

/** The times in which anything ran, in their order. */
function busyTimes(spans: readonly { readonly began: number; readonly elapsed: number }[]) {
  const times: { from: number; to: number }[] = [];
  for (const { began, elapsed } of [...spans].sort((a, b) => a.began - b.began)) {
    const last = times.at(-1);
    if (last && began <= last.to) last.to = Math.max(last.to, began + elapsed);
    else times.push({ from: began, to: began + elapsed });
  }
  return times;
}
