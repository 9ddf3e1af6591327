import { breakOrders, CLOSING_WORD, MENTION, SKIP_WORD } from "./orders.ts";
import { stripMisleading } from "./visible-text.ts";

/** Markdown whose code is put aside, so that rules for words can be applied to the rest. */
export interface WordsAndCode {
  /** the text with a mark in place of each piece of code */
  words: string;
  /** the text again, with other words */
  join(words: string): string;
}

interface CodeWriter {
  /** absent for a single line, which has no fence */
  block?: (code: string, language: string) => string;
  /** `cells`: the text may stand in a table, in which a pipe ends the cell */
  span(code: string, cells: boolean): string;
  /** the text is for a table */
  cells?: boolean;
}

/** The bot's own marks, which it looks for in the source, code or not: none is in code. */
export const OWN_MARK = /<!--(?=\s*\/?magis\b)/gi;

const BEGIN = "\ue000";

const END = "\ue001";

const MARK = /\ue000(\d+)\ue001/g;

/**
 * Puts the code of a Markdown text aside: fences, and spans of one line. With a `writer`, for words of a model, code is
 * written anew. Without one, for what the bot has put together, only code counts that GitHub cannot read otherwise, and
 * it stays as it is. Backticks and tildes that are left over become text, so nothing else is code. Neither words nor code
 * keep characters that mislead a reader. Takes linear time.
 */
export function wordsAndCode(text: string, writer?: CodeWriter): WordsAndCode {
  const codes: string[] = [];
  const mark = (code: string) => `${BEGIN}${codes.push(code.replace(OWN_MARK, "<\u200b!--")) - 1}${END}`;
  const lines = stripMisleading(text)
    .replace(/[\ue000\ue001]/g, "\ufffd")
    .split("\n");
  const cells = writer?.cells === true || lines.some((line) => DELIMITERS.test(line));
  const words: string[] = [];
  let isHtml = false;
  let isClear = true;
  for (let at = 0; at < lines.length; at += 1) {
    const line = lines[at] ?? "";
    const isAfterText = isWords(words.at(-1) ?? "");
    if (!isWords(line)) isHtml = false;
    else if (writer === undefined) isHtml ||= HTML_BLOCK.test(line);
    const hasFences = isClear && !isHtml && (writer === undefined || writer.block !== undefined);
    const fence = hasFences ? readFence(lines, at, writer === undefined) : undefined;
    // Behind a fence that readers may take differently, nothing counts as one.
    if (fence === "unclear") isClear = false;
    if (
      fence === undefined ||
      fence === "unclear" ||
      (writer === undefined && isAfterText && /^ {4}/.test(fence.lead))
    ) {
      const isRaw = isHtml || (writer === undefined && COMMENT_LINE.test(line));
      words.push(isRaw ? line : withoutSpans(line, { cells, writer, mark }));
      continue;
    }
    if (writer?.block === undefined) words.push(mark(lines.slice(at, fence.end).join("\n")));
    else {
      const rest = fence.lead.replace(/[^>]/g, " ");
      // Behind text, some readers take an indented fence for more text.
      if (isAfterText && rest === fence.lead) words.push(rest.trimEnd());
      const last = fence.lines.findLastIndex((line) => line !== "");
      const block = writer.block(fence.lines.slice(0, last + 1).join("\n"), fence.language).split("\n");
      words.push(mark(block.map((one, row) => (row === 0 ? fence.lead : rest) + one).join("\n")));
    }
    at = fence.end - 1;
  }
  return {
    words: words.join("\n"),
    join: (changed) => changed.replace(MARK, (_, index: string) => codes[Number(index)] ?? ""),
  };
}

const isWords = (line: string) => /[^ \t>]/.test(line);

/** A line that makes a table of the one above. */
const DELIMITERS = /^[ \t>]*[|:-][ \t|:-]*$/;

