import { type Block, readDiff } from "./block.ts";
import { escapeHtml, renderBadge, renderFacts } from "./html.ts";
import { renderMarkdown } from "./page-markdown.ts";
import { renderTimeline } from "./page-timeline.ts";

const MAX_HEADING = 6;

/** A block as HTML; `level` is that of the headings in it. */
export function renderBlock(block: Block, level: number): string {
  switch (block.kind) {
    case "text":
      return block.text.trim() === ""
        ? ""
        : `<p class="words ${block.tone ?? "plain"}" dir="auto">${escapeHtml(block.text.trim())}</p>`;
    case "markdown":
      return renderMarkdown(block.text, level);
    case "facts":
      return renderFacts(block.rows);
    case "list":
      return `<ul>${block.items.map((item) => `<li class="words" dir="auto">${escapeHtml(item)}</li>`).join("")}</ul>`;
    case "code":
      return `<pre class="box" tabindex="0">${escapeHtml(block.text)}</pre>`;
    case "diff":
      return renderDiff(block.diff);
    case "said": {
      const badge = block.badge ? ` ${renderBadge(block.badge)}` : "";
      const text = block.markdown
        ? renderMarkdown(block.text, level)
        : `<p class="words" dir="auto">${escapeHtml(block.text.trim())}</p>`;
      return `<figure class="said"><figcaption>${escapeHtml(block.who)}${badge}</figcaption><blockquote>${text}</blockquote></figure>`;
    }
    case "group":
      return `<section class="group"><h${level}>${heading(block)}</h${level}>\n${inner(block.body, level)}\n</section>`;
    case "fold":
      return `<details${block.open ? " open" : ""}><summary>${heading(block)}</summary>\n${inner(block.body, level)}\n</details>`;
    case "table":
      return renderFigures(block);
    case "bars":
      return renderBars(block);
    case "timeline":
      return renderTimeline(block.spans);
  }
}

function inner(body: readonly Block[], level: number): string {
  return body.map((block) => renderBlock(block, Math.min(MAX_HEADING, level + 1))).join("\n");
}

function heading({ title, badge, note }: Extract<Block, { kind: "group" | "fold" }>): string {
  const noteHtml = note === undefined ? "" : ` <span class="note">${escapeHtml(note)}</span>`;
  return `<span class="title" dir="auto">${escapeHtml(title)}</span>${badge ? ` ${renderBadge(badge)}` : ""}${noteHtml}`;
}

/** Lines are blocks of their own, so that their colour is as wide as the longest. */
function renderDiff(diff: string): string {
  const lines = readDiff(diff).map(({ kind, text }) => `<span class="${kind}">${escapeHtml(text) || " "}</span>`);
  return `<pre class="box diff" tabindex="0"><code>${lines.join("")}</code></pre>`;
}

/** Shares of a whole as bars, a group of them for each row. */
function renderBars({ measures, rows }: Pick<Extract<Block, { kind: "bars" }>, "measures" | "rows">): string {
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

/** A table of figures in a fold of its own; it scrolls sideways where it is too wide. */
function renderFigures({ head, rows, sum }: Pick<Extract<Block, { kind: "table" }>, "head" | "rows" | "sum">): string {
  const cells = (row: readonly string[]) =>
    row.map((cell, at) => (at === 0 ? `<th scope="row">${escapeHtml(cell)}</th>` : `<td>${escapeHtml(cell)}</td>`));
  const line = (row: readonly string[]) => `<tr>${cells(row).join("")}</tr>`;
  const titles = head.map((title) => `<th scope="col">${escapeHtml(title)}</th>`).join("");
  return `<details open><summary><span class="title">All figures</span></summary>
<div class="box" tabindex="0"><table><thead><tr>${titles}</tr></thead><tbody>${rows.map(line).join("")}</tbody><tfoot>${line(sum)}</tfoot></table></div>
</details>`;
}
