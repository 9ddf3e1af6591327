import { MagisError } from "../../data/error.ts";
import type { LineEdit, LineInterval } from "../../data/work.ts";
import { figure } from "../../text/counted.ts";
import { splitLines, stripTerminator, type TextFile } from "./text-file.ts";

export type CheckedIntervals = { ok: readonly LineInterval[] } | { reason: string };

/**
 * Checks the intervals a model wants to change (P9) against a file of `lineCount` lines.
 * Gives them in the file's order, or what is wrong in words that the model can act on. Intervals may be adjacent; they
 * may not share a line, nor may one insert inside another or two insert at the same place (Algorithm 3).
 */
export function checkIntervals(intervals: readonly LineInterval[], lineCount: number): CheckedIntervals {
  if (intervals.length === 0)
    return { reason: "No interval was given. Give at least one interval of lines to change." };
  const faults = intervals.map((interval) => faultOf(interval, lineCount)).filter((fault) => fault !== undefined);
  if (faults.length > 0) return { reason: `${faults.join(" ")} ${extentOf(lineCount)}` };
  const ok = intervals
    .map(({ start, end }) => ({ start, end }))
    .sort((one, other) => one.start - other.start || one.end - other.end);
  const clashes = ok.slice(1).flatMap((interval, index) => clashOf(ok[index], interval) ?? []);
  return clashes.length > 0 ? { reason: clashes.join(" ") } : { ok };
}

function faultOf({ start, end }: LineInterval, lineCount: number): string | undefined {
  const name = nameOf({ start, end });
  if (!Number.isSafeInteger(start) || !Number.isSafeInteger(end))
    return `Interval ${name} is not made of whole numbers.`;
  if (start < 1) return `Interval ${name} starts before line 1.`;
  if (end < start - 1) {
    return `Interval ${name} ends before it starts. To insert before line ${start} give start ${start} and end ${start - 1}.`;
  }
  if (start > lineCount + 1) return `Interval ${name} starts after the end of the file.`;
  return end > lineCount ? `Interval ${name} ends after the end of the file.` : undefined;
}

function clashOf(before: LineInterval | undefined, after: LineInterval): string | undefined {
  if (before === undefined) return undefined;
  const sameInsertion = isInsertion(before) && isInsertion(after) && before.start === after.start;
  if (sameInsertion) return `Two intervals insert before line ${after.start}: make one insertion of them.`;
  if (after.start > before.end) return undefined;
  return `Intervals ${nameOf(before)} and ${nameOf(after)} overlap: make one interval of them, or keep them apart.`;
}

function isInsertion({ start, end }: LineInterval): boolean {
  return end === start - 1;
}

function nameOf({ start, end }: LineInterval): string {
  return `[${start}, ${end}]`;
}

function extentOf(lineCount: number): string {
  if (lineCount === 0) return "The file is empty: insert with start 1 and end 0.";
  const last = figure(lineCount, "line");
  return `The file has ${last}; to append after the last one give start ${lineCount + 1} and end ${lineCount}.`;
}

/**
 * Algorithm 3's replace: puts each edit's text in the place of its interval, from the bottom up, so that no edit moves
 * the lines of another. Everything outside the intervals stays byte-exact; the texts are taken as they are.
 * Throws MagisError ANSWER_INVALID when the intervals do not fit the file.
 */
export function replaceIntervals(file: TextFile, edits: readonly LineEdit[]): TextFile {
  if (edits.length === 0) return file;
  const checked = checkIntervals(edits, file.lines.length);
  if ("reason" in checked) throw new MagisError("ANSWER_INVALID", checked.reason);
  const lines = [...file.lines];
  const bottomUp = [...edits].sort((one, other) => other.start - one.start || other.end - one.end);
  for (const { start, end, text } of bottomUp) lines.splice(start - 1, end - start + 1, text);
  return { ...file, lines: splitLines(lines.join("")) };
}

const MARKUP = /\.(md|mdx|markdown)$/i;

const MARKUP_FENCE = /^(md|mdx|markdown)\b/i;

const NOT_TEXT = /[\0\uFEFF]/g;

/** The place a replacement goes to. */
export interface ReplacementPlace {
  path: string;
  file: TextFile;
  interval: LineInterval;
}

/**
 * Turns what a model wrote for one interval (P10) into the text of a `LineEdit`: out of its code fence, with the file's
 * line endings, terminated so that the next line stays separate, and without a final newline at the end of a file that
 * had none. "" deletes the interval. A line that it repeats keeps its bytes: its terminator, a lone \r, a U+FEFF.
 */
