import type { ToolLimits } from "./context.ts";

/** The lines of one file, each as it is shown. */
export interface FileMatches {
  readonly path: string;
  readonly lines: readonly string[];
}

const MAX_NAMED = 8;

/** lines of each file, however many there are */
const LEAST_OF_FILE = 4;

/** of a result's characters, for what is said beside the lines */
const RESERVED = 600;

const MAX_NAMES_LENGTH = 400;

/**
 * Lines of several files under the limits, file by file in the order given: at most some lines of each file when there
 * are several, then what is left out, by file, and how to ask for it.
 */
export function showMatches(matches: readonly FileMatches[], limits: ToolLimits): string {
  const room = limits.characters - RESERVED;
  const shown: string[] = [];
  const left: { path: string; count: number }[] = [];
  const fair = Math.max(LEAST_OF_FILE, Math.floor(limits.matches / Math.max(1, matches.length)));
  const most = matches.length > 1 ? Math.min(limits.matchesPerFile, fair) : limits.matches;
  let characters = 0;
  for (const { path, lines } of matches) {
    let count = 0;
    for (const line of lines.slice(0, most)) {
      if (shown.length >= limits.matches || characters + line.length + 1 > room) break;
      shown.push(line);
      characters += line.length + 1;
      count += 1;
    }
    if (count < lines.length) left.push({ path, count: lines.length - count });
  }
  return [...shown, ...(left.length > 0 ? [leftOut(left)] : [])].join("\n");
}

function leftOut(left: readonly { path: string; count: number }[]): string {
  const total = left.reduce((sum, { count }) => sum + count, 0);
  let names = 0;
  const named = left
    .slice(0, MAX_NAMED)
    .map(({ path, count }) => `${path} (${count})`)
    .filter((name) => {
      names += name.length + 2;
      return names <= MAX_NAMES_LENGTH;
    });
  const others = left.length - named.length;
  const rest = others > 0 ? ` and ${others} more ${others === 1 ? "file" : "files"}` : "";
  const where = named.length > 0 ? `${named.join(", ")}${rest}` : `in ${left.length} files`;
  return `… ${total} more not shown: ${where}. Narrow with path, or with a more exact question.`;
}

/** A line as it is shown: with its indentation, cut visibly at `most` characters, around `at` when that lies behind. */
export function shorten(line: string, most: number, at = 0): string {
  const text = line.trimEnd();
  if (text.length <= most) return text;
  const from = Math.max(0, Math.min(at - Math.floor(most / 3), text.length - most));
  const before = from > 0 ? `[${from} characters] …` : "";
  const left = text.length - from - most;
  return `${before}${text.slice(from, from + most)}${left > 0 ? `… [${left} more characters]` : ""}`;
}
