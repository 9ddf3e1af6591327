import { markdownSegments } from "./markdown.ts";
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
      const markup = showMarkup(`${before}${decodeWords(part)}${after}`, headings).slice(before.length);
      return breakMentions(markup.slice(0, markup.length - after.length));
    })
    .join("");
  return breakOrders(breakClosingKeywords(safe)).replace(MARKER, "<\u200b!--");
}

const ENTITY = /&#(?:0{0,5}(\d{2,3})|x0{0,4}([0-9a-f]{2}));/gi;

/** Letters and digits that are written as entities, which GitHub reads before it looks for words. */
function decodeWords(text: string): string {
  return text.replace(ENTITY, (entity, decimal?: string, hex = "") => {
    const char = String.fromCharCode(decimal === undefined ? Number.parseInt(hex, 16) : Number(decimal));
    return /^[a-z\d]$/i.test(char) ? char : entity;
  });
}

const SKIP_TOKEN =
  /\[(?=\s*(?:(?:skip|no)[\s_-]{1,80}[a-z]{1,30}|[a-z]{1,30}[\s_-]{1,80}skip)\s*\])|\*{2}(?=\*NO_CI\b)/gi;

const FOOTER = /^([ \t]*(?:[a-z]+(?:-[a-z]+)+|BREAKING[ -]CHANGES?))(?=[ \t]*:)/gim;

const OVERRIDE = /(BEGIN|END)(?=_(?:COMMIT_OVERRIDE|NESTED_COMMIT))/g;

/** A line that is a command to some bot: a word behind a slash, which is no path. */
const COMMAND = /^([ \t]*\/)(?=[a-z])(?!(?:etc|usr|var|tmp|home|bin|opt|dev|proc)\b)/gim;

/** Breaks what other programs obey: a zero-width space stands in words that skip checks, trailers and commands. */
function breakOrders(text: string): string {
  return text
    .replace(SKIP_TOKEN, "$&\u200b")
    .replace(FOOTER, "$1\u200b")
    .replace(OVERRIDE, "$1\u200b")
    .replace(COMMAND, "$1\u200b");
}

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
 * mention there. It pings nobody, closes no issue, skips no check, and no line but the first reads as a trailer.
 */
export function neutraliseMessage(text: string): string {
  const words = breakSkipWords(stripInvisible(decodeWords(text)));
  return breakClosingKeywords(breakMentions(words)).replace(TRAILER, "$1 -").replace(OVERRIDE, "$1\u200b");
}

/** A word, also one whose letters marks of emphasis part. */
const parted = (word: string) => [...word].join("[*_~]{0,3}");

const KEYWORDS = ["close", "closed", "closes", "fix", "fixed", "fixes", "resolve", "resolved", "resolves"]
  .reverse()
  .map(parted)
  .join("|");

const BETWEEN = "(?:[\\s:*_~[(<\\\\]|&#?\\w{1,20};){1,100}";

const NUMBER = "(?:[\\w.-]{1,100}\\\\?\\/[\\w.-]{1,100}\\\\?)?(?:#|&#0*35;|&#x0*23;|&num;)";

const LINKED = "[^\\]\\n]{0,200}\\]\\(\\s{0,9}<?https?:";

const CLOSING = new RegExp(`(?<![a-z])(${KEYWORDS})(?=${BETWEEN}(?:${NUMBER}|GH-|https?:\\/\\/|${LINKED}))`, "gi");

/**
 * Breaks words such as "fixes" in front of the number or address of an issue with a zero-width space, so that GitHub
 * does not close that issue when the text is merged. The reference stays a link.
 */
function breakClosingKeywords(text: string): string {
  return text.replace(CLOSING, (word) => `${word.slice(0, 1)}\u200b${word.slice(1)}`);
}

const MENTION = /(?<![a-z0-9])(?:@|&#0*64;|&#x0*40;|&commat;)(?![\s\u200b]|$)/gi;

/** Puts a zero-width space after each @ that could begin a mention, written out or as an entity: it pings nobody. */
function breakMentions(text: string): string {
  return text.replace(MENTION, "@\u200b");
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
