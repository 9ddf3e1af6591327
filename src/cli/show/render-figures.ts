import type { Block } from "./block.ts";
import { escapeHtml } from "./escape-html.ts";

/** A table of figures in a fold of its own; it scrolls sideways where it is too wide. */
export function renderFigures({
  head,
  rows,
  sum,
}: Pick<Extract<Block, { kind: "table" }>, "head" | "rows" | "sum">): string {
  const cells = (row: readonly string[]) =>
    row.map((cell, at) => (at === 0 ? `<th scope="row">${escapeHtml(cell)}</th>` : `<td>${escapeHtml(cell)}</td>`));
  const line = (row: readonly string[]) => `<tr>${cells(row).join("")}</tr>`;
  const titles = head.map((title) => `<th scope="col">${escapeHtml(title)}</th>`).join("");
  return `<details open><summary><span class="title">All figures</span></summary>
<div class="box" tabindex="0"><table><thead><tr>${titles}</tr></thead><tbody>${rows.map(line).join("")}</tbody><tfoot>${line(sum)}</tfoot></table></div>
</details>`;
}
