import { styleText } from "node:util";
import stringWidth from "string-width";
import { cutText, terminalText, wrapText } from "../terminal-text.ts";
import { type Badge, type Block, type RunDocument, readDiff, type Section, type Tone } from "./block.ts";
import { markdownLines } from "./page-markdown.ts";

/** The terminal that is written to. */
export interface Terminal {
  readonly columns: number;
  readonly colours: boolean;
}

/** Lines longer than this are hard to read. */
const MAX_WIDTH = 110;

const NARROWEST = 40;

const STEP = 2;

const WORDS: ReadonlySet<Block["kind"]> = new Set(["text", "markdown", "said", "diff"]);

const DIFF_TONES = { head: "quiet", hunk: "quiet", added: "good", removed: "bad", same: "plain" } as const;

/** A run as text. No text of the run reaches the terminal as it is. */
export function renderTerminal(document: RunDocument, { columns, colours }: Terminal): string {
  const paint = createPaint(colours);
  const width = Math.max(NARROWEST, Math.min(columns, MAX_WIDTH));
  const head = [
    ...wrapText(line(document.title), width).map(paint.bold),
    ...wrapText(line(document.subtitle), width).map((text) => paint.tone("quiet", text)),
    "",
    ...renderFacts([["ended", document.badge.text], ...document.facts], width, paint),
  ];
  const sections = document.sections.flatMap((section) => renderSection(section, width, paint));
  return [...head, ...sections].map((text) => text.trimEnd()).join("\n");
}

/** A single line of safe text. */
const line = (text: string) => terminalText(text).replace(/\s+/g, " ").trim();

function renderSection({ title, badge, body }: Section, width: number, paint: Paint): string[] {
  const rule = "─".repeat(Math.max(0, width - stringWidth(title) - 1));
  const blocks = renderBody(body, width, paint);
  return [
    "",
    `${paint.head(title)} ${paint.tone("quiet", rule)}`,
    ...(badge ? [badgeText(badge, paint)] : []),
    ...blocks,
  ];
}

const badgeText = ({ text, tone }: Badge, paint: Paint) => paint.tone(tone, `[${line(text)}]`);

/** Blocks of words stand apart; groups bring their own empty line. */
function renderBody(body: readonly Block[], width: number, paint: Paint): string[] {
  return body.flatMap((block, at) => {
    const lines = renderBlock(block, width, paint);
    const apart = at > 0 && (WORDS.has(block.kind) || WORDS.has(body[at - 1]?.kind ?? "text"));
    return apart && lines.length > 0 && lines[0] !== "" ? ["", ...lines] : lines;
  });
}

function renderBlock(block: Block, width: number, paint: Paint): string[] {
  switch (block.kind) {
    case "text":
      return wrapText(terminalText(block.text).trim(), width).map((text) => paint.tone(block.tone ?? "plain", text));
    case "markdown":
      return renderMarkdown(block.text, width, paint);
    case "facts":
      return renderFacts(block.rows, width, paint);
    case "list":
      return block.items.flatMap((item) => hang("- ", wrapText(terminalText(item).trim(), width - 2)));
    case "code":
      return terminalText(block.text)
        .trimEnd()
        .split("\n")
        .map((text) => paint.tone("quiet", `| ${text}`));
    case "diff":
      return readDiff(terminalText(block.diff)).map(({ kind, text }) => paint.tone(DIFF_TONES[kind], text));
    case "said": {
      const lines = block.markdown
        ? renderMarkdown(block.text, width - STEP, paint)
        : wrapText(terminalText(block.text).trim(), width - STEP);
      return [...heading({ ...block, title: `${line(block.who)}:` }, width, paint), ...indented(lines)];
    }
    case "group":
    case "fold":
      return ["", ...heading(block, width, paint), ...indented(renderBody(block.body, width - STEP, paint))];
    case "table":
      return ["", ...renderTable(block, width, paint)];
    // The table beside them has the figures.
    case "bars":
    case "timeline":
      return [];
  }
}

