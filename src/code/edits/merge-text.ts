import { type Difference, differences } from "./file-change.ts";
import { type LineEnding, readText, splitLines, type TextFile, writeText } from "./text-file.ts";

/** Three versions of a file. `base` is empty where both sides have added it. */
export interface Versions {
  base: Uint8Array;
  /** the version that the change goes onto */
  ours: Uint8Array;
  /** the version that has the change */
  theirs: Uint8Array;
}

export type TextMerge =
  | { kind: "clean"; content: Uint8Array }
  | { kind: "binary" }
  | ({ kind: "conflict" } & ConflictedText);

/** A text that both sides changed at the same places. */
export interface ConflictedText {
  hunks: readonly Hunk[];
  /** The whole file with these lines in place of the hunks, one list for each. Throws what `writeText` throws. */
  resolve(lines: readonly (readonly string[])[]): Uint8Array;
}

/** A place that both sides changed. Lines carry their terminators, the last one of a file perhaps none. */
export interface Hunk {
  base: readonly string[];
  ours: readonly string[];
  theirs: readonly string[];
  /** the 1-based line of our version at which it begins */
  line: number;
  /** what stands around it once all else is merged, up to the neighbouring hunks */
  before: readonly string[];
  after: readonly string[];
}

/** Lines shown on each side of a hunk. */
const AROUND = 20;

/**
 * Merges two changed versions of a file as `git merge-file` does: changes that overlap or touch are a conflict, unless
 * both sides say the same. Byte order mark and line endings are merged as properties of the file, so that a side that
 * only converted them conflicts with nothing. The work is bounded: of long texts that differ much, less is found in
 * common, and more becomes a conflict.
 */
export function mergeText({ base, ours, theirs }: Versions): TextMerge {
  const read = [base, ours, theirs].map(readText);
  const [old, own, other] = sameEncoding(read, [base, ours, theirs]);
  if (!old || !own || !other) return { kind: "binary" };
  const eol = pick(endingOf(old), endingOf(own), endingOf(other));
  const bom = pick(old.bom, own.bom, other.bom);
  const parts = mergeLines(...([old, own, other].map((file) => withEnding(file, eol)) as Three<readonly string[]>));
  const result = (lines: readonly string[]) => writeText({ ...own, bom, lines: terminated(lines, own.eol) });
  const conflicts = parts.filter((part) => "theirs" in part);
  if (conflicts.length === 0) return { kind: "clean", content: result(parts.flatMap(linesOf)) };
  return {
    kind: "conflict",
    hunks: withSurroundings(parts),
    resolve(lines) {
      let next = 0;
      return result(parts.flatMap((part) => ("theirs" in part ? (lines[next++] ?? []) : part.lines)));
    },
  };
}

type Three<T> = [T, T, T];

/** One file that is not UTF-8 makes all three be read byte by byte. */
function sameEncoding(read: readonly (TextFile | undefined)[], bytes: readonly Uint8Array[]) {
  if (read.every((file) => file?.encoding !== "latin1")) return read;
  return read.map((file, at) => {
    if (!file || file.encoding === "latin1") return file;
    const body = Buffer.from(file.bom ? (bytes[at] as Uint8Array).subarray(3) : (bytes[at] as Uint8Array));
    return { ...file, encoding: "latin1" as const, lines: splitLines(body.toString("latin1")) };
  });
}

/** The side that changed a property decides. Of two it can only be the same change. */
function pick<T>(base: T, ours: T, theirs: T): T {
  return ours === base ? theirs : ours;
}

/** The one ending of all lines; undefined for a file of several, or of less than two lines. */
function endingOf({ lines, eol }: TextFile): LineEnding | undefined {
  const whole = lines.filter((line) => line.endsWith("\n") || line.endsWith("\r"));
  const isUniform = whole.every((line) => line.endsWith(eol) && (eol !== "\n" || !line.endsWith("\r\n")));
  return isUniform && whole.length > 1 ? eol : undefined;
}

/** The lines with another ending, where the file has one ending throughout. */
function withEnding(file: TextFile, eol: LineEnding | undefined): readonly string[] {
  const own = endingOf(file);
  if (own === undefined || eol === undefined || own === eol) return file.lines;
  return file.lines.map((line) => (line.endsWith(own) ? line.slice(0, -own.length) + eol : line));
}

/** A last line without a terminator gets one if others follow it. */
function terminated(lines: readonly string[], eol: LineEnding): readonly string[] {
  return lines.map((line, at) => (at < lines.length - 1 && !/[\r\n]$/.test(line) ? line + eol : line));
}

/** Merged lines, or a conflict. */
type Part = Kept | Conflict;

