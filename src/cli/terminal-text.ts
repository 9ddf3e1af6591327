import wrapAnsi from "wrap-ansi";
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

/** Longer lines are hard to read. */
export const MAX_COLUMNS = 120;

const MIN_COLUMNS = 10;

/**
 * `text` in lines of at most `columns`, broken at spaces where there are any; its own line breaks and the indentation of
 * its lines stay. A word that is longer than a line is cut, or with `whole` has a line of its own and is not.
 */
export function wrapText(
  text: string,
  columns: number,
  { whole = false }: { readonly whole?: boolean } = {},
): string[] {
  const width = Math.max(MIN_COLUMNS, columns);
  return text.split("\n").flatMap((line) => {
    const indent = (/^ */.exec(line)?.[0] ?? "").slice(0, Math.floor(width / 2));
    const lines = wrapAnsi(line.trim(), width - indent.length, { hard: !whole }).split("\n");
    return lines.map((part) => (indent + part).trimEnd());
  });
}

/** `text` for a terminal of so many columns, no word cut; as it is where there is no terminal. */
export function fitText(text: string, columns: number | undefined): string {
  return columns ? wrapText(text, Math.min(columns, MAX_COLUMNS), { whole: true }).join("\n") : text;
}
