import type { ToolLimits } from "./define-tool.ts";

/** The lines of one file, ready to show. */
export interface FileMatches {
  readonly path: string;
  readonly lines: readonly string[];
}

const MAX_NAMED = 8;

/** characters of a result that are kept for the words beside the lines */
const RESERVED = 600;

/** these words take at most this share of a result */
const RESERVED_SHARE = 0.4;

const MAX_NAMES_LENGTH = 400;

/**
 * Shows lines of several files within the limits, in the order given. Every file gets a line before any gets a second
 * one, beginning with the file with most lines. Then it counts what is left out by file, and says how to ask for it.
 */
export function showMatches(matches: readonly FileMatches[], limits: ToolLimits): string {
  const counts = countsWithin(matches, limits);
  const left = matches.flatMap(({ path, lines }, at) => {
    const count = lines.length - (counts[at] ?? 0);
    return count > 0 ? [{ path, count, unseen: counts[at] === 0 }] : [];
  });
  left.sort((a, b) => Number(b.unseen) - Number(a.unseen) || b.count - a.count);
  return [...firstLines(matches, limits), ...(left.length > 0 ? [leftOut(left)] : [])].join("\n");
}

/** The lines of `showMatches` alone. */
export function firstLines(matches: readonly FileMatches[], limits: ToolLimits): readonly string[] {
  const counts = countsWithin(matches, limits);
  return matches.flatMap(({ lines }, at) => lines.slice(0, counts[at]));
}

function countsWithin(matches: readonly FileMatches[], limits: ToolLimits): readonly number[] {
  const ofFile = matches.length > 1 ? limits.matchesPerFile : limits.matches;
  const room = limits.characters - Math.min(RESERVED, limits.characters * RESERVED_SHARE);
  return dealLines(matches, { lines: limits.matches, ofFile, room });
}

/** Deals lines to the files in turns, as long as any fits. */
function dealLines(
  matches: readonly FileMatches[],
  limits: { readonly lines: number; readonly ofFile: number; readonly room: number },
): readonly number[] {
  const counts = matches.map(() => 0);
  let [lines, room] = [limits.lines, limits.room];
  for (let turn = 0; turn < limits.ofFile; turn++) {
    let any = false;
    for (const at of fullestFirst(matches.map(({ lines }) => lines.length))) {
      const line = matches[at]?.lines[turn];
      if (line === undefined || counts[at] !== turn || lines === 0 || line.length + 1 > room) continue;
      counts[at] = turn + 1;
      lines -= 1;
      room -= line.length + 1;
      any = true;
    }
    if (!any) break;
  }
  return counts;
}

/** The indices of counts: the highest first, the others in their order. */
export function fullestFirst(counts: readonly number[]): readonly number[] {
  const best = counts.indexOf(Math.max(...counts));
  return [best, ...counts.keys()].filter((at, index) => at >= 0 && (index === 0 || at !== best));
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

/** Cuts a line visibly to `most` characters, around `at` if that lies behind; keeps the indentation. */
export function shorten(line: string, most: number, at = 0): string {
  const text = line.trimEnd();
  if (text.length <= most) return text;
  const from = Math.max(0, Math.min(at - Math.floor(most / 3), text.length - most));
  const before = from > 0 ? `[${from} characters] …` : "";
  const left = text.length - from - most;
  return `${before}${text.slice(from, from + most)}${left > 0 ? `… [${left} more characters]` : ""}`;
}
