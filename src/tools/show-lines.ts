import { numberLines } from "../edits/number-lines.ts";
import { stripTerminator } from "../edits/strip-terminator.ts";
import type { ToolLimits } from "./tool-limits.ts";

const MAX_LINE_LENGTH = 2_000;
/** What `numberLines` puts before a line, at most about this many characters. */
const NUMBER = 8;

/** Lines `from` to `to` of a file, 1-based and inclusive, numbered; as many of them as the limits allow, cut visibly. */
export function showLines(
  path: string,
  lines: readonly string[],
  from: number,
  to: number,
  { lines: most, readCharacters }: ToolLimits,
): string {
  const shown: string[] = [];
  let characters = 0;
  for (const whole of lines.slice(from - 1, Math.min(to, from - 1 + most))) {
    const line = cut(stripTerminator(whole), Math.min(MAX_LINE_LENGTH, readCharacters));
    characters += line.length + NUMBER;
    if (characters > readCharacters && shown.length > 0) break;
    shown.push(line);
  }
  const last = from + shown.length - 1;
  const head = `${path} (${lines.length} ${lines.length === 1 ? "line" : "lines"})`;
  const missing = last < to ? `\n… lines ${last + 1} to ${to} not shown: read on with start ${last + 1}.` : "";
  return `${head}\n${numberLines(shown, from)}${missing}`;
}

function cut(line: string, most: number): string {
  return line.length > most ? `${line.slice(0, most)}… [${line.length - most} more characters]` : line;
}
