import { trimWhite } from "./line.ts";

const DELIMITER = /^\|?[ \t\v\f]*:?-+:?[ \t\v\f]*(?:\|[ \t\v\f]*:?-+:?[ \t\v\f]*)*\|?[ \t\v\f]*\n$/;

/** Whether a line could be a table's delimiter row. */
export const isDelimiterRow = (rest: string): boolean => DELIMITER.test(rest);

const LEAD = /^\|[ \t\v\f]*/;

const CELL = /(?:\\[!-/:-@[-`{-~]|[^|\r\n])+/y;

const PIPE = /\|[ \t\v\f]*/y;

const ROW_END = /[ \t\v\f]*\n?$/y;

/** The cells of a row, trimmed and with `\|` unescaped; undefined when there are none. */
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

/** `\|` is a pipe anywhere in a table, even in code. */
export const unescapePipes = (text: string): string => text.replaceAll("\\|", "|");
