import { styleText } from "node:util";
import stringWidth from "string-width";
import { terminalText, wrapText } from "../terminal-text.ts";
import {
  type Block,
  type Fact,
  mapTexts,
  type Part,
  plainText,
  type RunDocument,
  readDiff,
  type Span,
  spansOf,
  type Tone,
  type Words,
} from "./document.ts";

/** The terminal that is written to. */
export interface Terminal {
  readonly columns: number;
  readonly colours: boolean;
}

/** Longer lines are hard to read. */
const MAX_WIDTH = 110;

const MIN_WIDTH = 40;

const STEP = "  ";

/** A run as text. No text of the run reaches the terminal as it is. */
export function renderTerminal(document: RunDocument, { columns, colours }: Terminal): string {
  const { title, subtitle, sections } = mapTexts(document, terminalText);
  const paint = createPaint(colours);
  const width = Math.max(MIN_WIDTH, Math.min(columns, MAX_WIDTH));
  const lines = [
    ...wrapText(oneLine(plainText(title)), width).map(paint.bold),
    ...wrapText(oneLine(subtitle), width).map((line) => paint.tone("quiet", line)),
  ];
  for (const { title: name, tone, body } of sections) {
    const heading = wrapText(oneLine(plainText(name)), width);
    lines.push("", ...heading.map((line) => paint.head(line, tone)), paint.tone("quiet", "─".repeat(width)));
    lines.push(...renderBody(body, width, paint));
  }
  return lines.map((line) => line.trimEnd()).join("\n");
}

const oneLine = (text: string) => text.replace(/\s+/g, " ").trim();

/** Blocks stand apart by an empty line. */
function renderBody(body: readonly Block[], width: number, paint: Paint): string[] {
  const blocks = body.map((block) => renderBlock(block, width, paint)).filter((lines) => lines.length > 0);
  return blocks.flatMap((lines, at) => (at === 0 ? lines : ["", ...lines]));
}

function renderBlock(block: Block, width: number, paint: Paint): string[] {
  switch (block.kind) {
    case "paragraph":
      return renderParagraph(block.words, block.tone ?? "plain", width, paint);
    case "heading":
      return wrapText(plainText(block.words).trim(), width).map((line) => paint.head(line));
    case "facts":
      return renderFacts(block.rows, width, paint);
    case "list":
      return block.items.flatMap((item, at) => {
        const mark = block.first === undefined ? "- " : `${block.first + at}. `;
        return indent(renderBody(item, width - mark.length, paint), " ".repeat(mark.length), mark);
      });
    case "quote":
      return renderQuote(block, width, paint);
    case "code":
      return block.text
        .trimEnd()
        .split("\n")
        .map((line) => paint.tone("quiet", `| ${line}`));
    case "diff":
      return readDiff(block.text).map(({ kind, text }) => paint.tone(DIFF_TONES[kind], text));
    case "rule":
      return [paint.tone("quiet", "─".repeat(Math.min(width, 20)))];
    case "table":
      return renderTable(block, width, paint);
    case "part":
      return [...renderTitle(block, width, paint), ...indent(renderBody(block.body, width - STEP.length, paint))];
  }
}

const DIFF_TONES = { head: "quiet", hunk: "quiet", added: "good", removed: "bad", same: "plain" } as const;

/** A text that has one colour as a whole has no others in it. */
function renderParagraph(words: Words, tone: Tone, width: number, paint: Paint): string[] {
  if (tone === "plain") return wrapText(inline(words, paint).trim(), width);
  return wrapText(inline(words, PLAIN).trim(), width).map((line) => paint.tone(tone, line));
}

const inline = (words: Words, paint: Paint) =>
  spansOf(words)
    .map((span) => spanText(span, paint))
    .join("");

function spanText({ text, strong, struck, code, href }: Span, paint: Paint): string {
  // Without its mark a command would run into the sentence around it.
  const marked = code && /\s/.test(text) ? `“${text}”` : text;
  const shown = struck ? `~~${marked}~~` : marked;
  const painted = strong || code ? paint.bold(shown) : shown;
  return href === undefined || href === "" || text === href ? painted : `${painted} (${href})`;
}

function renderFacts(rows: readonly Fact[], width: number, paint: Paint): string[] {
  const longest = Math.max(...rows.map(([label]) => stringWidth(label)));
  const column = Math.min(longest, Math.floor(width / 2));
  const widths = [column, width - column - GAP.length];
  return rows.flatMap(([label, value]) =>
    rowLines([paint.tone("quiet", oneLine(label)), inline(value, paint).trim()], widths),
  );
}

