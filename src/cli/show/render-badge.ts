import type { Badge } from "./block.ts";
import { escapeHtml } from "./escape-html.ts";

/** A word or two in a pill. */
export function renderBadge({ text, tone }: Badge): string {
  return `<span class="badge ${tone}">${escapeHtml(text)}</span>`;
}
