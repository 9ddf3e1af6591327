import type { Span } from "../../../../edits/numbered.ts";
import { firstCodeLine, lastImport } from "../../../../edits/text-file.ts";
import { holdsDeclarations, type SourceSymbol } from "../../../../ports/source-parser.ts";
import type { AboutIssue } from "./about-issue.ts";
import { hitsOf } from "./excerpts.ts";
import type { ParsedFile } from "./parsed-file.ts";

/** A file, and the declarations that the Custodian names in it. */
export interface NamedFile extends ParsedFile {
  readonly names: readonly string[];
}

interface Said extends Pick<AboutIssue, "said" | "exact"> {
  /** for each line of the file */
  readonly scores: readonly number[];
}

/** A named class is shown whole up to this many lines, a longer one by its head; functions are always whole. */
const MAX_CHOSEN_LENGTH = 90;

const HEAD_OF_LONG = 24;

/** Lines shown of the comment above a declaration: it may have to change with it. */
const MAX_COMMENT = 14;

const MAX_COMMENT_OF_CLASS = 3;

const ABOVE = /^\s*(?:\/\/|\/?\*|#(?!\s*(?:include|define|if|endif|region))|--|@\w|#\[|\[\w)/;

/** Finds the declarations that the Custodian names, in its order, each with the comment above it. */
export function namedDeclarations({ lines, symbols, names }: NamedFile): readonly Span[] {
  const named = names.flatMap((written) => namedBy(written, symbols));
  const unique = named.filter((one, at) => named.indexOf(one) === at);
  return unique.map(({ start, end, kind }) => {
    // The Custodian names the methods of a long class separately.
    const long = holdsDeclarations(kind) && end - start >= MAX_CHOSEN_LENGTH;
    const most = holdsDeclarations(kind) ? MAX_COMMENT_OF_CLASS : MAX_COMMENT;
    return withComment({ start, end: long ? start + HEAD_OF_LONG : end }, lines, most);
  });
}

/** Adds the comment and the decorators above, up to `most` lines. */
export function withComment({ start, end }: Span, lines: readonly string[], most = MAX_COMMENT): Span {
  let first = start;
  while (first > 1 && start - first < most && ABOVE.test(lines[first - 2] ?? "")) first -= 1;
  return { start: first, end };
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

/** Imports are looked for in this many lines. */
const MAX_IMPORTS = 30;

/** The imports that a file begins with: up to the last one before its first function or class. */
export function beginningOf({ lines, symbols }: ParsedFile): Span {
  const start = firstCodeLine(lines);
  const first = symbols.find((one) => one.start >= start && one.end > one.start + 1);
  const most = Math.min(start + MAX_IMPORTS, Math.max(start, (first?.start ?? lines.length + 1) - 1));
  return { start, end: lastImport(lines, { from: start, to: most }) };
}

/** A function of a context file is shown whole up to this many lines, a longer one by its nearest lines. */
const MAX_KNOWN_LENGTH = 40;

const HEAD_OF_KNOWN = 4;

const NEAREST = 2;

const AROUND_NEAREST = 5;

/** Cuts long declarations to their heads and the surroundings of the lines nearest to the issue. */
export function nearestParts(spans: readonly Span[], scores: readonly number[]): readonly Span[] {
  return spans.flatMap(({ start, end }) => {
    if (end - start < MAX_KNOWN_LENGTH) return [{ start, end }];
    const inside = scores.slice(start - 1, end).map((score, at) => ({ score, at: start + at }));
    const best = inside.filter(({ score }) => score > 0).sort((a, b) => b.score - a.score || a.at - b.at);
    const near = best.slice(0, NEAREST).map(({ at }) => ({
      start: Math.max(start, at - AROUND_NEAREST),
      end: Math.min(end, at + AROUND_NEAREST),
    }));
    return [{ start, end: start + HEAD_OF_KNOWN }, ...near];
  });
}

/** A declaration that the issue names is shown up to this many lines. */
const MAX_SPOKEN_LENGTH = 60;

const SMALL: ReadonlySet<string> = new Set(["constant", "field", "variable", "property", "type"]);

/** Finds what holds the lines nearest to the issue, then the declarations that the issue mentions. */
export function foundDeclarations({ lines, symbols }: ParsedFile, { said, exact, scores }: Said): readonly Span[] {
  const spoken = symbols
    .filter(({ name, start, end }) => said.has(name) && end - start < MAX_SPOKEN_LENGTH)
    // A plain word is often the name of some variable, too.
    .filter(({ name, kind, stub }) => !stub && (!SMALL.has(kind) || exact.has(name)));
  return [...withFunctions(hitsOf(lines, scores), symbols), ...spoken];
}

/** Lines around a hit outside of functions, or in a very long one. */
const AROUND = 8;

const MAX_FOUND_LENGTH = 90;

/** A function with several hits is shown whole up to this many lines: parts of it mislead. */
const MAX_OFTEN_FOUND_LENGTH = 220;

/** Widens each hit to its function, or to the lines around it. */
function withFunctions(hits: readonly number[], symbols: readonly SourceSymbol[]): readonly Span[] {
  const functionAt = (at: number) =>
    symbols
      .filter(({ start, end, kind }) => start <= at && at <= end && end > start && !holdsDeclarations(kind))
      .sort((a, b) => a.end - a.start - (b.end - b.start))[0];
  const inner = hits.map(functionAt);
  return hits.map((at, index) => {
    const own = inner[index];
    const length = own ? own.end - own.start : Number.POSITIVE_INFINITY;
    const often = inner.filter((other) => other === own).length > 1;
    const fits = own && length < (often ? MAX_OFTEN_FOUND_LENGTH : MAX_FOUND_LENGTH);
    return fits ? own : { start: at - AROUND, end: at + AROUND };
  });
}
