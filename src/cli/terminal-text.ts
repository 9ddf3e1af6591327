import { stripInvisible } from "../text/strip-hidden.ts";

/** ESC [ … m and its like, ESC ] … BEL (titles, links), and two-character ones; also with the one-character C1 forms. */
const SEQUENCES = new RegExp(
  [
    "(?:\\u001b\\[|\\u009b)[0-?]*[ -/]*[@-~]",
    "(?:\\u001b[\\]PX^_]|[\\u009d\\u0090\\u0098\\u009e\\u009f])[^\\u0007\\u001b\\u009c]*(?:\\u0007|\\u001b\\\\|\\u009c)?",
    "\\u001b[ -/]*[0-~]",
  ].join("|"),
  "g",
);

const TAB = "    ";

/**
 * Text of a model, an issue or a file as it may go to a terminal: it cannot write control sequences, move the cursor, or
 * change the direction of what is read. Tabs become spaces; newlines stay.
 */
export function terminalText(text: string): string {
  return stripInvisible(text.replace(SEQUENCES, "")).replaceAll("\t", TAB);
}

/** Blocks whose characters take two columns: East Asian wide ones and emoji. */
const WIDE =
  /[\u1100-\u115f\u2e80-\u303e\u3041-\u33ff\u3400-\u4dbf\u4e00-\u9fff\ua000-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6\u{1f300}-\u{1f64f}\u{1f680}-\u{1f6ff}\u{1f900}-\u{1f9ff}\u{20000}-\u{3fffd}]/u;

const COMBINING = /\p{Mn}/u;

/** How many columns of a terminal `text` takes, which is free of controls. */
export function textWidth(text: string): number {
  let width = 0;
  for (const character of text) width += COMBINING.test(character) ? 0 : WIDE.test(character) ? 2 : 1;
  return width;
}

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
