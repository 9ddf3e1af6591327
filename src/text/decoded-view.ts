/**
 * All HTML names of ASCII characters and blanks: orders to other programs contain nothing else. Each character is
 * followed by its names.
 */
const NAMES: ReadonlyMap<string, string> = new Map(
  [
    "! excl",
    '" quot QUOT',
    "# num",
    "$ dollar",
    "% percnt",
    "& amp AMP",
    "' apos",
    "( lpar",
    ") rpar",
    "* ast midast",
    "+ plus",
    ", comma",
    ". period",
    "/ sol",
    ": colon",
    "; semi",
    "< lt LT",
    "= equals",
    "> gt GT",
    "? quest",
    "@ commat",
    "[ lsqb lbrack",
    "\\ bsol",
    "] rsqb rbrack",
    "^ Hat",
    "_ lowbar UnderBar",
    "` grave DiacriticalGrave",
    "{ lcub lbrace",
    "| verbar vert VerticalLine",
    "} rcub rbrace",
    "\t Tab",
    "\n NewLine",
    "\u00a0 nbsp NonBreakingSpace",
    "\u2002 ensp",
    "\u2003 emsp",
    "\u2009 thinsp ThinSpace",
  ].flatMap((group) => {
    const [char = "", ...names] = [group.slice(0, 1), ...group.slice(2).split(" ")];
    return names.map((name) => [name, char] as const);
  }),
);

/** A text with entities and escapes decoded. */
export interface DecodedView {
  readonly shown: string;
  /** Where the character at `at` of `shown` begins in the source; behind the last one, the end of the source. */
  placeOf(at: number): number;
}

const CODED = /&(?:#\d{1,7}|#x[\da-f]{1,6}|[a-z][a-z\d]{1,31});|\\[!-/:-@[-`{-~]/gi;

/** The decoded view of a text outside of code. It maps what is found there, as GitHub reads it, back to the source. */
export function decodedView(source: string): DecodedView {
  const decode = (coded: string) => (coded.startsWith("\\") ? coded.slice(1) : decodeEntity(coded));
  const parts: string[] = [];
  /** behind each part: its place in the view and in the source */
  const steps = [{ shown: 0, source: 0 }];
  let [length, from] = [0, 0];
  const add = (text: string, to: number) => {
    parts.push(text);
    length += text.length;
    from = to;
    steps.push({ shown: length, source: to });
  };
  for (const { 0: coded, index } of source.matchAll(CODED)) {
    if (index > from) add(source.slice(from, index), index);
    add(decode(coded), index + coded.length);
  }
  if (from < source.length) add(source.slice(from), source.length);

  let step = 0;
  const placeOf = (at: number) => {
    while (step > 0 && (steps[step]?.shown ?? 0) > at) step -= 1;
    while ((steps[step + 1]?.shown ?? Number.POSITIVE_INFINITY) <= at) step += 1;
    const { shown, source: place } = steps[step] ?? { shown: 0, source: 0 };
    return Math.min(place + at - shown, steps[step + 1]?.source ?? source.length);
  };
  return { shown: parts.join(""), placeOf };
}

function decodeEntity(entity: string): string {
  const [, hex, decimal] = /^&#(?:x([\da-f]+)|(\d+));$/i.exec(entity) ?? [];
  if (hex === undefined && decimal === undefined) return NAMES.get(entity.slice(1, -1)) ?? entity;
  const code = hex === undefined ? Number(decimal) : Number.parseInt(hex, 16);
  return code > 0 && code <= 0x10ffff ? String.fromCodePoint(code) : "\ufffd";
}
