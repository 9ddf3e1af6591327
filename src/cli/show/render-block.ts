import type { Block } from "./block.ts";
import { escapeHtml } from "./escape-html.ts";
import { readDiff } from "./read-diff.ts";
import { renderBadge } from "./render-badge.ts";
import { renderBars } from "./render-bars.ts";
import { renderFacts } from "./render-facts.ts";
import { renderFigures } from "./render-figures.ts";
import { renderTimeline } from "./render-timeline.ts";

const MAX_HEADING = 6;

/** A block as HTML; `level` is that of the headings in it. */
export function renderBlock(block: Block, level: number): string {
  switch (block.kind) {
    case "text":
      return block.text.trim() === ""
        ? ""
        : `<p class="words ${block.tone ?? "plain"}" dir="auto">${escapeHtml(block.text.trim())}</p>`;
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
      const words = `<p class="words" dir="auto">${escapeHtml(block.text.trim())}</p>`;
      return `<figure class="said"><figcaption>${escapeHtml(block.who)}${badge}</figcaption><blockquote>${words}</blockquote></figure>`;
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
  const words = note === undefined ? "" : ` <span class="note">${escapeHtml(note)}</span>`;
  return `<span class="title" dir="auto">${escapeHtml(title)}</span>${badge ? ` ${renderBadge(badge)}` : ""}${words}`;
}

/** Lines are blocks of their own, so that their colour is as wide as the longest. */
function renderDiff(diff: string): string {
  const lines = readDiff(diff).map(({ kind, text }) => `<span class="${kind}">${escapeHtml(text) || " "}</span>`);
  return `<pre class="box diff" tabindex="0"><code>${lines.join("")}</code></pre>`;
}
