import { KEYWORDS } from "./keywords.ts";

const NEWLINE = 10;
const SPACE = 32;
const OPEN = 40;
const CLOSE = 41;
const COMMA = 44;
const DOT = 46;
const MAX_LINE_LENGTH = 240;
const MAX_WORD_LENGTH = 12;
const HERITAGE = new Set(
  "extends implements permits with where for is as struct interface func map chan abstract final".split(" "),
);

const isBlank = (byte: number | undefined) => byte === SPACE || byte === 9;

/**
 * Whether the identifier `bytes[start, end)` is declared here, by the look of the line: `def name`, `class Name`,
 * `Type name(`, `name(…) {`, `NAME = …`. Two bytes must stand on either side. `previous` is the number of the identifier before it, `previousStart` and
 * `previousEnd` where that stands. No parser: it has to be right often, for every language, at the speed of a scan.
 */
export function isDefinition(
  bytes: Uint8Array,
  start: number,
  end: number,
  previous: number,
  previousStart: number,
  previousEnd: number,
): boolean {
  const gap = start - previousEnd;
  if (previous < KEYWORDS.bindingEnd && gap <= 2 && bytes[start - 1] === SPACE) {
    if (previous < KEYWORDS.declaringEnd) return !KEYWORDS.nouns.has(previous) || opensBody(bytes, end);
    return atLineStart(bytes, previousStart) || (previousStart > 1 && bytes[previousStart - 2] === 116);
  }
  if (bytes[end] === OPEN) {
    if (isControl(previous, gap)) return false;
    return isTypedCallable(bytes, start, previousEnd) || isMethod(bytes, start, end);
  }
  return atLineStart(bytes, start) && bytes[end] === SPACE && bytes[end + 1] === 61 && bytes[end + 2] === SPACE;
}

/** After `class Name` comes its body or its heritage; in a sentence ("a class that keeps …") comes another word. */
function opensBody(bytes: Uint8Array, end: number): boolean {
  let at = end;
  while (isBlank(bytes[at])) at++;
  const first = bytes[at];
  if (first === undefined || !isLetter(first))
    return first !== COMMA && (first !== DOT || isLetter(bytes[at + 1] ?? 0));
  let word = "";
  for (; isLetter(bytes[at] ?? 0) && word.length < MAX_WORD_LENGTH; at++)
    word += String.fromCharCode(bytes[at] as number);
  return HERITAGE.has(word);
}

function isLetter(byte: number): boolean {
  return (byte >= 65 && byte <= 90) || (byte >= 97 && byte <= 122);
}

function isControl(previous: number, gap: number): boolean {
  return previous >= KEYWORDS.bindingEnd && previous < KEYWORDS.names.length && gap <= 2;
}

function atLineStart(bytes: Uint8Array, at: number): boolean {
  return at === 0 || bytes[at - 1] === NEWLINE;
}

/** `List<String> name(`: two words and a parenthesis, on a line that is not a comment. */
function isTypedCallable(bytes: Uint8Array, start: number, previousEnd: number): boolean {
  if (bytes[start - 1] !== SPACE) return false;
  const before = bytes[start - 2] as number;
  const typeEnds = previousEnd === start - 1 || before === 62 || before === 93 || before === 42 || before === 38;
  if (!typeEnds) return false;
  let lineStart = start;
  while (lineStart > 0 && bytes[lineStart - 1] !== NEWLINE && start - lineStart < MAX_LINE_LENGTH) lineStart--;
  while (isBlank(bytes[lineStart])) lineStart++;
  const first = bytes[lineStart] as number;
  return (first >= 65 && first <= 90) || (first >= 97 && first <= 122) || first === 64 || first === 95;
}

/** `name(…) {` or `name(…): Type {`, the first word of its line. */
function isMethod(bytes: Uint8Array, start: number, end: number): boolean {
  let at = start;
  while (at > 0 && isBlank(bytes[at - 1])) at--;
  if (!atLineStart(bytes, at)) return false;
  let depth = 0;
  let close = -1;
  let last = end;
  for (let i = end; i < bytes.length && i < end + MAX_LINE_LENGTH; i++) {
    const byte = bytes[i] as number;
    if (byte === NEWLINE) break;
    if (byte === OPEN) depth++;
    else if (byte === CLOSE && --depth === 0 && close < 0) close = i;
    if (!isBlank(byte) && byte !== 13) last = i;
  }
  if (close < 0 || bytes[last] !== 123) return false;
  return bytes[close + 1] === 58 || last - close <= 2;
}
