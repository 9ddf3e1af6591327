import { markdownSegments } from "./markdown.ts";
import { breakOrders, COMMAND, closingOrder, MENTION, MERGED_ORDERS, OVERRIDE, SKIP_WORD } from "./orders.ts";
import { stripInvisible } from "./visible-text.ts";

const MARKER = /<!--(?=\s*magis\b)/gi;

const MAX_PASSES = 4;

/**
 * Makes text of a model or an issue safe for the bot to post: `@name` pings nobody (a zero-width space after the @),
 * "fixes #5" closes nothing, HTML comments are dropped, and the bot's own markers (`<!-- magis:…`) cannot be forged.
 * Images and HTML are shown as source, since an image's address could leak code and a tag could hide what follows. So
 * are headings, unless `kept`: they could imitate the bot's own. Also breaks what other programs obey in a text, or in
 * the commit that a merge makes of it: words that skip checks, trailers, commands. In code, breaks only what merges and
 * bots read in the source. Idempotent.
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
  // Removing a comment may join its surroundings to another comment, or to a mention.
  for (let pass = 0; pass < MAX_PASSES && segments.some(({ kind }) => kind === "comment"); pass += 1) {
    shown = segments.map((segment) => (segment.kind === "comment" ? "" : segment.text)).join("");
    segments = markdownSegments(shown);
  }
  const safe = segments
    .map(({ kind, text: part }, at) => {
      if (kind === "code") return part;
      // A heading is a whole line: text before or after code in a line is not.
      const before = at > 0 && !segments[at - 1]?.text.endsWith("\n") ? BESIDE : "";
      const after = at < segments.length - 1 && !part.endsWith("\n") ? BESIDE : "";
      const markup = showMarkup(`${before}${part}${after}`, headings).slice(before.length);
      return breakOrders(markup.slice(0, markup.length - after.length), [MENTION]);
    })
    .join("");
  return breakOrders(safe, READ_IN_CODE_TOO).replace(MARKER, "<\u200b!--");
}

/** Merges and bots read the source and ignore that it is code. */
const READ_IN_CODE_TOO = [closingOrder(), ...MERGED_ORDERS, COMMAND];

/** Stands for the rest of the line beside a text. */
const BESIDE = ".";

const TAG = /<(?=[a-z/!?])/gi;

const IMAGE = /!(?=\[)/g;

/** A heading, perhaps behind marks of quotes and lists. */
const HEADING = /^((?:[ \t>]|[-*+][ \t]|\d{1,9}[.)][ \t])*)(#{1,6})(?=[ \t]|$)/gm;

const UNDERLINE = /^([ \t>]*)(=+|-+)(?=[ \t]*$)/gm;

function showMarkup(text: string, headings: "kept" | "shown"): string {
  const shown = text.replace(TAG, "&lt;").replace(IMAGE, "!\\");
  return headings === "kept" ? shown : showHeadings(shown);
}

/** Markdown with its headings as text: their marks are shown. */
export function showHeadings(text: string): string {
  return text.replace(HEADING, "$1\\$2").replace(UNDERLINE, "$1\\$2");
}

/** What git, GitHub or a release tool may read as a trailer: a word and a colon that begin a line. */
const TRAILER = /(\n[ \t]*(?:[a-z][a-z\d-]*|BREAKING[ -]CHANGES?))[ \t]*[:=](?!\/\/)/gi;

/**
 * Makes text of a model safe as a commit message or its body. That is not Markdown, so code does not shield a mention.
 * It pings nobody, closes no issue but `closes`, skips no check, commands no bot, and only its first line may look like
 * a trailer. Idempotent.
 */
export function neutraliseMessage(text: string, closes?: number): string {
  const words = breakSkipWords(stripInvisible(text)).replace(TRAILER, "$1 -");
  return breakOrders(words, [MENTION, closingOrder(closes), SKIP_WORD, OVERRIDE, COMMAND]);
}

/** The words of GitHub's `[skip ci]`, and of other services, with another word for "ci". */
const SKIP = /((?:skip|no)[\s_-]{1,80}[a-z]{1,30}|[a-z]{1,30}[\s_-]{1,80}skip)/i;

const NO_CI = /(?<!\*)\*{3,}(NO_CI)\**/gi;

const SKIP_CHECKS = /\b(skip-checks)[ \t]*[:=]/gi;

/** Takes all brackets off `[skip ci]` and its like: no text of a model may skip checks. */
export function breakSkipWords(text: string): string {
  // Between the words, which have the odd places, stands everything else.
  const parts = text.split(SKIP);
  for (let at = 1; at < parts.length; at += 2) {
    const [left = "", right = ""] = [parts[at - 1], parts[at + 1]];
    if (!left.trimEnd().endsWith("[") || !right.trimStart().startsWith("]")) continue;
    let begin = left.length;
    while (begin > 0 && /[\s[]/.test(left[begin - 1] ?? "")) begin -= 1;
    parts[at - 1] = left.slice(0, begin) + left.slice(begin).replaceAll("[", "");
    const [brackets = ""] = /^[\s\]]*/.exec(right) ?? [];
    parts[at + 1] = brackets.replaceAll("]", "") + right.slice(brackets.length);
  }
  return parts.join("").replace(NO_CI, "$1").replace(SKIP_CHECKS, "$1 -");
}
