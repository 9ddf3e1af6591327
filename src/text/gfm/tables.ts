import { trimWhite } from "./line.ts";

const DELIMITER = /^\|?[ \t\v\f]*:?-+:?[ \t\v\f]*(?:\|[ \t\v\f]*:?-+:?[ \t\v\f]*)*\|?[ \t\v\f]*\n$/;

/** Whether a line could stand below the head of a table. */
export const isDelimiterRow = (rest: string): boolean => DELIMITER.test(rest);

const LEAD = /^\|[ \t\v\f]*/;

const CELL = /(?:\\[!-/:-@[-`{-~]|[^|\r\n])+/y;

const PIPE = /\|[ \t\v\f]*/y;

const ROW_END = /[ \t\v\f]*\n?$/y;

/** The cells of a line of a table, trimmed and without the backslashes before their pipes; undefined: it has none. */
export function cellsOf(line: string): readonly string[] | undefined {
  const cells: string[] = [];
  let at = LEAD.exec(line)?.[0].length ?? 0;
  for (;;) {
    CELL.lastIndex = at;
    const cell = CELL.exec(line)?.[0] ?? "";
    PIPE.lastIndex = at + cell.length;
    const pipe = PIPE.exec(line)?.[0] ?? "";
    if (cell !== "" || pipe !== "") cells.push(trimWhite(unescapePipes(cell)));
    at += cell.length + pipe.length;
    if (pipe !== "" && at < line.length) continue;
    ROW_END.lastIndex = at;
    return cells.length > 0 && ROW_END.test(line) ? cells : undefined;
  }
}

/** `\|` is a pipe wherever it stands in a table, in code too. */
export const unescapePipes = (text: string): string => text.replaceAll("\\|", "|");
