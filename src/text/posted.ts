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

/** What the bot itself may say in a posted text. */
export interface OwnWords {
  /** the number of the one issue that it may close */
  readonly closes?: number;
  /** a merge makes a commit of it: what programs obey in a commit is broken in code too */
  readonly merged?: boolean;
  /** the text before the edit: its lines stay as people wrote them */
  readonly before?: string;
}

/**
 * The last check of Markdown before it is posted: it mentions nobody, closes no issue but `closes`, and commands no
 * other bot, however it was put together. The bot's own marks, tags and code pass unchanged: a text changes only where
 * GitHub's page, or a bot that reads the source, would obey something in it. Idempotent.
 */
export function postedMarkdown(text: string, { closes, merged = false, before = "" }: OwnWords = {}): string {
  const shown = [MENTION, closingOrder(closes), SKIP_WORD];
  const read = merged ? [closingOrder(closes), ...MERGED_ORDERS, OTHERS_COMMAND] : [OTHERS_COMMAND];
  const given = breakOrders(text, read);
  const safe = isObeyed(given, shown) ? breakShown(given, shown, partOfOrder(closes)) : given;
  return before === "" ? safe : withLinesOf(before, text, safe);
}

/** Breaks what the page obeys: outside of code; if that is not enough, everywhere; and then each `part` of an order. */
function breakShown(text: string, shown: readonly Order[], part: Order): string {
  const outside = breakOutsideCode(text, shown);
  // If our parser took for code what the page does not, an order is left there: break those in code too.
  const everywhere = isObeyed(outside, shown, false) ? breakOrders(outside, shown) : outside;
  return isObeyed(everywhere, shown, false) ? breakOrders(everywhere, [part]) : everywhere;
}

/** Leaves doubtful code whole as long as the page obeys nothing in it: it may be a patch. */
function breakOutsideCode(text: string, orders: readonly Order[]): string {
  return markdownSegments(text)
    .map(({ kind, text: part }) => (kind === "text" ? breakOrders(part, orders) : part))
    .join("");
}

/**
 * Whether GitHub's page of a text shows one of these orders outside of code; `unknown` if the text is too long to tell.
 */
function isObeyed(text: string, orders: readonly Order[], unknown = true): boolean {
  if (!hasOrder(text, orders) && !/[&\\<[]/.test(text)) return false;
  // Parsers disagree on whether a no-break space ends an address.
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

/** Stands for code: no order spans it. */
const CODE = " \u0001 ";

/** Orders are broken within lines, so lines of `safe` and `text` correspond by number. */
function withLinesOf(before: string, text: string, safe: string): string {
  const known = new Set(before.split(/\r?\n/));
  const wanted = text.split(/\r?\n/);
  return safe
    .split("\n")
    .map((line, at) => (known.has(wanted[at] ?? "") ? wanted[at] : line))
    .join("\n");
}

/** Like `postedMarkdown`, for a title or another plain line that a merge may take over. */
export function postedLine(text: string): string {
  return breakOrders(text.replace(/\s+/g, " ").trim(), [MENTION, closingOrder(), ...MERGED_ORDERS, OTHERS_COMMAND]);
}

/** Who makes a commit, and may sign it off. */
export interface Signer {
  readonly name: string;
  readonly email: string;
}

/**
 * Like `postedMarkdown`, for a commit's message: it closes no issue but `closes`, and its only trailers are those at the
 * end by which `signer` signs off or is named as an author, and the one that says AI made it.
 */
export function postedMessage(
  text: string,
  { closes, signer }: Pick<OwnWords, "closes"> & { signer?: Signer } = {},
): string {
  const at = text.lastIndexOf("\n\n");
  const trailers = at < 0 ? "" : text.slice(at);
  const own = signer && ["Co-authored-by", "Signed-off-by"].map((name) => `${name}: ${signer.name} <${signer.email}>`);
  const isOwn = (line: string) => MADE_BY.test(line) || own?.includes(line);
  if (!trailers.endsWith("\n") || !trailers.trim().split("\n").every(isOwn)) return neutraliseMessage(text, closes);
  return neutraliseMessage(text.slice(0, at), closes) + trailers;
}

/** The program and the model's name. */
const MADE_BY = /^(?:Assisted|Generated)-by: MAGIS(?::[\w.@/-]{1,200})?$/;
