import { linesIn, type Span } from "../../../code/edits/numbered.ts";
import { IMPORT } from "../../../code/edits/text-file.ts";
import { CALLABLE, holdsDeclarations, type SourceSymbol } from "../../../code/source-parser.ts";
import { beginningAbove } from "../../../search/declarations.ts";
import { headLine, type OpenFile } from "./excerpts.ts";
import type { ParsedFile } from "./parsed-file.ts";

/** A longer class is shown by its head and those of its methods; a function is always whole. */
const MAX_CLASS = 90;

/** The lines of each declaration that is named, in the order of the names, with the comment above it. */
export function namedDeclarations(file: ParsedFile, names: readonly string[]): readonly (readonly number[])[] {
  const named = names.flatMap((written) => namedBy(written, file.symbols));
  return [...new Set(named)].map((one) => declarationLines(one, file));
}

function declarationLines(one: SourceSymbol, { lines, symbols }: ParsedFile): readonly number[] {
  const { start, end, kind } = one;
  const first = commentAbove(lines, start);
  if (!holdsDeclarations(kind) || end - start < MAX_CLASS) return linesIn({ start: first, end });
  const members = symbols.filter((other) => CALLABLE.has(other.kind) && other.start > start && other.end <= end);
  const head = Math.min(end, ...members.map((other) => other.start - 1));
  return [...linesIn({ start: first, end: head }), ...members.map((other) => headLine(lines, other.start))];
}

/** Where the comment and the decorators above a line begin; a blank line may stand between. */
export function commentAbove(lines: readonly string[], start: number): number {
  const isApart = start > 2 && (lines[start - 2] ?? "").trim() === "";
  const first = beginningAbove(lines, isApart ? start - 1 : start);
  return isApart && first === start - 1 ? start : first;
}

/** Finds a declaration by a name as models write it: `Class.method`, `mod::name`, `name()`, `#private`, `Class#method`. */
function namedBy(written: string, symbols: readonly SourceSymbol[]): readonly SourceSymbol[] {
  const parts = written
    .replace(/\(.*/s, "")
    .split(/\.|::|(?<=\w)#/)
    .filter((part) => part.trim() !== "prototype");
  const [owner, name] = [parts.at(-2)?.trim(), parts.at(-1)?.trim()];
  const exact = symbols.filter((symbol) => symbol.name === name);
  // Ruby's documentation writes a method as `#name`.
  const named = exact.length > 0 ? exact : symbols.filter((symbol) => symbol.name === name?.replace(/^#/, ""));
  const owned = named.filter(({ parent }) => parent === owner);
  const fitting = owned.length > 0 ? owned : named;
  const [best] = [...fitting.filter(({ stub }) => !stub), ...fitting];
  // A name does not tell overloads apart.
  return best ? [best, ...fitting.filter((one) => isOverload(one, best)).slice(0, MAX_OVERLOADS)] : [];
}

const MAX_OVERLOADS = 5;

const isOverload = (one: SourceSymbol, best: SourceSymbol) =>
  one !== best && !one.stub && one.parent === best.parent && one.kind === best.kind;

/** A part of a file near to the issue, and how near: 1 is the nearest of the file. */
interface FoundPart extends Span {
  nearness: number;
}

/** Lines near to the issue that are looked at, and the share of the best score that one has at least. */
const MAX_HITS = 40;

const LEAST_SCORE = 0.2;

/** Lines around a hit outside of functions, or in a very long one. */
const AROUND = 8;

/** A function is shown whole up to this many lines: parts of it mislead. */
const MAX_HIT = 220;

/** What holds the lines nearest to the issue, best first. */
export function foundDeclarations(file: OpenFile): readonly FoundPart[] {
  const { lines, symbols, scores } = file;
  const hits = nearestLines(file);
  const best = scores[(hits[0] ?? 1) - 1] ?? 0;
  return hits.map((at) => {
    const holder = innermost(symbols, at);
    const span = holder && holder.end - holder.start < MAX_HIT ? holder : { start: at - AROUND, end: at + AROUND };
    return {
      start: Math.max(1, span.start),
      end: Math.min(lines.length, span.end),
      nearness: (scores[at - 1] ?? 0) / best,
    };
  });
}

/** The numbers of the lines nearest to the issue, best first; no imports. */
export function nearestLines({ lines, scores }: Pick<OpenFile, "lines" | "scores">): readonly number[] {
  const best = scores.reduce((most, score) => Math.max(most, score), 0);
  return scores
    .flatMap((score, at) =>
      score > best * LEAST_SCORE && !IMPORT.test(lines[at] ?? "") ? [{ score, at: at + 1 }] : [],
    )
    .sort((a, b) => b.score - a.score || a.at - b.at)
    .slice(0, MAX_HITS)
    .map(({ at }) => at);
}

/** The smallest function, constant or case around a line. */
function innermost(symbols: readonly SourceSymbol[], at: number): SourceSymbol | undefined {
  const around = symbols.filter(
    ({ start, end, kind }) => start <= at && at <= end && end > start && !holdsDeclarations(kind),
  );
  return around.reduce<SourceSymbol | undefined>(
    (best, one) => (best && best.end - best.start <= one.end - one.start ? best : one),
    undefined,
  );
}
