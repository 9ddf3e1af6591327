import { type DefaultTreeAdapterTypes, parseFragment } from "parse5";
import { markdownSegments } from "./markdown.ts";
import { neutraliseMessage } from "./neutralise.ts";
import {
  breakOrders,
  closingOrder,
  hasOrder,
  MENTION,
  MERGED_ORDERS,
  type Order,
  OTHERS_COMMAND,
  partOfOrder,
  SKIP_WORD,
} from "./orders.ts";
import { markdownToHtml } from "./parse-markdown.ts";

/** What the bot itself wants to say with a text that is posted. */
export interface OwnWords {
  /** the number of the one issue that it may close */
  readonly closes?: number;
  /** a merge makes a commit of it: what a commit obeys counts in code too */
  readonly merged?: boolean;
  /** what stands there before it is edited: its lines stay as people have made them */
  readonly before?: string;
}

/**
 * The last door of Markdown before it is posted: whatever was put together, it mentions nobody, closes no issue but
 * `closes`, and commands no other bot. What the bot composed passes to the letter, with its marks, tags and code: a text
 * is changed only where GitHub's page, or a bot that reads the source, would obey something in it. Doing it twice
 * changes nothing more.
 */
export function postedMarkdown(text: string, { closes, merged = false, before = "" }: OwnWords = {}): string {
  const shown = [MENTION, closingOrder(closes), SKIP_WORD];
  const read = merged ? [closingOrder(closes), ...MERGED_ORDERS, OTHERS_COMMAND] : [OTHERS_COMMAND];
  const outside = breakOutsideCode(breakOrders(text, read), shown);
  // A parser that is less careful about code than the page would leave an order in what it takes for code.
  const everywhere = isObeyed(outside, shown, false) ? breakOrders(outside, shown) : outside;
  const safe = isObeyed(everywhere, shown, false) ? breakOrders(everywhere, [partOfOrder(closes)]) : everywhere;
  return before === "" ? safe : withLinesOf(before, text, safe);
}

/** Code that is not code for certain stays whole as long as the page obeys nothing: it may be a patch. */
function breakOutsideCode(text: string, orders: readonly Order[]): string {
  if (!isObeyed(text, orders)) return text;
  return markdownSegments(text)
    .map(({ kind, text: part }) => (kind === "text" ? breakOrders(part, orders) : part))
    .join("");
}

/** Whether GitHub's page of a text shows one of these orders outside of code; `unknown` for a text too long to tell. */
function isObeyed(text: string, orders: readonly Order[], unknown = true): boolean {
  if (!hasOrder(text, orders) && !/[&\\<[]/.test(text)) return false;
  // Whether an address goes on over a no-break space, parsers tell differently.
  const readings = new Set([text, text.replaceAll("\u00a0", " ")]);
  return [...readings].some((reading) => {
    const { html, cut } = markdownToHtml(reading);
    return cut ? unknown : hasOrder(textOutsideCode(parseFragment(html).childNodes), orders);
  });
}

function textOutsideCode(nodes: readonly DefaultTreeAdapterTypes.ChildNode[]): string {
  return nodes
    .map((node) => {
      if ("value" in node) return node.value;
      if (!("childNodes" in node)) return "";
      return node.nodeName === "code" ? CODE : textOutsideCode(node.childNodes);
    })
    .join("");
}

/** Stands for code, which nothing is read across. */
const CODE = " \u0001 ";

/** Orders are broken within lines, so that each line of `safe` is that of `text` with the same number. */
function withLinesOf(before: string, text: string, safe: string): string {
  const known = new Set(before.split(/\r?\n/));
  const wanted = text.split(/\r?\n/);
  return safe
    .split("\n")
    .map((line, at) => (known.has(wanted[at] ?? "") ? wanted[at] : line))
    .join("\n");
}

/** The same for a title, or another text of one line that is no Markdown and that a merge may take. */
export function postedLine(text: string): string {
  return breakOrders(text.replace(/\s+/g, " ").trim(), [MENTION, closingOrder(), ...MERGED_ORDERS, OTHERS_COMMAND]);
}

/** Who makes a commit, and may sign it off. */
export interface Signer {
  readonly name: string;
  readonly email: string;
}

/**
 * The same for a commit's message: it closes no issue but `closes`, and its only trailer is the sign-off of `signer`, in
 * the end.
 */
export function postedMessage(
  text: string,
  { closes, signer }: Pick<OwnWords, "closes"> & { signer?: Signer } = {},
): string {
  const signOff = signer === undefined ? undefined : `\n\nSigned-off-by: ${signer.name} <${signer.email}>\n`;
  if (signOff === undefined || !text.endsWith(signOff)) return neutraliseMessage(text, closes);
  return neutraliseMessage(text.slice(0, -signOff.length), closes) + signOff;
}
