import { diffArrays } from "diff";

/** Lines of one text that stand in another as well, in the order of both: `from` and `to` are 0-based. */
export interface CommonRun {
  readonly from: number;
  readonly to: number;
  readonly length: number;
}

/**
 * How many lines may differ in the first try, which is minimal. Myers' diff is quadratic in them: with so many it takes
 * some 40 ms at most, whatever the texts.
 */
const MAX_EDITS = 200;

/** Lines of both texts together, in which nothing is looked for that many differences did not find. */
const MAX_LINES = 40_000;

/**
 * The lines that two texts have in common. The most there can be when few lines differ; else the lines that stand once
 * in each hold the texts together, and what is between them is compared for as long as there is work left to spend. The
 * work is counted and not timed: the same texts give the same answer on every machine. Of very long texts that differ in
 * many lines none are found: what is between their common beginning and end then counts as replaced.
 */
export function commonRuns(before: readonly string[], after: readonly string[]): CommonRun[] {
  const work = { left: MAX_EDITS * MAX_EDITS };
  const whole = runsBetween(before, after, { from: 0, to: 0 }, { left: work.left });
  if (whole !== undefined) return whole;
  if (before.length + after.length > MAX_LINES) return [];
  const found: CommonRun[] = [];
  let [from, to] = [0, 0];
  for (const anchor of [...anchors(before, after), { from: before.length, to: after.length, length: 0 }]) {
    const gap = [before.slice(from, anchor.from), after.slice(to, anchor.to)] as const;
    found.push(...(runsBetween(...gap, { from, to }, work) ?? []));
    if (anchor.length > 0) found.push(anchor);
    [from, to] = [anchor.from + anchor.length, anchor.to + anchor.length];
  }
  return found;
}

/** The common lines by Myers' diff, moved by `at`; undefined when that is more work than there is left. */
function runsBetween(
  before: readonly string[],
  after: readonly string[],
  at: { readonly from: number; readonly to: number },
  work: { left: number },
): CommonRun[] | undefined {
  if (before.length === 0 || after.length === 0) return [];
  const most = Math.floor(Math.sqrt(work.left));
  const differing = Math.abs(before.length - after.length);
  if (most < 2 || differing > most) return undefined;
  const runs = diffArrays([...before], [...after], { maxEditLength: most });
  const edits = runs?.reduce((sum, { added, removed, count }) => sum + (added || removed ? count : 0), 0) ?? most;
  work.left -= edits * edits;
  if (runs === undefined) return undefined;
  let { from, to } = at;
  const found: CommonRun[] = [];
  for (const { added, removed, count } of runs) {
    if (!added && !removed) found.push({ from, to, length: count });
    if (!added) from += count;
    if (!removed) to += count;
  }
  return found;
}

/** Lines that stand once in each text, as many as stand in the same order in both: the longest ascending sequence. */
function anchors(before: readonly string[], after: readonly string[]): CommonRun[] {
  const there = onceIn(after);
  const pairs = [...onceIn(before)].flatMap(([line, from]) => {
    const to = there.get(line);
    return to === undefined ? [] : [{ from, to, length: 1 }];
  });
  const ends: number[] = [];
  const previous: number[] = [];
  for (const [index, { to }] of pairs.entries()) {
    let [low, high] = [0, ends.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((pairs[ends[middle] as number] as CommonRun).to < to) low = middle + 1;
      else high = middle;
    }
    previous[index] = low > 0 ? (ends[low - 1] as number) : -1;
    ends[low] = index;
  }
  const found: CommonRun[] = [];
  for (let index = ends.at(-1) ?? -1; index >= 0; index = previous[index] ?? -1) found.push(pairs[index] as CommonRun);
  return found.reverse();
}

function onceIn(lines: readonly string[]): Map<string, number> {
  const places = new Map<string, number>();
  const again = new Set<string>();
  for (const [place, line] of lines.entries()) {
    if (places.has(line)) again.add(line);
    else places.set(line, place);
  }
  for (const line of again) places.delete(line);
  return places;
}
