import { diffArrays } from "diff";
import { MagisError } from "../../data/error.ts";
import type { FileChange, LineEdit } from "../../data/work.ts";
import { replaceIntervals } from "./line-edits.ts";
import { readText, splitLines, writeText } from "./text-file.ts";

/**
 * Applies a change to a file's bytes; gives undefined when the change deletes it. `base` is the file at the base
 * commit, undefined when there is none. Throws MagisError ANSWER_INVALID when a change of lines meets no text file, or
 * names lines that the file does not have.
 */
export function applyFileChange(change: FileChange, base: Uint8Array | undefined): Uint8Array | undefined {
  if (change.kind === "delete") return undefined;
  if (change.kind === "create") return new TextEncoder().encode(change.content);
  const file = base === undefined ? undefined : readText(base);
  if (file === undefined) {
    const fault = base === undefined ? "does not exist" : "is binary";
    throw new MagisError("ANSWER_INVALID", `${change.path} cannot be changed by lines: it ${fault}.`, {
      path: change.path,
    });
  }
  return writeText(replaceIntervals(file, change.edits));
}

const BOM_BYTES = 3;

/**
 * The change from `before` to `after` (undefined: the file does not exist), small enough to keep; undefined when
 * nothing changed. `applyFileChange` of it on `before` gives `after`, byte by byte. Throws MagisError ANSWER_INVALID
 * when no line edits lead from one to the other (a binary file, a lost BOM).
 */
export function fileChangeBetween(
  path: string,
  before: Uint8Array | undefined,
  after: Uint8Array | undefined,
): FileChange | undefined {
  if (after === undefined) return before === undefined ? undefined : { kind: "delete", path };
  if (before !== undefined && Buffer.compare(before, after) === 0) return undefined;
  const change: FileChange =
    before === undefined
      ? { kind: "create", path, content: Buffer.from(after).toString("utf8") }
      : { kind: "modify", path, edits: editsBetween(path, before, after) };
  const made = applyFileChange(change, before);
  if (made === undefined || Buffer.compare(made, after) !== 0) throw impossible(path);
  return change;
}

/** Reads `after` in the encoding of `before`: its own may look different once the odd bytes are gone. */
function editsBetween(path: string, before: Uint8Array, after: Uint8Array) {
  const file = readText(before);
  if (file === undefined) throw impossible(path);
  const body = Buffer.from(file.bom ? after.subarray(BOM_BYTES) : after);
  return lineEditsBetween(file.lines, splitLines(body.toString(file.encoding)));
}

function impossible(path: string): MagisError {
  return new MagisError("ANSWER_INVALID", `The change of ${path} cannot be expressed as line edits.`, { path });
}

/**
 * Line edits that turn `before` into `after` with `replaceIntervals`; lines carry their terminators. In the file's
 * order, not adjacent; minimal when few lines changed, see `commonRuns`.
 */
export function lineEditsBetween(before: readonly string[], after: readonly string[]): LineEdit[] {
  return differences(before, after).map(({ from, to, newFrom, newTo }) => ({
    start: from + 1,
    end: to,
    text: after.slice(newFrom, newTo).join(""),
  }));
}

/** Lines of one version that another has in place of its own: 0-based, ends exclusive, each perhaps empty. */
export interface Difference {
  from: number;
  to: number;
  newFrom: number;
  newTo: number;
}

/** What differs between two texts, in their order. Two differences never touch. */
export function differences(before: readonly string[], after: readonly string[]): Difference[] {
  const head = commonHead(before, after);
  const tail = commonTail(before, after, head);
  const removed = before.slice(head, before.length - tail);
  const added = after.slice(head, after.length - tail);
  const found: Difference[] = [];
  let [from, to] = [0, 0];
  for (const run of [...commonRuns(removed, added), { from: removed.length, to: added.length, length: 0 }]) {
    if (run.from > from || run.to > to) {
      found.push({ from: head + from, to: head + run.from, newFrom: head + to, newTo: head + run.to });
    }
    [from, to] = [run.from + run.length, run.to + run.length];
  }
  return found;
}

function commonHead(before: readonly string[], after: readonly string[]): number {
  let count = 0;
  while (count < before.length && count < after.length && before[count] === after[count]) count += 1;
  return count;
}

function commonTail(before: readonly string[], after: readonly string[], head: number): number {
  const limit = Math.min(before.length, after.length) - head;
  let count = 0;
  while (count < limit && before[before.length - 1 - count] === after[after.length - 1 - count]) count += 1;
  return count;
}

/**
 * Maps line `line` (1-based) from one version of a file to another: the same line if it was kept, else the line of the
 * replacement at its place, else the line that follows. Always a line of `after`; 1 when `after` has none.
 */
export function mapLine(before: readonly string[], after: readonly string[], line: number): number {
  let moved = 0;
  for (const { start, end, text } of lineEditsBetween(before, after)) {
    if (line < start) break;
    const count = splitLines(text).length;
    if (line <= end) return clamp(start + moved + Math.max(0, Math.min(line - start, count - 1)), after.length);
    moved += count - (end - start + 1);
  }
  return clamp(line + moved, after.length);
}

function clamp(line: number, lineCount: number): number {
  return Math.max(1, Math.min(line, lineCount));
}

/** Lines that two texts share, in the order of both: `from` and `to` are 0-based. */
interface CommonRun {
  from: number;
  to: number;
  length: number;
}

/**
 * How many lines may differ in the first try, which is minimal. Myers' diff is quadratic in them: with so many it takes
 * some 40 ms at most, whatever the texts.
 */
const MAX_EDITS = 200;

/** Beyond so many lines of both texts together, a failed first try is not followed by another. */
const MAX_LINES = 40_000;

/**
 * The lines that two texts have in common. The most there can be when few lines differ; else the lines that stand once
 * in each hold the texts together, and what is between them is compared for as long as there is work left to spend. The
 * work is counted and not timed: the same texts give the same answer on every machine. Of very long texts that differ in
 * many lines none are found: what is between their common beginning and end then counts as replaced.
 */
function commonRuns(before: readonly string[], after: readonly string[]): CommonRun[] {
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

/** The common lines by Myers' diff, moved by `at`; undefined when that exceeds the work left. */
function runsBetween(
  before: readonly string[],
  after: readonly string[],
  at: { from: number; to: number },
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
