import type { Block } from "./block.ts";
import { escapeHtml } from "./escape-html.ts";

/** Shares of a whole as bars, a group of them for each row. */
export function renderBars({ measures, rows }: Pick<Extract<Block, { kind: "bars" }>, "measures" | "rows">): string {
  const groups = rows.map(({ label, shares }) => {
    const bars = measures.map((measure, at) => bar(measure, shares[at] ?? 0, at));
    return `<div class="bars"><p>${escapeHtml(label)}</p>${bars.join("")}</div>`;
  });
  return `<figure class="shares"><figcaption>Share of each prompt in the whole run</figcaption>${groups.join("")}</figure>`;
}

function bar(measure: string, share: number, at: number): string {
  const percent = Math.round(Math.max(0, Math.min(1, share)) * 1000) / 10;
  return `<div class="bar"><span>${escapeHtml(measure)}</span><span class="track"><span class="fill m${at}" style="width:${percent}%"></span></span><span class="figure">${Math.round(percent)} %</span></div>`;
}
