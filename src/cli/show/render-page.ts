import type { RunDocument, Section } from "./block.ts";
import { escapeHtml } from "./escape-html.ts";
import { pageStyle } from "./page-style.ts";
import { renderBadge } from "./render-badge.ts";
import { renderBlock } from "./render-block.ts";
import { renderFacts } from "./render-facts.ts";

/** Nothing may be loaded or run, whatever stands in the page; its own style is the exception. */
const POLICY = "default-src 'none'; style-src 'unsafe-inline'; img-src data:; base-uri 'none'; form-action 'none'";

/** A run as one page that needs nothing else: no network, no script. */
export function renderPage(document: RunDocument): string {
  const { title, subtitle, badge, facts, sections } = document;
  const links = sections.map((section) => `<li><a href="#${section.id}">${escapeHtml(section.title)}</a></li>`);
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${POLICY}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="referrer" content="no-referrer">
<title>${escapeHtml(title)}</title>
<link rel="icon" href="data:,">
<style>
${pageStyle()}
</style>
</head>
<body>
<header>
<p class="subtitle">${escapeHtml(subtitle)}</p>
<h1 dir="auto">${escapeHtml(title)} ${renderBadge(badge)}</h1>
${renderFacts(facts)}
</header>
<nav aria-label="Contents"><ol>${links.join("")}</ol></nav>
<main>
${sections.map(renderSection).join("\n")}
</main>
</body>
</html>
`;
}

function renderSection({ id, title, badge, body }: Section): string {
  const blocks = body.map((block) => renderBlock(block, 3)).join("\n");
  return `<section id="${id}" aria-labelledby="${id}-title">
<h2 id="${id}-title">${escapeHtml(title)}${badge ? ` ${renderBadge(badge)}` : ""}</h2>
${blocks}
</section>`;
}
