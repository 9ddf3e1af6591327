import { markdownSegments } from "./markdown.ts";
import { breakOrders, COMMAND, closingOrder, MENTION, MERGED_ORDERS, OVERRIDE, SKIP_WORD } from "./orders.ts";
import { stripInvisible } from "./visible-text.ts";

const MARKER = /<!--(?=\s*magis\b)/gi;

const MAX_PASSES = 4;

/**
 * Makes text of a model or an issue safe to be posted by the bot: `@name` pings nobody (a zero-width space after the
 * @), "fixes #5" closes nothing, HTML comments are gone, and the bot's own markers (`<!-- magis:…`) cannot be forged.
 * Images and HTML are shown as they are written, since an image's address could carry code away and a tag could hide what
 * follows; so are headings, unless they are `kept`: they could imitate the bot's own. What other programs obey in a text,
 * or in the commit that a merge makes of it, is broken too: words that skip checks, trailers, commands. Of code only
 * what such a commit would obey is. Doing it twice changes nothing more.
 */
export function neutraliseMentions(text: string, headings: "kept" | "shown" = "shown"): string {
  let safe = neutraliseOnce(text, headings);
  for (let pass = 0; pass < MAX_PASSES; pass += 1) {
    const again = neutraliseOnce(safe, headings);
    if (again === safe) break;
    safe = again;
  }
  return safe;
}

function neutraliseOnce(text: string, headings: "kept" | "shown"): string {
  let shown = text.replace(/\r\n?/g, "\n");
  let segments = markdownSegments(shown);
  // What stands around a comment may make a new one, or a mention, once the comment is gone.
  for (let pass = 0; pass < MAX_PASSES && segments.some(({ kind }) => kind === "comment"); pass += 1) {
    shown = segments.map((segment) => (segment.kind === "comment" ? "" : segment.text)).join("");
    segments = markdownSegments(shown);
  }
  const safe = segments
    .map(({ kind, text: part }, at) => {
      if (kind === "code") return part;
      // Headings take whole lines: what stands before and behind code does not.
      const before = at > 0 && !segments[at - 1]?.text.endsWith("\n") ? BESIDE : "";
      const after = at < segments.length - 1 && !part.endsWith("\n") ? BESIDE : "";
      const markup = showMarkup(`${before}${part}${after}`, headings).slice(before.length);
      return breakOrders(markup.slice(0, markup.length - after.length), [MENTION]);
    })
    .join("");
  return breakOrders(safe, READ_IN_CODE_TOO).replace(MARKER, "<\u200b!--");
}

/** Merges and bots read the source, and know of no code. */
const READ_IN_CODE_TOO = [closingOrder(), ...MERGED_ORDERS, COMMAND];

/** Stands for what is beside a text in its line. */
const BESIDE = ".";

const TAG = /<(?=[a-z/!?])/gi;

const IMAGE = /!(?=\[)/g;

/** What a heading may stand behind: marks of quotes and lists. */
const HEADING = /^((?:[ \t>]|[-*+][ \t]|\d{1,9}[.)][ \t])*)(#{1,6})(?=[ \t]|$)/gm;

const UNDERLINE = /^([ \t>]*)(=+|-+)(?=[ \t]*$)/gm;

function showMarkup(text: string, headings: "kept" | "shown"): string {
  const shown = text.replace(TAG, "&lt;").replace(IMAGE, "!\\");
  return headings === "kept" ? shown : showHeadings(shown);
}

/** Markdown without headings: their marks are shown. */
export function showHeadings(text: string): string {
  return text.replace(HEADING, "$1\\$2").replace(UNDERLINE, "$1\\$2");
}

/** What git, GitHub or a release tool may read as a trailer: a word and a colon at the beginning of a line. */
const TRAILER = /(\n[ \t]*(?:[a-z][a-z\d-]*|BREAKING[ -]CHANGES?))[ \t]*[:=](?!\/\/)/gi;

/**
 * Makes text of a model safe as a commit message, or as the body of one, which is not Markdown: code does not shield a
 * mention there. It pings nobody, closes no issue but `closes`, skips no check, commands no bot, and no line but the
 * first reads as a trailer. Doing it twice changes nothing more.
 */
export function neutraliseMessage(text: string, closes?: number): string {
  const words = breakSkipWords(stripInvisible(text)).replace(TRAILER, "$1 -");
  return breakOrders(words, [MENTION, closingOrder(closes), SKIP_WORD, OVERRIDE, COMMAND]);
}

/** GitHub's, and those of other services, which have a word of their own in the place of "ci". */
const SKIP = /\[+(\s*(?:(?:skip|no)[\s_-]{1,80}[a-z]{1,30}|[a-z]{1,30}[\s_-]{1,80}skip)\s*)\]+|\*{3,}(NO_CI)\**/gi;

const SKIP_CHECKS = /\b(skip-checks)[ \t]*[:=]/gi;

/**
 * Takes the brackets off `[skip ci]` and its like, until none is left: no text of a model may keep checks from running.
 */
export function breakSkipWords(text: string): string {
  let safe = text;
  for (;;) {
    const less = safe.replace(SKIP, "$1$2").replace(SKIP_CHECKS, "$1 -");
    if (less === safe) return safe;
    safe = less;
  }
}