interface Kept {
  lines: readonly string[];
}

interface Conflict extends Pick<Hunk, "base" | "ours" | "theirs" | "line"> {}

const linesOf = (part: Part): readonly string[] => ("theirs" in part ? [] : part.lines);

function mergeLines(base: readonly string[], ours: readonly string[], theirs: readonly string[]): Part[] {
  const sides = { ours: createCursor(base, ours), theirs: createCursor(base, theirs) };
  const parts: Part[] = [];
  let done = 0;
  for (;;) {
    const from = Math.min(sides.ours.next(), sides.theirs.next());
    parts.push({ lines: base.slice(done, from) });
    if (from === Number.POSITIVE_INFINITY) return parts;
    const to = regionEnd(sides, from);
    const [own, other] = [sides.ours.take(from, to), sides.theirs.take(from, to)];
    const old = base.slice(from, to);
    if (!other.changed || isSame(own.lines, other.lines)) parts.push({ lines: own.lines });
    else if (!own.changed) parts.push({ lines: other.lines });
    else parts.push({ base: old, ours: own.lines, theirs: other.lines, line: own.line });
    done = to;
  }
}

type Cursor = ReturnType<typeof createCursor>;

/** Goes through what one side has changed. */
function createCursor(base: readonly string[], side: readonly string[]) {
  const all = slidDown(differences(base, side), base, side);
  let at = 0;
  let moved = 0;
  const peek = (): Difference | undefined => all[at];
  return {
    /** the base's line at which the next difference begins */
    next: () => peek()?.from ?? Number.POSITIVE_INFINITY,
    /** where a region ends that begins at or before the next difference and touches it */
    reach(to: number): number {
      let end = to;
      for (let ahead = at; (all[ahead]?.from ?? Number.POSITIVE_INFINITY) <= end; ahead++)
        end = Math.max(end, all[ahead]?.to ?? 0);
      return end;
    },
    /** this side's lines in place of the base's from `from` to `to` */
    take(from: number, to: number): { lines: readonly string[]; changed: boolean; line: number } {
      const begin = from + moved;
      const first = at;
      for (let one = peek(); one !== undefined && one.from <= to && one.to <= to; one = peek()) {
        moved += one.newTo - one.newFrom - (one.to - one.from);
        at += 1;
      }
      return { lines: side.slice(begin, to + moved), changed: at > first, line: begin + 1 };
    },
  };
}

/**
 * Moves lines that were only added, or only taken out, to the last place where they give the same text, and joins them
 * with what they then touch: where equal lines repeat, both sides' changes are to be seen at the same place. So does git.
 */
function slidDown(all: readonly Difference[], base: readonly string[], side: readonly string[]): Difference[] {
  const found: Difference[] = [];
  for (const one of [...all].reverse()) {
    const next = found[0];
    const moved = slide(one, { base, side, end: next?.from ?? base.length });
    if (next && moved.to === next.from) found[0] = { ...moved, to: next.to, newTo: next.newTo };
    else found.unshift(moved);
  }
  return found;
}

function slide(
  { from, to, newFrom, newTo }: Difference,
  { base, side, end }: { base: readonly string[]; side: readonly string[]; end: number },
): Difference {
  const [lines, first, last] = from === to ? [side, newFrom, newTo] : [base, from, to];
  const isOneSided = from === to || newFrom === newTo;
  let by = 0;
  while (isOneSided && to + by < end && lines[first + by] === lines[last + by]) by += 1;
  return { from: from + by, to: to + by, newFrom: newFrom + by, newTo: newTo + by };
}

/** Where the differences that overlap or touch each other end, from the one that begins at `from`. */
function regionEnd({ ours, theirs }: { ours: Cursor; theirs: Cursor }, from: number): number {
  let end = from;
  for (;;) {
    const further = Math.max(ours.reach(end), theirs.reach(end));
    if (further === end) return end;
    end = further;
  }
}

const isSame = (one: readonly string[], other: readonly string[]) =>
  one.length === other.length && one.every((line, at) => line === other[at]);

function withSurroundings(parts: readonly Part[]): readonly Hunk[] {
  return parts.flatMap((part, at) => {
    if (!("theirs" in part)) return [];
    const end = parts.findIndex((one, index) => index > at && "theirs" in one);
    const start = parts.findLastIndex((one, index) => index < at && "theirs" in one);
    const before = parts.slice(start + 1, at).flatMap(linesOf);
    const after = parts.slice(at + 1, end < 0 ? parts.length : end).flatMap(linesOf);
    return [{ ...part, before: before.slice(-AROUND), after: after.slice(0, AROUND) }];
  });
}
