import { styleText } from "node:util";
import stringWidth from "string-width";
import {
  type Element,
  mapTexts,
  type Node,
  nodesOf,
  plainText,
  type RunDocument,
  type Tone,
  type Words,
} from "../../report/run/document.ts";
import { terminalText } from "../../text/strip-escapes.ts";
import { wrapText } from "../../text/terminal-text.ts";
import type { CliContext } from "../cli-command.ts";

/** The terminal to render for. */
export interface Terminal {
  columns: number;
  colours: boolean;
}

const DEFAULT_COLUMNS = 100;

/** The terminal that standard output is. */
export const terminalOf = ({ stdout }: Pick<CliContext, "stdout">): Terminal => ({
  columns: stdout.columns ?? DEFAULT_COLUMNS,
  // hasColors() heeds NO_COLOR and terminals without colours.
  colours: stdout.isTTY === true && stdout.hasColors?.() === true,
});

/** Longer lines are hard to read. */
const MAX_WIDTH = 110;

const MIN_WIDTH = 40;

const STEP = "  ";

/** A run as text. All text of the run is made safe for the terminal first. */
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
    lines.push(...renderNodes(body, width, paint));
  }
  return lines.map((line) => line.trimEnd()).join("\n");
}

const oneLine = (text: string) => text.replace(/\s+/g, " ").trim();

/** Separates nodes by an empty line. */
function renderNodes(nodes: readonly Node[], width: number, paint: Paint): string[] {
  const blocks = nodes.map((node) => renderNode(node, width, paint)).filter((lines) => lines.length > 0);
  return blocks.flatMap((lines, at) => (at === 0 ? lines : ["", ...lines]));
}

function renderNode(node: Node, width: number, paint: Paint): string[] {
  if (typeof node === "string") return wrapText(node.trim(), width);
  const { tag, attributes, children } = node;
  switch (tag) {
    case "p":
      return renderParagraph(node, width, paint);
    case "h4":
      return wrapText(plainText(children).trim(), width).map((line) => paint.head(line));
    case "dl":
      return renderFacts(node, width, paint);
    case "ul":
      return children.flatMap((item) => renderItem(item, "- ", width, paint));
    case "ol":
      return children.flatMap((item, at) => renderItem(item, `${Number(attributes.start ?? 1) + at}. `, width, paint));
    case "blockquote":
      return indent(renderNodes(children, width - STEP.length, paint), "> ");
    case "pre":
      return renderCode(node, paint);
    case "hr":
      return [paint.tone("quiet", "─".repeat(Math.min(width, 20)))];
    case "div":
      return renderTable(node, width, paint);
    case "section":
    case "details":
    case "figure":
      return renderPart(node, width, paint);
    default:
      return wrapText(inline([node], paint), width);
  }
}

/** A text with a colour of its own has no other colours inside. */
function renderParagraph({ attributes, children }: Element, width: number, paint: Paint): string[] {
  const tone = (attributes.class ?? "plain") as Tone;
  const text = inline(children, tone === "plain" ? paint : PLAIN).trim();
  return wrapText(text, width).map((line) => paint.tone(tone, line));
}

const inline = (words: Words, paint: Paint): string =>
  nodesOf(words)
    .map((node) => (typeof node === "string" ? node : inlineElement(node, paint)))
    .join("");

function inlineElement({ tag, attributes, children }: Element, paint: Paint): string {
  const text = inline(children, paint);
  switch (tag) {
    case "strong":
      return paint.bold(text);
    case "code":
      // Without its mark a command would run into the sentence around it.
      return paint.bold(/\s/.test(text) ? `“${text}”` : text);
    case "s":
      return `~~${text}~~`;
    case "a": {
      const { href = "" } = attributes;
      return href === "" || href === plainText(children) ? text : `${text} (${href})`;
    }
    default:
      return text;
  }
}

const elementsIn = (node: Node | undefined): readonly Element[] =>
  typeof node === "object" ? node.children.filter((child) => typeof child === "object") : [];

function renderFacts(list: Element, width: number, paint: Paint): string[] {
  const rows = elementsIn(list).map(elementsIn);
  const longest = Math.max(...rows.map(([name]) => stringWidth(plainText(name?.children ?? []))));
  const column = Math.min(longest, Math.floor(width / 2));
  return rows.flatMap(([name, value]) => {
    const label = paint.tone("quiet", oneLine(plainText(name?.children ?? [])));
    return rowLines([label, inline(value?.children ?? [], paint).trim()], [column, width - column - GAP.length]);
  });
}

function renderItem(item: Node, mark: string, width: number, paint: Paint): string[] {
  const body = typeof item === "string" ? [item] : item.children;
  return indent(renderNodes(body, width - mark.length, paint), " ".repeat(mark.length), mark);
}

