import type { RunDocument, Section } from "./block.ts";
import { escapeHtml, renderBadge, renderFacts } from "./html.ts";
import { renderBlock } from "./page-block.ts";

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

/** The page's style: light and dark, from 320 px up; only boxes scroll sideways, never the page. */
function pageStyle(): string {
  return `${COLOURS}\n${LAYOUT}\n${TEXT}\n${BOXES}\n${FIGURES}\n${MARKDOWN}`;
}

const COLOURS = `:root { --paper: #fff; --ink: #1b1f24; --soft: #5b6470; --line: #d5dae0; --shade: #f4f6f8; --link: #0b5cad;
  --good: #14692c; --good-shade: #dff5e3; --bad: #b3201b; --bad-shade: #fde5e3; --warn: #7d4f00; --warn-shade: #fdf0cf;
  --m0: #3f72d8; --m1: #2a9061; --m2: #b0742a; }
@media (prefers-color-scheme: dark) {
  :root { --paper: #12161b; --ink: #dde3ea; --soft: #98a3b0; --line: #333b45; --shade: #1b2129; --link: #76b3f5;
    --good: #7fd494; --good-shade: #14351f; --bad: #ff9d96; --bad-shade: #451a1a; --warn: #eec069; --warn-shade: #3c2e0e;
    --m0: #6c98f0; --m1: #52ba88; --m2: #d69b52; }
}`;

const LAYOUT = `* { box-sizing: border-box; }

html { scroll-behavior: smooth; -webkit-text-size-adjust: 100%; text-size-adjust: 100%; }

body { margin: 0 auto; padding: 1rem; max-width: 78rem; background: var(--paper); color: var(--ink);
  font: 1rem/1.55 system-ui, sans-serif; overflow-wrap: anywhere; }

nav { margin: 1rem 0; padding: .75rem 1rem; background: var(--shade); border-radius: .5rem; font-size: .925rem; }

nav ol { margin: 0; padding: 0; list-style: none; display: flex; flex-wrap: wrap; gap: .35rem 1.1rem; }

main, header { min-width: 0; }

main > section { margin-top: 2.25rem; scroll-margin-top: 1rem; }
@media (min-width: 64rem) {
  body { display: grid; grid-template-columns: 14rem minmax(0, 1fr); column-gap: 2.5rem; padding: 2rem; }
  header { grid-column: 1 / -1; }
  nav { position: sticky; top: 1.5rem; align-self: start; }
  nav ol { flex-direction: column; gap: .5rem; }
  main > section:first-child { margin-top: .5rem; }
}
@media (prefers-reduced-motion: reduce) { html { scroll-behavior: auto; } }
@media print { nav { display: none; } body { display: block; } }`;

const TEXT = `h1 { font-size: 1.6rem; line-height: 1.25; margin: .1rem 0 1rem; }

h2 { font-size: 1.25rem; line-height: 1.3; margin: 0 0 .75rem; padding-bottom: .3rem; border-bottom: 2px solid var(--line); }

h3, h4, h5, h6 { font-size: 1.05rem; line-height: 1.35; margin: 1.5rem 0 .5rem; }

a { color: var(--link); }

p { margin: .5rem 0; }

ul { padding-left: 1.25rem; margin: .5rem 0; }
.words { white-space: pre-wrap; }
.subtitle, .note, .quiet, dt { color: var(--soft); }
.subtitle { margin: 0; font-size: .875rem; }
.note { font-size: .875rem; font-weight: normal; }

p.good { color: var(--good); } p.bad { color: var(--bad); } p.warn { color: var(--warn); }

dl { margin: .5rem 0 .75rem; display: grid; gap: .3rem; }

dl > div { display: grid; grid-template-columns: 7.5rem minmax(0, 1fr); gap: .75rem; }

dt { font-size: .875rem; line-height: 1.3; padding-top: .22rem; }

dd { margin: 0; white-space: pre-wrap; }
@media (max-width: 30rem) { dl > div { grid-template-columns: 5.75rem minmax(0, 1fr); gap: .6rem; } }
.badge { display: inline-block; padding: .05rem .5rem; border-radius: 1rem; font-size: .8125rem; font-weight: 600;
  line-height: 1.5; vertical-align: .1em; background: var(--shade); color: var(--soft); border: 1px solid var(--line); }
.badge.good { background: var(--good-shade); color: var(--good); border-color: transparent; }
.badge.bad { background: var(--bad-shade); color: var(--bad); border-color: transparent; }
.badge.warn { background: var(--warn-shade); color: var(--warn); border-color: transparent; }`;