/** The bot's own tags that make HTML of all lines up to a blank one, and its marks, which do so for one. */
const HTML_BLOCK = /^[ >]*(?:<\/?(?:details|summary)>|<\/?sub>[ \t]*$)/;

const COMMENT_LINE = /^[ >]*<!--/;

/** A fence, perhaps behind marks of quotes and lists. */
const FENCE = /^((?:[ >]*(?:[-*+]|\d{1,9}[.)]) )*[ >]*)(`{3,}(?!`)|~{3,}(?!~))([^`]*)$/;

const CLOSING = /^[ >]*(`+|~+)[ \t]*$/;

interface Fence {
  lead: string;
  language: string;
  lines: readonly string[];
  /** the line behind it */
  end: number;
}

/**
 * The fence that opens in line `at`; one that is never closed reaches to the end of its quote, or of the text. `exact`:
 * unclear unless each line is indented like the first, and the last closes it as it was opened.
 */
function readFence(lines: readonly string[], at: number, exact: boolean): Fence | "unclear" | undefined {
  const [, lead, run, info] = FENCE.exec(lines[at] ?? "") ?? [];
  if (lead === undefined || run === undefined || info === undefined) return undefined;
  const [named = ""] = /^[a-z\d+#.-]{1,20}(?=[\s{,]|$)/i.exec(info.trim()) ?? [];
  const language = CLOSING_WORD.test(named) ? "" : named;
  if (exact && (run.startsWith("~") || info !== language)) return undefined;
  const rest = lead.replace(/[^>]/g, " ");
  const closes = (line: string) => CLOSING.exec(line)?.[1]?.startsWith(run) === true;
  const found: string[] = [];
  for (let next = at + 1; next < lines.length; next += 1) {
    const line = lines[next] ?? "";
    if (rest.includes(">") && !/^ *>/.test(line)) return { lead, language, lines: found, end: next };
    if (closes(line)) return exact && line !== rest + run ? "unclear" : { lead, language, lines: found, end: next + 1 };
    if (exact && !line.startsWith(rest) && line.trim() !== rest.trim()) return "unclear";
    found.push(withoutLead(line, rest.length));
  }
  return { lead, language, lines: found, end: lines.length };
}

function withoutLead(line: string, most: number): string {
  let from = 0;
  while (from < most && /[ >]/.test(line[from] ?? "")) from += 1;
  return line.slice(from);
}

interface Spans {
  cells: boolean;
  writer: CodeWriter | undefined;
  mark(code: string): string;
}

/** The beginning of an address, which reaches to the next blank. */
const ADDRESS = /:\/\/|www\.|@/i;

/** A line with its spans of code put aside. */
function withoutSpans(line: string, { cells, writer, mark }: Spans): string {
  const runs = [...line.matchAll(/`+/g)];
  const pairs = new Map<number, number>();
  const later = new Map<number, number>();
  for (let at = runs.length - 1; at >= 0; at -= 1) {
    const { length } = runs[at]?.[0] ?? "";
    const pair = later.get(length);
    if (pair !== undefined) pairs.set(at, pair);
    later.set(length, at);
  }
  const parts: string[] = [];
  let [from, seen, isAddress] = [0, 0, false];
  for (let at = 0; at < runs.length; at += 1) {
    const pair = pairs.get(at);
    const [open, close] = [runs[at], pair === undefined ? undefined : runs[pair]];
    if (pair === undefined || open === undefined || close === undefined) continue;
    const source = line.slice(open.index, close.index + close[0].length);
    at = pair;
    const gap = line.slice(seen, open.index);
    isAddress = ADDRESS.test(gap.split(/\s/).at(-1) ?? "") || (isAddress && !/\s/.test(gap));
    seen = close.index + close[0].length;
    if (writer === undefined && (isAddress || (cells && /(?<!\\)\|/.test(source)))) continue;
    const inner = line.slice(open.index + open[0].length, close.index);
    const code = /^ .* $/.test(inner) && inner.trim() !== "" ? inner.slice(1, -1) : inner;
    // A backslash would escape the backtick, and an address would take it in.
    parts.push(line.slice(from, open.index).replace(/\\$/, "&#92;"), isAddress ? " " : "");
    isAddress = false;
    parts.push(mark(writer ? writer.span(cells ? code.replaceAll("\\|", "|") : code, cells) : source));
    from = close.index + close[0].length;
  }
  return parts.join("") + line.slice(from);
}

/** Entities that are only text, whoever reads them: those that are written below, and their like. */
const ENTITY = /&(?!(?:amp|lt|gt|quot|#(?:33|35|4[0-25]|6[0-2]|9[1-36]|12[46]));)(?=#|[a-z])/gi;

/** Emphasis within a word would hide what the page makes of it. */
const IN_WORD = /(?<=[a-z\d])[*~]+(?=[a-z\d])/gi;

const coded = (text: string) => [...text].map((char) => `&#${char.charCodeAt(0)};`).join("");

/** Makes sure that neither an entity, emphasis nor a stray fence makes of words what the source does not show. */
const plainWords = (words: string): string =>
  breakOrders(
    breakOrders(words, [SKIP_WORD])
      .replace(IN_WORD, coded)
      .replace(ENTITY, "&amp;")
      .replaceAll("`", "&#96;")
      .replace(/~(?=~~)/g, "&#126;"),
    [MENTION],
  );

const TAG = /<(?=[a-z/!?])/gi;

/** A link to the web without a title, or the box of a task: other brackets are text. */
const BRACKET = /(?<!!)\[[^[\]\n]{0,300}\]\(https?:\/\/[^\s()<>"'`]{1,1000}\)|(?<=(?:[-*+]|\d[.)]) )\[[ xX]\](?= )|\[/g;

/** A heading, perhaps behind marks of quotes and lists. */
const HEADING = /^((?:[ \t>]|[-*+][ \t]|\d{1,9}[.)][ \t])*)#(?=#{0,5}(?:[ \t]|$))/gm;

const UNDERLINE = /^([ \t>]*)([=-])(?=\2*[ \t]*$)/gm;

/** Words of a model: without tags, images, links but plain ones, and headings, unless these are `kept`. */
export function modelsWords(words: string, headings: "kept" | "shown"): string {
  const shown = plainWords(words)
    .replace(TAG, "&lt;")
    .replace(BRACKET, (found) => (found === "[" ? "&#91;" : found));
  if (headings === "kept") return shown;
  return shown.replace(HEADING, "$1&#35;").replace(UNDERLINE, (_, lead: string, sign: string) => lead + coded(sign));
}

/** The bot's own tags and marks. */
const OWN_TAG = [
  "<\\/?(?:details|summary)>",
  "(?<![a-z\\d])<(?:sub|code)>|<\\/(?:sub|code)>(?![a-z\\d])",
  "<!-- \\/?magis:[^<>\\n]{1,1000} -->",
  "<!-- ?(?!magis:)\\w[\\w .:,-]{0,80} ?-->",
].join("|");

const FOREIGN_TAG = new RegExp(`${OWN_TAG}|<(?=[a-z/!?])`, "gi");

/** A definition of a link or a footnote, an image, and a link with a title: the bot writes none. */
const DEFINITION = /^([ \t>]*)\[(?=[^\]\n]{1,999}\]:)/gm;

const TITLED = /\]\((?!https?:\/\/[^\s()<>"'`]*\))/g;

/** Words that the bot has put together: like a model's, but with its own tags, headings and links. */
export const ownWords = (words: string): string =>
  plainWords(words)
    .replace(FOREIGN_TAG, (found) => (found === "<" ? "&lt;" : found))
    .replace(/!\[/g, "!&#91;")
    .replace(DEFINITION, "$1&#91;")
    .replace(TITLED, "]&#40;");