const renderMarkdown = (text: string, width: number, paint: Paint) =>
  markdownLines(text, width, { ...paint, quiet: (part) => paint.tone("quiet", part) });

/** A title with what stands behind it, which goes to a line of its own when there is no room. */
function heading(
  { title, badge, note }: { readonly title: string; readonly badge?: Badge; readonly note?: string },
  width: number,
  paint: Paint,
): string[] {
  const titles = wrapText(line(title), width);
  const notes = note === undefined ? "" : line(note);
  const behind = [badge ? badgeText(badge, paint) : "", paint.tone("quiet", notes)]
    .filter((part) => part !== "")
    .join(" ");
  if (behind === "") return titles.map(paint.bold);
  const taken =
    stringWidth(titles.at(-1) ?? "") + (badge ? stringWidth(line(badge.text)) + 3 : 0) + stringWidth(notes) + 1;
  const lines = titles.map(paint.bold);
  return taken > width ? [...lines, behind] : [...lines.slice(0, -1), `${lines.at(-1)} ${behind}`];
}

function renderFacts(rows: readonly (readonly [string, string])[], width: number, paint: Paint): string[] {
  const column = Math.max(0, ...rows.map(([label]) => stringWidth(line(label)))) + 2;
  return rows.flatMap(([label, value]) =>
    hang(
      paint.tone("quiet", line(label)) + " ".repeat(column - stringWidth(line(label))),
      wrapText(terminalText(value).trim(), width - column),
      column,
    ),
  );
}

/** `mark` before the first line, blanks before the others. */
function hang(mark: string, lines: readonly string[], column = stringWidth(mark)): string[] {
  return lines.map((text, at) => `${at === 0 ? mark : " ".repeat(column)}${text}`);
}

const indented = (lines: readonly string[]) => lines.map((text) => (text === "" ? "" : `${" ".repeat(STEP)}${text}`));

const GAP = "  ";

/** The first column is cut rather than pushing the numbers out, but not below this. */
const LEAST = 12;

/** A table as lines of text: the first column to the left, numbers to the right. */
function renderTable(
  { head, rows, sum }: Pick<Extract<Block, { kind: "table" }>, "head" | "rows" | "sum">,
  width: number,
  paint: Paint,
): string[] {
  const all = [head, ...rows, sum].map((row) => row.map((cell) => terminalText(cell).replace(/\s+/g, " ")));
  const widths = head.map((_, at) => Math.max(...all.map((row) => stringWidth(row[at] ?? ""))));
  const numbers = widths.slice(1).reduce((total, one) => total + one + GAP.length, 0);
  const first = Math.max(LEAST, Math.min(widths[0] ?? 0, width - numbers));
  const lines = all.map((row) =>
    [left(row[0] ?? "", first), ...row.slice(1).map((cell, at) => right(cell, widths[at + 1] ?? 0))].join(GAP),
  );
  return lines.map((text, at) => {
    if (at === 0) return paint.tone("quiet", text);
    return at === lines.length - 1 ? paint.bold(text) : text;
  });
}

function left(text: string, width: number): string {
  const shown = cutText(text, width);
  return shown + " ".repeat(width - stringWidth(shown));
}

const right = (text: string, width: number) => " ".repeat(width - stringWidth(text)) + text;

/** Colours text for a terminal. */
export interface Paint {
  tone(tone: Tone, text: string): string;
  bold(text: string): string;
  /** for headings */
  head(text: string): string;
}

type Style = Parameters<typeof styleText>[0];

const STYLES: Readonly<Record<Tone, Style>> = {
  plain: [],
  good: "green",
  warn: "yellow",
  bad: "red",
  quiet: "dim",
};

/** `colours: false` leaves every text as it is. */
export function createPaint(colours: boolean): Paint {
  // Whether the terminal takes colours has been asked before.
  const painted = (style: Style, text: string) =>
    colours && text !== "" ? styleText(style, text, { validateStream: false }) : text;
  return {
    tone: (tone, text) => painted(STYLES[tone], text),
    bold: (text) => painted("bold", text),
    head: (text) => painted(["bold", "cyan"], text),
  };
}
