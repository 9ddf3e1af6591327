import { looksDeclaring } from "../../search/declarations.ts";
import { COMMENT } from "../../search/terms.ts";
import type { SeenLines, ToolLimits } from "./define-tool.ts";

/** The lines of one file, ready to show. */
export interface FileMatches {
  path: string;
  lines: readonly MatchedLine[];
}

interface MatchedLine {
  line: number;
  /** the declaration that begins there */
  name?: string | undefined;
  /** the line's number, or a range such as `3-9` */
  at: string;
  text: string;
  /** what a pattern matched in it */
  matched?: string | undefined;
}

const MAX_NAMED = 8;

/** Characters kept for the numbers of lines without their text, and this share of a small result. */
const RESERVED = 1_200;

const RESERVED_SHARE = 0.4;

const MAX_NAMES_LENGTH = 400;

/**
 * Shows lines of several files within the limits, file by file in the order given. Of lines that do not fit it gives
 * the numbers, since one of them may decide, and the names of those that declare something; when even these are too
 * many, it counts them by file and says how to ask for them.
 */
export function showMatches(matches: readonly FileMatches[], limits: ToolLimits): string {
  const fitting = fittingLines(matches, limits);
  let room = limits.characters - lengthOf(fitting.flatMap(({ path, lines }) => [path, ...lines.map(inWords)]));
  const ofNames = Math.min(MAX_NAMES_LENGTH, limits.characters * RESERVED_SHARE);
  const parts: string[] = [];
  const counted: { path: string; count: number }[] = [];
  for (const [index, { path, lines }] of matches.entries()) {
    const shown = fitting[index]?.lines ?? [];
    const [only] = lines.length === 1 ? shown : [];
    if (only) parts.push(`${path}:${inWords(only)}`);
    else if (shown.length > 0) parts.push(path, ...shown.map(inWords));
    const rest = lines.filter((line) => !shown.includes(line)).map(nameOf);
    if (rest.length === 0) continue;
    const numbers = `${shown.length > 0 ? "also " : `${path}: `}${rest.join(", ")}`;
    if (numbers.length + 1 <= room - ofNames) {
      parts.push(numbers);
      room -= numbers.length + 1;
    } else counted.push({ path, count: rest.length });
  }
  if (counted.length > 0) parts.push(notShown(counted, ofNames));
  return parts.join("\n");
}

/** The lines that `showMatches` shows with their text, as they are dealt. */
export function fittingLines(matches: readonly FileMatches[], limits: ToolLimits): readonly FileMatches[] {
  const ofFile = matches.length > 1 ? limits.matchesPerFile : limits.matches;
  let room = limits.characters - Math.min(RESERVED, limits.characters * RESERVED_SHARE);
  const shown = new Set<MatchedLine>();
  const counts = new Map<string, number>();
  const full = new Set<string>();
  for (const { path, line } of dealt(matches)) {
    if (shown.size === limits.matches) break;
    const count = counts.get(path) ?? 0;
    const cost = inWords(line).length + 1 + (count === 0 ? path.length + 1 : 0);
    if (count === ofFile || cost > room) full.add(path);
    if (full.has(path)) continue;
    shown.add(line);
    counts.set(path, count + 1);
    room -= cost;
  }
  return matches.map(({ path, lines }) => ({ path, lines: lines.filter((line) => shown.has(line)) }));
}

/**
 * All lines in turns: every matched text gets a line before any gets a second one, so that a frequent alternative hides
 * no rare one. So does every file, beginning with the one with most lines; there declarations and assignments come
 * before uses.
 */
export function dealt<T extends Pick<MatchedLine, "text" | "matched">>(
  files: readonly { path: string; lines: readonly T[] }[],
): readonly { path: string; line: T }[] {
  const ofFiles = files.map(({ path, lines }) => tellingFirst(lines).map((line) => ({ path, line })));
  const ofTexts = new Map<string | undefined, { path: string; line: T }[]>();
  for (const one of inTurns(fullestFirst(ofFiles))) {
    const { matched } = one.line;
    const held = ofTexts.get(matched);
    if (held) held.push(one);
    else ofTexts.set(matched, [one]);
  }
  return inTurns([...ofTexts.values()]);
}

