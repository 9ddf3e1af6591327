import MarkdownIt, { type Token } from "markdown-it";
import { escapeHtml, revealHidden } from "./html.ts";

const MAX_HEADING = 6;

/**
 * Markdown that anybody may have written, as HTML of the page: as on GitHub, but without its HTML, which is shown as
 * text, and without anything that would be loaded: an image is a link to it. `level` is that of its first headings.
 */
export function renderMarkdown(text: string, level: number): string {
  // Entities can write hidden characters too, so they are looked for in what has come out.
  return `<div class="markdown" dir="auto">${revealHidden(markdown.render(text, { level }))}</div>`;
}

const markdown = new MarkdownIt({ html: false, breaks: true, linkify: true });

// Everything else would lead into the page, or to files beside it.
markdown.validateLink = (address) => /^https?:\/\//i.test(address);

// Only what begins like an address is one.
markdown.linkify.set({ fuzzyLink: false, fuzzyEmail: false, fuzzyIP: false });

markdown.renderer.rules.link_open = (tokens, at) => openLink(String(tokens[at]?.attrGet("href")));

markdown.renderer.rules.image = (tokens, at, options, env, renderer) => {
  const image = tokens[at];
  const alt = renderer.renderInlineAsText(image?.children ?? [], options, env);
  const shown = escapeHtml(alt === "" ? "[image]" : `[image: ${alt}]`);
  return isInLink(tokens, at) ? shown : `${openLink(String(image?.attrGet("src")))}${shown}</a>`;
};

markdown.renderer.rules.fence = (tokens, at) => box(tokens[at]);

markdown.renderer.rules.code_block = (tokens, at) => box(tokens[at]);

markdown.renderer.rules.table_open = () => `<div class="box" tabindex="0"><table>\n`;

markdown.renderer.rules.table_close = () => "</table></div>\n";

markdown.renderer.rules.heading_open = (tokens, at, _, env) => `<h${levelOf(tokens[at], env)}>`;

markdown.renderer.rules.heading_close = (tokens, at, _, env) => `</h${levelOf(tokens[at], env)}>\n`;

function openLink(address: string): string {
  // `[text]()` would lead to the page itself.
  return address === "" ? "<a>" : `<a href="${escapeHtml(address)}" rel="noopener noreferrer">`;
}

/** A link in a link is none. */
function isInLink(tokens: readonly Token[], at: number): boolean {
  return tokens.slice(0, at).reduce((depth, { type, nesting }) => depth + (/^link_/.test(type) ? nesting : 0), 0) > 0;
}

function box(token: Token | undefined): string {
  return `<pre class="box" tabindex="0"><code>${escapeHtml(token?.content ?? "")}</code></pre>\n`;
}

function levelOf(token: Token | undefined, env: object | undefined): number {
  const first = env && "level" in env ? Number(env.level) : 1;
  return Math.min(MAX_HEADING, first + Number(token?.tag.slice(1)) - 1);
}