const BOXES = `details { margin: .5rem 0; border: 1px solid var(--line); border-radius: .5rem; padding: 0 .8rem; }

details[open] { padding-bottom: .6rem; }

summary { padding: .5rem 0; cursor: pointer; }

summary .title { font-weight: 600; }
.box { overflow-x: auto; max-width: 100%; margin: .5rem 0; background: var(--shade); border-radius: .4rem; overflow-wrap: normal; }

pre { padding: .7rem .8rem; font: .8125rem/1.5 ui-monospace, SFMono-Regular, Menlo, Consolas, monospace; tab-size: 4; }
.diff { padding: .4rem 0; }
.diff code { display: inline-block; min-width: 100%; font: inherit; }
.diff span { display: block; padding: 0 .8rem; min-height: 1.5em; white-space: pre; }
.added { background: var(--good-shade); color: var(--good); }
.removed { background: var(--bad-shade); color: var(--bad); }
.hunk, .head { color: var(--soft); }
.said { margin: .75rem 0; padding: .1rem 0 .1rem .8rem; border-left: 3px solid var(--line); }
.said figcaption { font-weight: 600; font-size: .925rem; }

blockquote { margin: 0; } blockquote p { margin: .15rem 0; }`;

const FIGURES = `table { border-collapse: collapse; font-size: .875rem; font-variant-numeric: tabular-nums; min-width: 100%; }

th, td { padding: .35rem .7rem; text-align: right; white-space: nowrap; border-bottom: 1px solid var(--line); }

th:first-child { text-align: left; } tbody th { font-weight: normal; } thead th { color: var(--soft); }

tfoot th, tfoot td { font-weight: 700; border-bottom: 0; }

figure { margin: 1rem 0; }
.shares figcaption, .timeline figcaption { color: var(--soft); font-size: .875rem; margin-bottom: .5rem; }
.shares { display: grid; grid-template-columns: repeat(auto-fill, minmax(min(100%, 17rem), 1fr)); gap: .75rem 1.5rem; }
.shares figcaption { grid-column: 1 / -1; }
.bars p { margin: 0; font-size: .875rem; font-weight: 600; }
.bar { display: grid; grid-template-columns: 3.2rem minmax(0, 1fr) 3rem; gap: .5rem; align-items: center; font-size: .8125rem; color: var(--soft); }
.track { height: .55rem; background: var(--shade); border-radius: .3rem; overflow: hidden; }
.fill { display: block; height: 100%; min-width: 1px; }
.figure { text-align: right; font-variant-numeric: tabular-nums; }
.m0 { background: var(--m0); } .m1 { background: var(--m1); } .m2 { background: var(--m2); }

svg { display: block; }

svg text { font: .75rem system-ui, sans-serif; fill: var(--soft); }

svg rect { fill: var(--m0); stroke: var(--m0); stroke-width: 1px; }

svg rect.failed { fill: var(--bad); stroke: var(--bad); }

svg .pause { stroke: var(--soft); stroke-dasharray: 3 4; }`;

/** After the others: a table of somebody's text is none of figures. */
const MARKDOWN = `.markdown code { font: .875em/1.5 ui-monospace, SFMono-Regular, Menlo, Consolas, monospace; background: var(--shade);
  padding: .1rem .3rem; border-radius: .25rem; }
.markdown pre code { padding: 0; font: inherit; background: none; }
.markdown blockquote { margin: .5rem 0; padding-left: .8rem; border-left: 3px solid var(--line); color: var(--soft); }
.markdown th, .markdown td { text-align: left; white-space: normal; }

.markdown ol { padding-left: 1.5rem; margin: .5rem 0; }

hr { border: 0; border-top: 1px solid var(--line); margin: 1rem 0; }`;
