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
 * header. `headOf`: the line that says what a part's first change is in, shown where it stands before the part.
 */
export function numberedDiff(
  diff: string,
  headOf: (at: number) => { line: number; text: string } | undefined = () => undefined,
): string {
  const row = (number: number, sign: string, text: string) =>
    `${sign === "-" ? "" : number}${sign}${sign === " " ? cut(text) : text}`.trimEnd();
  let last = 0;
  return readPatch(diff)
    .flatMap((file) => file.hunks)
    .flatMap(({ lines, newStart }, at) => {
      let line = newStart;
      let changed: number | undefined;
      const rows: string[] = [];
      for (const text of lines.filter((one) => !one.startsWith("\\"))) {
        const sign = text[0] ?? " ";
        if (sign !== " ") changed ??= line;
        rows.push(row(line, sign, text.slice(1)));
        if (sign !== "-") line += 1;
      }
      const head = headOf(changed ?? newStart);
      const isNew = head !== undefined && head.line < newStart && head.line > last;
      last = line - 1;
      return [...(at > 0 ? ["⋮"] : []), ...(isNew ? [row(head.line, " ", head.text), "⋮"] : []), ...rows];
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
