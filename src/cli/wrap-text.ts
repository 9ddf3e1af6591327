import { textWidth } from "./text-width.ts";

/**
 * `text` in lines of at most `width` columns, broken at spaces where there are any; its own line breaks and the
 * indentation of its lines stay.
 */
export function wrapText(text: string, width: number): string[] {
  return text.split("\n").flatMap((line) => wrapLine(line.trimEnd(), Math.max(10, width)));
}

function wrapLine(line: string, width: number): string[] {
  if (textWidth(line) <= width) return [line];
  const indent = (/^ */.exec(line)?.[0] ?? "").slice(0, Math.floor(width / 2));
  const lines: string[] = [];
  let current = indent;
  for (const word of line.trimStart().split(/ +/)) {
    const joined = current.trim() === "" ? `${indent}${word}` : `${current} ${word}`;
    if (textWidth(joined) <= width) {
      current = joined;
      continue;
    }
    if (current.trim() !== "") lines.push(current);
    const parts = chop(`${indent}${word}`, width);
    lines.push(...parts.slice(0, -1));
    current = parts.at(-1) ?? indent;
  }
  return [...lines, current];
}

/** A word that is longer than a line, in pieces. */
function chop(word: string, width: number): string[] {
  const parts = [""];
  let used = 0;
  for (const character of word) {
    const columns = textWidth(character);
    if (used + columns > width) {
      parts.push("");
      used = 0;
    }
    parts[parts.length - 1] += character;
    used += columns;
  }
  return parts;
}
