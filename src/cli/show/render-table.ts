import { terminalText } from "../terminal-text.ts";
import { textWidth } from "../text-width.ts";
import type { Block } from "./block.ts";
import type { Paint } from "./create-paint.ts";

const GAP = "  ";
/** The first column is cut rather than pushing the numbers out, but not below this. */
const LEAST = 12;

/** A table as lines of text: the first column to the left, numbers to the right. */
export function renderTable(
  { head, rows, sum }: Pick<Extract<Block, { kind: "table" }>, "head" | "rows" | "sum">,
  width: number,
  paint: Paint,
): string[] {
  const all = [head, ...rows, sum].map((row) => row.map((cell) => terminalText(cell).replace(/\s+/g, " ")));
  const widths = head.map((_, at) => Math.max(...all.map((row) => textWidth(row[at] ?? ""))));
  const numbers = widths.slice(1).reduce((total, one) => total + one + GAP.length, 0);
  const first = Math.max(LEAST, Math.min(widths[0] ?? 0, width - numbers));
  const lines = all.map((row) =>
    [left(row[0] ?? "", first), ...row.slice(1).map((cell, at) => right(cell, widths[at + 1] ?? 0))].join(GAP),
  );
  return lines.map((text, at) => {
    if (at === 0) return paint.tone("quiet", text);
    return at === lines.length - 1 ? paint.bold(text) : text;
  });
}

function left(text: string, width: number): string {
  let shown = text;
  while (textWidth(shown) > width) shown = `${[...shown].slice(0, -2).join("")}…`;
  return shown + " ".repeat(width - textWidth(shown));
}

const right = (text: string, width: number) => " ".repeat(width - textWidth(text)) + text;