export function normaliseReplacement(answer: string, { path, file, interval }: ReplacementPlace): string {
  const text = unfenced(answer, path).replace(NOT_TEXT, "");
  if (text === "") return "";
  const written = splitLines(text.replace(/\r\n?/g, "\n")).map(stripTerminator);
  const old = file.lines.slice(interval.start - 1, interval.end);
  const body = withOldBytes(written, old)
    .map((line) => (terminatorOf(line) === "" ? line + file.eol : line))
    .join("");
  if (interval.end < file.lines.length || hasFinalNewline(file)) return body;
  const glued = interval.start > file.lines.length;
  return (glued ? file.eol : "") + stripTerminator(body);
}

/** The lines of an answer, those that repeat an old one with its bytes. */
function withOldBytes(written: readonly string[], old: readonly string[]): readonly string[] {
  const waiting = new Map<string, { at: number; line: string; form: readonly string[] }[]>();
  for (const [at, line] of old.entries()) {
    for (const form of formsOf(line)) {
      const [first = ""] = form;
      const alike = waiting.get(first) ?? [];
      waiting.set(first, alike);
      alike.push({ at, line, form });
    }
  }
  const used = new Set<number>();
  const lines: string[] = [];
  let next = 0;
  for (let at = 0; at < written.length; ) {
    const start = at;
    const alike = (waiting.get(written[start] ?? "") ?? []).filter(
      (one) => !used.has(one.at) && one.form.every((part, index) => written[start + index] === part),
    );
    const found = alike.find((one) => one.at >= next) ?? alike[0];
    lines.push(found?.line ?? written[at] ?? "");
    at += found?.form.length ?? 1;
    if (!found) continue;
    used.add(found.at);
    next = found.at + 1;
  }
  return lines;
}

/** How a model may repeat a line: a lone \r in it is a line's end to some, and nothing to others. */
function formsOf(line: string): readonly (readonly string[])[] {
  const plain = stripTerminator(line).replace(NOT_TEXT, "");
  return plain.includes("\r") ? [plain.split("\r"), [plain.replaceAll("\r", "")]] : [[plain]];
}

/** In a Markdown file, a fenced answer may be the requested code block. */
function unfenced(answer: string, path: string): string {
  const fenced = stripFence(answer);
  if (fenced === undefined) return answer;
  return MARKUP.test(path) && !MARKUP_FENCE.test(fenced.info) ? answer : fenced.content;
}

function terminatorOf(line: string): string {
  return line.slice(stripTerminator(line).length);
}

function hasFinalNewline({ lines }: TextFile): boolean {
  const last = lines.at(-1);
  return last === undefined || terminatorOf(last) !== "";
}

const FENCE = /^ {0,3}(`{3,}(?!`)|~{3,}(?!~))([^`]*)$/;

/** What a Markdown code fence holds, and its info string ("ts", "" when it has none). */
interface Fenced {
  content: string;
  info: string;
}

/**
 * Takes a model's answer out of the one code fence that surrounds it; undefined when it is not fenced as a whole.
 * `content` has its final newline only when a line stands before the closing fence: an empty fence gives "".
 */
export function stripFence(text: string): Fenced | undefined {
  const lines = text.trim().split(/\r\n|\n/);
  const opening = FENCE.exec(lines[0] ?? "");
  if (opening === null || lines.length < 2) return undefined;
  const [, mark = "", info = ""] = opening;
  let depth = 1;
  for (const [index, line] of lines.entries()) {
    if (index === 0) continue;
    const fence = FENCE.exec(line.trimEnd());
    if (fence?.[1]?.[0] !== mark[0] || fence === null) continue;
    if (fence[2] !== "") depth += 1;
    else if (depth > 1 || (fence[1]?.length ?? 0) >= mark.length) depth -= 1;
    if (depth === 0 && index < lines.length - 1) return undefined;
  }
  if (depth > 0) return undefined;
  const inner = lines.slice(1, -1);
  return { content: inner.map((line) => `${line}\n`).join(""), info: info.trim() };
}

/**
 * Which lines of a file edits really change, and how many replace them: without equal lines at the beginning and end of
 * each edit. The edits have passed `checkIntervals`.
 */
export function changedIn(
  lines: readonly string[],
  edits: readonly LineEdit[],
): readonly { start: number; removed: number; added: number }[] {
  const ordered = [...edits].sort((one, other) => one.start - other.start || one.end - other.end);
  return ordered.flatMap(({ start, end, text }) => {
    const [old, now] = [lines.slice(start - 1, end), splitLines(text)];
    const most = Math.min(old.length, now.length);
    let first = 0;
    while (first < most && old[first] === now[first]) first++;
    let last = 0;
    while (last < most - first && old.at(-1 - last) === now.at(-1 - last)) last++;
    const [removed, added] = [old.length - first - last, now.length - first - last];
    return removed + added > 0 ? [{ start: start + first, removed, added }] : [];
  });
}