function renderQuote({ who, badge, body }: Extract<Block, { kind: "quote" }>, width: number, paint: Paint): string[] {
  const lines = renderBody(body, width - STEP.length, paint);
  if (who === undefined) return indent(lines, "> ");
  const title = `${oneLine(plainText(who))}:`;
  return [...renderTitle({ title, ...(badge && { badge }) }, width, paint), ...indent(lines)];
}

/** A title with what stands behind it, which has a line of its own where there is no room. */
function renderTitle({ title, badge, note }: Omit<Part, "body">, width: number, paint: Paint): string[] {
  const lines = wrapText(oneLine(plainText(title)), width).map(paint.bold);
  const mark = badge ? paint.tone(badge.tone, `[${oneLine(badge.text)}]`) : "";
  const aside = note ? paint.tone("quiet", `(${oneLine(note)})`) : "";
  const behind = [mark, aside].filter((text) => text !== "").join(" ");
  if (behind === "") return lines;
  const last = `${lines.at(-1)} ${behind}`;
  return stringWidth(last) > width ? [...lines, ...wrapText(behind, width)] : [...lines.slice(0, -1), last];
}

const indent = (lines: readonly string[], blank = STEP, first = blank) =>
  lines.map((line, at) => (at === 0 ? first : blank) + line);

const GAP = "  ";

/** Of a column whose cells are broken. */
const NARROWEST = 10;

/** A table in columns, text broken where it is too wide; where there is no room for columns, a line for each cell. */
function renderTable({ head, rows, sum }: Extract<Block, { kind: "table" }>, width: number, paint: Paint): string[] {
  const cells = (row: readonly Words[], own: Paint) => head.map((_, at) => inline(row[at] ?? "", own).trim());
  const body = [...rows.map((row) => cells(row, paint)), ...(sum ? [cells(sum, PLAIN)] : [])];
  const names = cells(head, PLAIN);
  const widths = names.map((_, at) => Math.max(1, ...[names, ...body].map((row) => stringWidth(row[at] ?? ""))));
  const room = width - GAP.length * (head.length - 1);
  const fitted = fitColumns(widths, room, sum !== undefined);
  if (fitted === undefined) {
    return body.flatMap((row, at) => [
      ...(at === 0 ? [] : [""]),
      ...row.flatMap((cell, column) => wrapText(`${names[column]}: ${cell}`, width)),
    ]);
  }
  const last = sum && body.length - 1;
  return [
    ...rowLines(names, fitted, sum !== undefined).map((line) => paint.bold(line.trimEnd())),
    paint.tone("quiet", fitted.map((one) => "─".repeat(one)).join(GAP)),
    ...body.flatMap((row, at) =>
      rowLines(row, fitted, sum !== undefined).map((line) => (at === last ? paint.bold(line) : line)),
    ),
  ];
}

/** The columns' widths within `room`; numbers are never broken. Undefined where they do not fit. */
function fitColumns(widths: readonly number[], room: number, isFigures: boolean): number[] | undefined {
  const least = widths.map((one, at) => (isFigures && at > 0 ? one : Math.min(one, NARROWEST)));
  const sum = (values: readonly number[]) => values.reduce((total, one) => total + one, 0);
  if (sum(least) > room) return undefined;
  const fitted = [...widths];
  while (sum(fitted) > room) {
    const shrinkable = fitted.map((one, at) => (one > (least[at] ?? 0) ? one : 0));
    const widest = shrinkable.indexOf(Math.max(...shrinkable));
    fitted[widest] = (fitted[widest] ?? 0) - 1;
  }
  return fitted;
}

/** Cells side by side, broken where they are too wide; figures to the right. */
function rowLines(row: readonly string[], widths: readonly number[], isFigures = false): string[] {
  const parts = row.map((cell, at) => wrapText(cell, widths[at] ?? 1));
  const height = Math.max(...parts.map((lines) => lines.length));
  return Array.from({ length: height }, (_, line) =>
    parts
      .map((lines, at) => {
        const text = lines[line] ?? "";
        const blanks = " ".repeat(Math.max(0, (widths[at] ?? 0) - stringWidth(text)));
        return isFigures && at > 0 ? blanks + text : text + blanks;
      })
      .join(GAP),
  );
}

/** Colours text for a terminal. */
export interface Paint {
  tone(tone: Tone, text: string): string;
  bold(text: string): string;
  /** for headings */
  head(text: string, tone?: Tone): string;
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
    head: (text, tone) => painted(["bold", tone ? STYLES[tone] : "cyan"].flat() as Style, text),
  };
}

const PLAIN = createPaint(false);
