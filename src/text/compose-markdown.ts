import { breakOrders, COMMAND, closingOrder, MERGED_ORDERS } from "./orders.ts";
import { stripMisleading } from "./visible-text.ts";
import { modelsWords, OWN_MARK, wordsAndCode } from "./words-and-code.ts";

/** How many backticks a fence around this text needs. */
const fenceOf = (text: string, least: number) => {
  let longest = least - 1;
  for (const [run] of text.matchAll(/`+/g)) longest = Math.max(longest, run.length);
  return "`".repeat(longest + 1);
};

/** Inline code that the text cannot close, for paths and ids, also in tables. Never forms a mark of the bot. */
export const codeSpan = (text: string): string => spanOf(text, true);

/** `cells`: a pipe ends a cell even in code, so it is escaped. */
function spanOf(text: string, cells: boolean): string {
  const line = stripMisleading(text).replace(/\s+/g, " ").replace(OWN_MARK, "<\u200b!--");
  const safe = cells ? line.replace(/\\(?=\|)/g, "\\\u200b").replaceAll("|", "\\|") : line;
  if (safe.trim() === "") return "` `";
  const fence = fenceOf(safe, 1);
  const space = /^`|`$|^ .* $/.test(safe) ? " " : "";
  return `${fence}${space}${safe}${space}${fence}`;
}

/** A fenced block that the text cannot close. */
export function codeBlock(text: string, language: string): string {
  const shown = stripMisleading(text).replace(/\n$/, "");
  const fence = fenceOf(shown, 3);
  return `${fence}${language}\n${shown}\n${fence}`;
}

/** Markdown in paragraphs: the parts that have words. */
export const paragraphs = (...parts: readonly (string | false | undefined)[]): string =>
  parts.filter((part) => part).join("\n\n");

/** A collapsed section: `title` is one line, `content` Markdown. "" if there is no content. */
export function fold(title: string, content: string): string {
  return content.trim() === "" ? "" : `<details><summary>${title}</summary>\n\n${content.trim()}\n\n</details>`;
}

const IN_CELLS = { span: codeSpan, cells: true };

/**
 * Words of a model or a person on one line, safe to post: for table cells, list items and headings. Like `prose`, but
 * without lists and blocks of code.
 */
export function plain(text: string): string {
  const { words, join } = wordsAndCode(text.replace(/\s+/g, " ").trim(), IN_CELLS);
  return inert(join(modelsWords(words, "shown").replaceAll("|", "&#124;")));
}

const MAX_ADDRESS = 2000;

/** Characters that end an address or the brackets around it, or have a meaning in tables. */
const UNSAFE_IN_ADDRESS = /[\s()<>[\]{}|\\^`"'*_~\p{Cc}]/gu;

const UNSAFE_IN_LINK = /[\\[\]`<>]/g;

/**
 * A link with words and address from outside. Gives only the words if the address is not on the web, holds a password
 * or is very long.
 */
export function webLink(words: string, address: string): string {
  const text = plain(words);
  if (address.length > MAX_ADDRESS || !URL.canParse(address)) return text;
  const { protocol, username, password, href } = new URL(address);
  if (!/^https?:$/.test(protocol) || username !== "" || password !== "") return text;
  const inside = plain(words.replace(UNSAFE_IN_LINK, (char) => `&#${char.charCodeAt(0)};`));
  return `[${inside}](${href.replace(UNSAFE_IN_ADDRESS, encoded)})`;
}

const encoded = (char: string) => `%${char.charCodeAt(0).toString(16).toUpperCase().padStart(2, "0")}`;

const ANEW = { block: codeBlock, span: spanOf };

/**
 * Words of a model or a person as Markdown of several lines, safe to post: its code is written anew, and all else is
 * text that pings nobody, closes nothing, loads nothing and hides nothing. Lists, tables, emphasis and plain links stay;
 * headings only when `kept`, since they could imitate the bot's own. Idempotent.
 */
export function prose(text: string, headings: "kept" | "shown" = "shown"): string {
  const { words, join } = wordsAndCode(text, ANEW);
  return inert(join(modelsWords(words, headings)));
}

/** What merges and bots read in the source, code or not, is broken. */
const inert = (text: string): string => breakOrders(breakOrders(text, [closingOrder(), ...MERGED_ORDERS]), [COMMAND]);

const NOTE = "\n\n_The rest is not shown here, since GitHub accepts no longer text; it is kept in the run's record._";

/** How many characters may be given up to cut at the end of a line. */
const NEAR = 500;

/** `text`, or its beginning with a visible note if it is longer than `most` characters. Never splits a character. */
export function cutText(text: string, most: number): string {
  if (text.length <= most) return text;
  const last = text.charCodeAt(most - 1);
  const kept = text.slice(0, last >= 0xd800 && last <= 0xdbff ? most - 1 : most);
  const line = kept.lastIndexOf("\n");
  return `${line > 0 && line > kept.length - NEAR ? kept.slice(0, line) : kept}${NOTE}`;
}

const MAX = 160;

/** The beginning of a person's words as a quote of one line, safe to post. */
export function shortQuote(text: string): string {
  const line = text.replace(/\s+/g, " ").trim();
  return `> ${plain(line.length > MAX ? `${line.slice(0, MAX).replace(/[\ud800-\udbff]$/, "")}…` : line)}`;
}

/** Words of a model or a person as a quote of several lines, safe to post. */
export function quoted(text: string): string {
  return prose(text)
    .split("\n")
    .map((line) => `> ${line}`)
    .join("\n");
}
