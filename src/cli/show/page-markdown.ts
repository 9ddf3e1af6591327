import MarkdownIt, { type Token } from "markdown-it";
import stringWidth from "string-width";
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

/**
 * The same Markdown as lines of a terminal, at most `width` wide but for code. Nothing of it reaches the terminal as it
 * is.
 */
export function markdownLines(text: string, width: number, paint: MarkdownPaint): string[] {
  const lines = createLines(width);
  const numbers: (number | undefined)[] = [];
  let style = (part: string) => part;
  let table: TableRows | undefined;
  const structure: Readonly<Record<string, (token: Token) => void>> = {
    heading_open() {
      lines.apart();
      style = paint.head;
    },
    heading_close() {
      style = (part) => part;
    },
    paragraph_open: ({ hidden }) => !hidden && lines.apart(),
    hr: () => lines.add([paint.quiet("─".repeat(Math.min(lines.room(), 20)))]),
    bullet_list_open() {
      if (numbers.length === 0) lines.apart();
      numbers.push(undefined);
    },
    ordered_list_open(token) {
      if (numbers.length === 0) lines.apart();
      numbers.push(Number(token.attrGet("start") ?? 1));
    },
    bullet_list_close: () => numbers.pop(),
    ordered_list_close: () => numbers.pop(),
    list_item_open() {
      const number = numbers.at(-1);
      lines.indent(number === undefined ? "- " : `${number}. `);
      if (number !== undefined) numbers[numbers.length - 1] = number + 1;
    },
    list_item_close: () => lines.outdent(),
    blockquote_open() {
      lines.apart();
      lines.indent("> ", "> ");
    },
    blockquote_close: () => lines.outdent(),
    table_open: () => (table = []),
    tr_open: () => table?.push([]),
    table_close() {
      lines.apart();
      lines.add(tableLines(table ?? [], lines.room(), paint));
      table = undefined;
    },
  };
  for (const token of markdown.parse(terminalText(text), {})) {
    const { type, content } = token;
    const words = type === "inline" ? inlineText(token.children ?? [], paint) : "";
    if (type === "fence" || type === "code_block") {
      lines.apart();
      const code = safe(content).trimEnd().split("\n");
      lines.add(code.map((line) => paint.quiet(`| ${line}`)));
    } else if (type === "inline" && table) table.at(-1)?.push(words);
    else if (type === "inline") lines.add(wrapText(words, lines.room()).map(style));
    else structure[type]?.(token);
  }
  return lines.all;
}

/** Lines that grow, each behind what the lists and quotes that are open put before it. */
function createLines(width: number) {
  const all: string[] = [];
  const before: { first: string | undefined; readonly rest: string }[] = [];
  const isFresh = () => before.some(({ first }) => first !== undefined);
  return {
    all,
    room: () => width - before.reduce((sum, { rest }) => sum + rest.length, 0),
    add(parts: readonly string[]) {
      for (const part of parts) {
        all.push((before.map(({ first, rest }) => first ?? rest).join("") + part).trimEnd());
        for (const one of before) one.first = undefined;
      }
    },
    /** An empty line, but not at the beginning of an item. */
    apart() {
      if (all.length > 0 && all.at(-1)?.trim() !== "" && !isFresh()) all.push("");
    },
    indent(first: string, rest = " ".repeat(first.length)) {
      before.push({ first, rest });
    },
    outdent: () => before.pop(),
  };
}

/** Cells by row; the first is the head. */
type TableRows = string[][];

const RULE = " │ ";

/** Of a column whose cells are broken. */
const NARROWEST = 10;

/** A table in columns, its cells broken where they are too wide; where there is no room for columns, a line for each cell. */
function tableLines(rows: TableRows, width: number, paint: MarkdownPaint): string[] {
  const [head = [], ...body] = rows;
  const cells = (row: readonly string[]) => head.map((_, at) => row[at] ?? "");
  const widths = head.map((_, at) => rows.reduce((most, row) => Math.max(most, stringWidth(row[at] ?? "")), 1));
  const room = width - RULE.length * (head.length - 1);
  if (room < NARROWEST * head.length && widths.reduce((sum, one) => sum + one, 0) > room) {
    const named = (row: readonly string[]) => cells(row).map((cell, at) => `${head[at]}: ${cell}`);
    return body.flatMap((row, at) => [...(at > 0 ? [""] : []), ...named(row).flatMap((cell) => wrapText(cell, width))]);
  }
  const fitted = fitColumns(widths, room);
  const broken = (row: readonly string[], style = (text: string) => text) => {
    const parts = cells(row).map((cell, at) => wrapText(cell, fitted[at] ?? 1));
    const height = Math.max(...parts.map((lines) => lines.length));
    return Array.from({ length: height }, (_, line) =>
      parts
        .map((lines, at) => {
          const part = lines[line] ?? "";
          return style(part) + " ".repeat(Math.max(0, (fitted[at] ?? 0) - stringWidth(part)));
        })
        .join(RULE),
    );
  };
  const rule = fitted.map((one) => "─".repeat(one)).join("─┼─");
  return [...broken(head, paint.bold), paint.quiet(rule), ...body.flatMap((row) => broken(row))];
}

/** Takes from the widest columns until all fit into `room`. */
function fitColumns(widths: readonly number[], room: number): number[] {
  const fitted = widths.map((one) => Math.min(one, room));
  for (let over = fitted.reduce((sum, one) => sum + one, 0) - room; over > 0; over--) {
    const widest = fitted.indexOf(Math.max(...fitted));
    fitted[widest] = (fitted[widest] ?? 0) - 1;
  }
  return fitted;
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