/** The first of each list, then the second of each that has one, and so on. */
function inTurns<T>(lists: readonly (readonly T[])[]): readonly T[] {
  const taken: T[] = [];
  let left = lists;
  for (let turn = 0; left.length > 0; turn++) {
    left = left.filter((list) => list.length > turn);
    // One by one: there may be more lists than a call takes arguments.
    for (const list of left) taken.push(list[turn] as T);
  }
  return taken;
}

/** The longest list first, the others in their order. */
function fullestFirst<T>(lists: readonly (readonly T[])[]): readonly (readonly T[])[] {
  const most = lists.reduce((longest, { length }) => Math.max(longest, length), 0);
  const fullest = lists.find(({ length }) => length === most);
  return fullest ? [fullest, ...lists.filter((list) => list !== fullest)] : [];
}

/** Lines that set or declare something, then the others, each in their order. */
function tellingFirst<T extends { text: string }>(lines: readonly T[]): readonly T[] {
  const telling = new Set(lines.filter(({ text }) => setsSomething(text)));
  return [...telling, ...lines.filter((line) => !telling.has(line))];
}

/** Whether a line sets or declares something: of many lines that match, such ones explain the others. */
function setsSomething(text: string): boolean {
  const line = text.trim().slice(0, MAX_LOOKED_AT);
  return !COMMENT.test(line) && (looksDeclaring(line) || ASSIGNS.test(line));
}

const MAX_LOOKED_AT = 400;

/** `a = 1`, `self.a ||= b`, `a: 1,`, `a := b`; not `a == b`, `a <= b`, `f(a = 1)` nor `return a = b`. */
const ASSIGNS = /^(?:[\w.]+[\s*&]+){0,4}[\w$@.>[\]"'#-]+\s*(?:[-+*/%&|^?<>:]{0,3}=(?![=~>])|:\s)/;

function notShown(left: readonly { path: string; count: number }[], room: number): string {
  const total = left.reduce((sum, { count }) => sum + count, 0);
  const most = [...left].sort((a, b) => b.count - a.count).slice(0, MAX_NAMED);
  const names = most.map(({ path, count }) => `${path} (${count})`);
  const named = names.filter((_, at) => names.slice(0, at + 1).join(", ").length + 2 <= room);
  const others = left.length - named.length;
  const rest = others > 0 ? ` and ${others} more ${others === 1 ? "file" : "files"}` : "";
  const where = named.length > 0 ? `${named.join(", ")}${rest}` : `in ${left.length} files`;
  return `… ${total} more not shown: ${where}. Narrow with path, or with a more exact question.`;
}

const inWords = ({ at, text }: MatchedLine): string => `${at}: ${text}`;

const nameOf = ({ at, name }: MatchedLine): string => (name === undefined ? at : `${name} (${at})`);

/** Characters of lines, each with its end. */
export const lengthOf = (lines: readonly string[]): number => lines.reduce((sum, line) => sum + line.length + 1, 0);

/** Leaves out lines that stand above in the prompt; `note` says which, "" for none. */
export function withoutSeen<T extends { line: number }>(
  files: readonly { path: string; lines: readonly T[] }[],
  seen: SeenLines,
): { files: readonly { path: string; lines: readonly T[] }[]; note: string } {
  const isSeen = (path: string, { line }: T) => seen.get(path)?.has(line) === true;
  const above = files.flatMap(({ path, lines }) => {
    const numbers = lines.filter((one) => isSeen(path, one)).map(({ line }) => line);
    return numbers.length > 0 ? [`${path}:${numbers.join(", ")}`] : [];
  });
  const unseen = files.map(({ path, lines }) => ({ path, lines: lines.filter((one) => !isSeen(path, one)) }));
  const note = above.length > 0 ? `Above already: ${shorten(above.join("; "), MAX_NAMES_LENGTH)}.` : "";
  return { files: unseen.filter(({ lines }) => lines.length > 0), note };
}

/** Cuts a line visibly to `most` characters, around `at` if that lies behind; keeps the indentation. */
export function shorten(line: string, most: number, at = 0): string {
  const text = line.trimEnd();
  if (text.length <= most) return text;
  const from = Math.max(0, Math.min(at - Math.floor(most / 3), text.length - most));
  const before = from > 0 ? `[${from} characters] …` : "";
  const left = text.length - from - most;
  return `${before}${text.slice(from, from + most)}${left > 0 ? `… [${left} more characters]` : ""}`;
}
