import MarkdownIt, { type Token } from "markdown-it";
import { terminalText, wrapText } from "../terminal-text.ts";
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

/** How parts of a text stand out on a terminal. */
interface MarkdownPaint {
  bold(text: string): string;
  head(text: string): string;
  quiet(text: string): string;
}

/** The same Markdown as lines of a terminal, at most `width` wide but for code. Nothing of it reaches the terminal as it is. */
export function markdownLines(text: string, width: number, paint: MarkdownPaint): string[] {
  const lines: string[] = [];
  /** what stands before each line, by the lists and quotes that are open, and the mark of an item that has begun */
  const before: string[] = [];
  let mark = "";
  const numbers: (number | undefined)[] = [];
  let style = (part: string) => part;
  const add = (parts: readonly string[]) => {
    for (const part of parts) {
      const prefix = mark === "" ? before.join("") : before.slice(0, -1).join("") + mark;
      mark = "";
      lines.push(`${prefix}${part}`.trimEnd());
    }
  };
  const room = () => width - before.join("").length;
  const apart = () => {
    if (lines.length > 0 && lines.at(-1)?.trim() !== "" && mark === "") lines.push("");
  };
  for (const token of markdown.parse(terminalText(text), {})) {
    const { type, content, nesting } = token;
    if (type === "inline") add(wrapText(inlineText(token.children ?? [], paint), room()).map(style));
    else if (type === "fence" || type === "code_block") {
      apart();
      add(
        safe(content)
          .trimEnd()
          .split("\n")
          .map((line) => paint.quiet(`| ${line}`)),
      );
    } else if (type === "hr") add([paint.quiet("─".repeat(Math.min(room(), 20)))]);
    else if (type === "heading_open") {
      apart();
      style = paint.head;
    } else if (type === "heading_close") style = (part) => part;
    else if (type === "bullet_list_open" || type === "ordered_list_open") {
      if (numbers.length === 0) apart();
      numbers.push(type === "ordered_list_open" ? Number(token.attrGet("start") ?? 1) : undefined);
    } else if (type === "bullet_list_close" || type === "ordered_list_close") numbers.pop();
    else if (type === "list_item_open") {
      const number = numbers.at(-1);
      mark = number === undefined ? "- " : `${number}. `;
      if (number !== undefined) numbers[numbers.length - 1] = number + 1;
      before.push(" ".repeat(mark.length));
    } else if (type === "list_item_close") {
      before.pop();
      mark = "";
    } else if (type === "blockquote_open") {
      apart();
      before.push("> ");
    } else if (type === "blockquote_close") before.pop();
    else if ((type === "paragraph_open" && !token.hidden) || type === "tr_open") {
      if (type === "paragraph_open") apart();
    } else if (nesting === 0 && content !== "") add(wrapText(safe(content), room()));
  }
  return lines;
}

/** Entities can write control characters too, so they are looked for in what has come out. */
const safe = (text: string) => terminalText(text);

function inlineText(tokens: readonly Token[], paint: MarkdownPaint): string {
  let text = "";
  let bold = 0;
  const links: string[] = [];
  for (const token of tokens) {
    const { type, content } = token;
    const shown = safe(content);
    if (type === "softbreak" || type === "hardbreak") text += "\n";
    else if (type === "strong_open" || type === "strong_close") bold += token.nesting;
    else if (type === "em_open" || type === "em_close") text += "_";
    else if (type === "s_open" || type === "s_close") text += "~~";
    else if (type === "code_inline") text += `\`${shown}\``;
    else if (type === "link_open") links.push(safe(String(token.attrGet("href"))));
    else if (type === "link_close") {
      const address = links.pop() ?? "";
      if (address !== "" && !text.endsWith(address)) text += ` (${address})`;
    } else if (type === "image") text += `[image: ${shown}] (${safe(String(token.attrGet("src")))})`;
    else text += bold > 0 ? paint.bold(shown) : shown;
  }
  return text;
}
