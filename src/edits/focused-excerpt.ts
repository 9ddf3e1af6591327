import { linesIn, numberLine, numberLines, type Span } from "./numbered.ts";
import { takeBranches } from "./take-branches.ts";
import { stripTerminator } from "./text-file.ts";

/** Lines shown around one that matters if its declaration is unknown. */
const AROUND = 8;

/** A longer declaration is not shown whole for one line in it; a still longer one not even for several. */
const MAX_DECLARATION_LENGTH = 90;

const MAX_OFTEN_HIT_LENGTH = 220;

/** A line scoring a smaller share of the best score is a stray hit. */
const LEAST_SCORE = 0.2;

/** The share of the budget for one wanted span that is too long, when there are others. */
const LONG_SHARE = 0.6;

/** The share of the budget that filling gaps of a line or two may add. */
const OVERDRAFT = 0.05;

const GAP = "⋮";

const MAX_DECORATORS = 3;

export interface Focus {
  /** shown first, in order: the lines that somebody named */
  readonly wanted?: readonly Span[];
  /** a score for each line, by index; 0 does not matter */
  readonly scores: readonly number[];
  /** declarations, if known */
  readonly declarations?: readonly Span[] | undefined;
  /** shows only wanted lines, however short the file is */
  readonly onlyWanted?: boolean;
  /** numbers of wanted lines that did not fit; the mark in their place names them */
  readonly cut?: ReadonlySet<number>;
  /** characters */
  readonly budget: number;
}

/**
 * The parts of a file that matter, numbered like the whole file, with `⋮` for what is left out: the spans that are
 * wanted, of one that is too long its best branches; then the declarations of the best lines, or their surroundings
 * and the line that the declaration begins with. A file that fits is given whole. Pure.
 */
export function focusedExcerpt(lines: readonly string[], focus: Focus): { text: string; whole: boolean } {
  const cost = (at: number) => (lines[at - 1]?.length ?? 0) + String(lines.length).length + 4;
  const total = lines.reduce((sum, _, index) => sum + cost(index + 1), 0);
  if (total <= focus.budget && !focus.onlyWanted) return { text: numberLines(lines), whole: true };
  const shown = new Set<number>();
  let room = focus.budget;
  const take = (numbers: readonly number[], least = 0): boolean => {
    const fresh = numbers.filter((at) => !shown.has(at));
    const price = fresh.reduce((sum, at) => sum + cost(at), 0);
    if (price > room - least) return false;
    for (const at of fresh) shown.add(at);
    room -= price;
    return true;
  };
  const span = ({ start, end }: Span) => linesOf(start, end, lines.length);
  const { declarations = [], wanted = [] } = focus;
  for (const one of wanted) {
    if (take(span(one))) continue;
    const least = room * (wanted.length > 1 ? 1 - LONG_SHARE : 0);
    takeBranches(lines, one, { scores: focus.scores, take: (numbers) => take(numbers, least) });
  }
  if (focus.onlyWanted) return { text: written(lines, shown, focus.cut), whole: false };
  const most = focus.scores.reduce((best, score) => Math.max(best, score), 0);
  const best = focus.scores
    .map((score, index) => ({ score, at: index + 1 }))
    .filter(({ score }) => score > most * LEAST_SCORE)
    .sort((a, b) => b.score - a.score || a.at - b.at);
  const innermost = innermostBy(declarations, lines.length);
  const holders = best.map(({ at }) => innermost(at));
  const hits = new Map<Span | undefined, number>();
  for (const holder of holders) hits.set(holder, (hits.get(holder) ?? 0) + 1);
  for (const [index, { at }] of best.entries()) {
    if (shown.has(at)) continue;
    const near = span({ start: at - AROUND, end: at + AROUND });
    const often = (hits.get(holders[index]) ?? 0) > 1;
    const whole = fitting(holders[index], often ? MAX_OFTEN_HIT_LENGTH : MAX_DECLARATION_LENGTH);
    if (whole && take(span(whole))) continue;
    const holder = holders[index];
    // The line that names the declaration around, however long that is.
    if (!take([...(holder ? [headEnd(lines, holder.start)] : []), ...near])) break;
  }
  for (const gap of smallGaps(shown, lines.length, SMALL_GAP)) if (!take(span(gap))) break;
  // A mark is hardly shorter than a line or two.
  room += focus.budget * OVERDRAFT;
  for (const gap of smallGaps(shown, lines.length, 2)) if (!take(span(gap))) break;
  return { text: written(lines, shown), whole: false };
}

/** A decorator does not name a declaration. */
function headEnd(lines: readonly string[], start: number): number {
  let end = start;
  while (end < start + MAX_DECORATORS && /^\s*(?:@|#\[)/.test(lines[end - 1] ?? "")) end += 1;
  return end;
}

/** Finds the smallest declaration around a line, the first of several; a file may have thousands. */
function innermostBy(declarations: readonly Span[], count: number): (at: number) => Span | undefined {
  const inner = new Int32Array(count + 1);
  const largestFirst = declarations
    .map((one, index) => ({ ...one, index }))
    .filter(({ start, end }) => end > start)
    .sort((a, b) => b.end - b.start - (a.end - a.start) || b.index - a.index);
  for (const { start, end, index } of largestFirst) inner.fill(index + 1, Math.max(0, start), Math.min(count, end) + 1);
  return (at) => declarations[(inner[at] as number) - 1];
}

const fitting = (one: Span | undefined, length: number) => (one && one.end - one.start < length ? one : undefined);

const linesOf = (start: number, end: number, count: number): number[] =>
  linesIn({ start: Math.max(1, start), end: Math.min(count, end) });

/** A gap of so few lines is shown instead of a mark. */
const SMALL_GAP = 3;

function smallGaps(shown: ReadonlySet<number>, count: number, most: number): Span[] {
  const ends = [0, ...[...shown].sort((a, b) => a - b), count + 1];
  return ends.flatMap((at, index) => {
    const last = ends[index - 1];
    const missing = last === undefined ? 0 : at - last - 1;
    return missing > 0 && missing <= most ? [{ start: at - missing, end: at - 1 }] : [];
  });
}

function written(lines: readonly string[], shown: ReadonlySet<number>, cut: ReadonlySet<number> = new Set()): string {
  const parts: string[] = [];
  let last = 0;
  for (const at of [...[...shown].sort((a, b) => a - b), lines.length + 1]) {
    if (at > last + 1) parts.push(gapOf(linesIn({ start: last + 1, end: at - 1 }).filter((one) => cut.has(one))));
    if (at <= lines.length) parts.push(numberLine(at, stripTerminator(lines[at - 1] ?? "")));
    last = at;
  }
  return parts.join("\n");
}

/** The mark for left-out lines; it names wanted ones that did not fit. */
function gapOf(cut: readonly number[]): string {
  const [first, last] = [cut[0], cut.at(-1)];
  return first === undefined ? GAP : `${GAP} no room for ${first}-${last}`;
}
