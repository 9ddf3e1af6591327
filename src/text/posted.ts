import { neutraliseMessage } from "./neutralise.ts";
import { breakOrders, closingOrder, MENTION, MERGED_ORDERS, OTHERS_COMMAND, SKIP_WORD } from "./orders.ts";
import { LINE_END, stripMisleading } from "./visible-text.ts";
import { ownWords, wordsAndCode } from "./words-and-code.ts";

/** What the bot itself may say in a posted text. */
export interface OwnWords {
  /** the number of the one issue that it may close */
  closes?: number;
  /** a merge makes a commit of it: what programs obey in a commit is broken in code too */
  merged?: boolean;
  /** the text before the edit: its lines stay as people wrote them */
  before?: string;
}

/**
 * The last check of Markdown before it is posted: it mentions nobody, closes no issue but `closes`, and commands no
 * other bot, however it was put together. The bot's own marks, tags and code pass unchanged; all else is text. No
 * Markdown is parsed: where readers of it could disagree, it is broken. Idempotent.
 */
export function postedMarkdown(text: string, { closes, merged = false, before = "" }: OwnWords = {}): string {
  const { words, join } = wordsAndCode(text);
  const closing = closingOrder(closes);
  const shown = join(breakOrders(ownWords(words), [closing, SKIP_WORD]));
  const safe = breakOrders(merged ? breakOrders(shown, [closing, ...MERGED_ORDERS]) : shown, [OTHERS_COMMAND]);
  return before === "" ? safe : withLinesOf(before, text, safe);
}

/** Orders are broken within lines, so lines of `safe` and `text` correspond by number. */
function withLinesOf(before: string, text: string, safe: string): string {
  const known = new Set(before.split(LINE_END));
  const wanted = text.split(LINE_END);
  return safe
    .split("\n")
    .map((line, at) => (known.has(wanted[at] ?? "") ? wanted[at] : line))
    .join("\n");
}

/** Like `postedMarkdown`, for a title or another plain line that a merge may take over. */
export function postedLine(text: string): string {
  const line = stripMisleading(text).replace(/\s+/g, " ").trim();
  return breakOrders(line, [MENTION, closingOrder(), ...MERGED_ORDERS, OTHERS_COMMAND]);
}

/** Who makes a commit, and may sign it off. */
export interface Signer {
  name: string;
  email: string;
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
