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