const DIFF_TONES: Readonly<Record<string, Tone>> = { head: "quiet", hunk: "quiet", added: "good", removed: "bad" };

/** Code and diffs are not wrapped. */
function renderCode({ children: [code] }: Element, paint: Paint): string[] {
  const lines = elementsIn(code);
  if (lines.length > 0) {
    return lines.map(({ attributes, children }) =>
      paint.tone(DIFF_TONES[attributes.class ?? ""] ?? "plain", plainText(children)),
    );
  }
  const text = typeof code === "object" ? plainText(code.children) : "";
  return text
    .trimEnd()
    .split("\n")
    .map((line) => paint.tone("quiet", `| ${line}`));
}

/** A heading with its content below; a quotation becomes a part below the person's name. */
function renderPart({ tag, children: [heading, ...body] }: Element, width: number, paint: Paint): string[] {
  const said = tag === "figure" ? body.flatMap((one) => (typeof one === "string" ? one : one.children)) : body;
  return [
    ...renderHeading(elementsIn(heading), tag === "figure", width, paint),
    ...indent(renderNodes(said, width - STEP.length, paint)),
  ];
}

/** A title with its badge and note, which go on a line of their own when there is no room. */
function renderHeading(
  [title, ...behind]: readonly Element[],
  isSpeaker: boolean,
  width: number,
  paint: Paint,
): string[] {
  const name = oneLine(plainText(title?.children ?? []));
  const lines = wrapText(isSpeaker ? `${name}:` : name, width).map(paint.bold);
  const marks = behind.map(({ attributes: { class: names = "" }, children }) => {
    const [kind, tone = "plain"] = names.split(" ");
    const text = oneLine(plainText(children));
    return paint.tone(tone as Tone, kind === "badge" ? `[${text}]` : `(${text})`);
  });
  if (marks.length === 0) return lines;
  const last = [lines.at(-1), ...marks].join(" ");
  return stringWidth(last) > width ? [...lines, ...wrapText(marks.join(" "), width)] : [...lines.slice(0, -1), last];
}

const indent = (lines: readonly string[], blank = STEP, first = blank) =>
  lines.map((line, at) => (at === 0 ? first : blank) + line);

const GAP = "  ";

/** A table in columns, or a line for each cell when there is no room. */
function renderTable(box: Element, width: number, paint: Paint): string[] {
  const [head = [], ...body] = elementsIn(box.children[0]).flatMap((group) => elementsIn(group).map(elementsIn));
  const textOf = (cell: Element | undefined, own: Paint) => inline(cell?.children ?? [], own).trim();
  const names = head.map((cell) => textOf(cell, PLAIN));
  const rows = body.map((row) => names.map((_, at) => textOf(row[at], paint)));
  const widths = names.map((name, at) =>
    Math.max(...[name, ...rows.map((row) => row[at] ?? "")].map((text) => stringWidth(text)), 1),
  );
  if (widths.reduce((sum, one) => sum + one + GAP.length, -GAP.length) > width) {
    const listed = rows.map((row) => row.flatMap((cell, at) => wrapText(`${names[at]}: ${cell}`, width)));
    return listed.flatMap((lines, at) => (at === 0 ? lines : ["", ...lines]));
  }
  const isFigure = head.map(({ attributes }) => attributes.class === "figure");
  return [
    ...rowLines(names, widths, isFigure).map((line) => paint.bold(line.trimEnd())),
    paint.tone("quiet", widths.map((one) => "─".repeat(one)).join(GAP)),
    ...rows.flatMap((row) => rowLines(row, widths, isFigure)),
  ];
}

/** Puts cells side by side and wraps wide ones; figures are right-aligned. */
function rowLines(row: readonly string[], widths: readonly number[], isFigure: readonly boolean[] = []): string[] {
  const parts = row.map((cell, at) => wrapText(cell, widths[at] ?? 1));
  const height = Math.max(...parts.map((lines) => lines.length));
  return Array.from({ length: height }, (_, line) =>
    parts
      .map((lines, at) => {
        const text = lines[line] ?? "";
        const blanks = " ".repeat(Math.max(0, (widths[at] ?? 0) - stringWidth(text)));
        return isFigure[at] ? blanks + text : text + blanks;
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
  // The caller has already checked whether the terminal shows colours.
  const painted = (style: Style, text: string) =>
    colours && text !== "" ? styleText(style, text, { validateStream: false }) : text;
  return {
    tone: (tone, text) => painted(STYLES[tone], text),
    bold: (text) => painted("bold", text),
    head: (text, tone) => painted(["bold", tone ? STYLES[tone] : "cyan"].flat() as Style, text),
  };
}

const PLAIN = createPaint(false);
