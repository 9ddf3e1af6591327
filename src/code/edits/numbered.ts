import { whyNotText } from "../../text/found-text.ts";
import { readPatch } from "./diff.ts";
import { readText, stripTerminator } from "./text-file.ts";

/**
 * Lines as a model sees them: 1-based number, `|`, the line with its tabs (`9|code`). Nothing is padded, since every
 * character of every line is paid for. `from` is the first line's number. No final newline.
 */
export function numberLines(lines: readonly string[], from = 1): string {
  return lines.map((line, index) => numberLine(from + index, stripTerminator(line))).join("\n");
}

/** One line as `numberLines` shows it; `line` without its terminator. */
export const numberLine = (number: number, line: string): string => `${number}|${line}`;

/** The line numbers in a text made by `numberLines`. */
export const numbersIn = (shown: string): number[] => [...shown.matchAll(/^(\d+)\|/gm)].map(([, at]) => Number(at));

/** A line as a model returns it, without the number and blanks that it may have left. */
export const withoutNumber = (line: string): string => line.replace(/^\s*\d+ ?\|/, "").trim();

/** Lines of a file: 1-based, both inclusive. */
export interface Span {
  start: number;
  end: number;
}

/** The numbers of a span's lines. */
export const linesIn = ({ start, end }: Span): number[] =>
  Array.from({ length: Math.max(0, end - start + 1) }, (_, at) => start + at);

/** Spans in order, numbered, with marked gaps, without `seen` lines; they may overlap or reach beyond the file. */
export function numberedSpans(
  lines: readonly string[],
  spans: readonly Span[],
  seen: ReadonlySet<number> = new Set(),
): string {
  const rows: string[] = [];
  let last = 0;
  for (const { start, end } of spans) {
    for (const at of linesIn({ start: Math.max(last + 1, start), end: Math.min(lines.length, end) })) {
      if (seen.has(at)) continue;
      if (at > last + 1 && rows.length > 0) rows.push("⋮");
      rows.push(numberLine(at, stripTerminator(lines[at - 1] ?? "")));
      last = at;
    }
  }
  return rows.join("\n");
}

/** Characters of an unchanged line in a diff. */
const MAX_LINE_LENGTH = 200;

/**
 * A file's unified diff for a reader who must name lines: lines of the new file after their number, with `+` if new and
 * a blank otherwise; removed lines without a number, after `-`; `⋮` for what is left out in between. Without the
 * header. `headOf`: the line that says what a part's first change is in, shown where it stands before the part; `keeps`: whether to show an unchanged line.
 */
export function numberedDiff(
  diff: string,
  headOf: (at: number) => { line: number; text: string } | undefined = () => undefined,
  keeps: (line: number) => boolean = () => true,
): string {
  const row = (number: number, sign: string, text: string) =>
    `${sign === "-" ? "" : number}${sign}${sign === " " ? cut(text) : text}`.trimEnd();
  const parts: { first: number; last: number; changed?: number; rows: string[] }[] = [];
  for (const { lines, newStart } of readPatch(diff).flatMap((file) => file.hunks)) {
    let line = newStart;
    let part: (typeof parts)[number] | undefined;
    for (const text of lines.filter((one) => !one.startsWith("\\"))) {
      const sign = text[0] ?? " ";
      if (sign !== " " || keeps(line)) {
        if (!part) {
          part = { first: line, last: line, rows: [] };
          parts.push(part);
        }
        if (sign !== " ") part.changed ??= line;
        part.rows.push(row(line, sign, text.slice(1)));
        part.last = line;
      } else part = undefined;
      if (sign !== "-") line += 1;
    }
  }
  return parts
    .flatMap(({ first, changed = first, rows }, at) => {
      const head = headOf(changed);
      const isNew = head !== undefined && head.line < first && head.line > (parts[at - 1]?.last ?? 0);
      const gap = at > 0 ? ["⋮"] : [];
      return [...gap, ...(isNew ? [row(head.line, " ", head.text), "⋮"] : []), ...rows];
    })
    .join("\n");
}

const cut = (line: string) =>
  line.length > MAX_LINE_LENGTH
    ? `${line.slice(0, MAX_LINE_LENGTH)}… [${line.length - MAX_LINE_LENGTH} more characters]`
    : line;

/** A file as prompts show it: its lines numbered, or why there are none. */
export function showFile(path: string, content: Uint8Array | undefined): ShownFile {
  if (content === undefined) return { path, content: "(the file does not exist yet)" };
  const text = readText(content);
  if (!text) return { path, content: `(a binary file: ${whyNotText(content)})` };
  return { path, content: text.lines.length === 0 ? "(the file is empty)" : numberLines(text.lines) };
}

/** A file as prompts show it: numbered lines. */
export interface ShownFile {
  path: string;
  content: string;
}
