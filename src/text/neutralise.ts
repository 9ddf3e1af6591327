import { markdownSegments } from "./markdown.ts";
import { stripInvisible } from "./visible-text.ts";

const MARKER = /<!--(?=\s*magis\b)/gi;

const MAX_PASSES = 4;

/**
 * Makes text of a model or an issue safe to be posted by the bot: `@name` pings nobody (a zero-width space after the
 * @), "fixes #5" closes nothing, HTML comments are gone, and the bot's own markers (`<!-- magis:…`) cannot be forged.
 * Images and HTML are shown as they are written, since an image's address could carry code away and a tag could hide what
 * follows; so are headings, unless they are `kept`: they could imitate the bot's own. Code is left as it is where it is
 * code for certain. Doing it twice changes nothing more.
 */
export function neutraliseMentions(text: string, headings: "kept" | "shown" = "shown"): string {
  let shown = text.replace(/\r\n?/g, "\n");
  let segments = markdownSegments(shown);
  // What stands around a comment may make a new one, or a mention, once the comment is gone.
  for (let pass = 0; pass < MAX_PASSES && segments.some(({ kind }) => kind === "comment"); pass += 1) {
    shown = segments.map((segment) => (segment.kind === "comment" ? "" : segment.text)).join("");
    segments = markdownSegments(shown);
  }
  return segments
    .map(({ kind, text: part }, at) => {
      if (kind === "code") return part;
      // Headings take whole lines: what stands before and behind code does not.
      const before = at > 0 && !segments[at - 1]?.text.endsWith("\n") ? BESIDE : "";
      const after = at < segments.length - 1 && !part.endsWith("\n") ? BESIDE : "";
      const markup = showMarkup(`${before}${part}${after}`, headings).slice(before.length);
      return breakClosingKeywords(breakMentions(markup.slice(0, markup.length - after.length)));
    })
    .join("")
    .replace(MARKER, "<\u200b!--");
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

const TRAILER = /^([ \t]*(?:co-authored-by|signed-off-by|reviewed-by|acked-by|skip-checks))[ \t]*:/gim;

/**
 * Makes text of a model safe as the body of a commit message, which is not Markdown: code does not shield a mention
 * there. It pings nobody, closes no issue, skips no check and names no other author.
 */
export function neutraliseMessage(text: string): string {
  return breakClosingKeywords(breakMentions(breakSkipWords(stripInvisible(text)))).replace(TRAILER, "$1 -");
}

const CLOSING =
  /(?<![a-z])(close[sd]?|fix(?:e[sd])?|resolve[sd]?)(?=(?:[\s:*_~[(<\\]|&#?\w{1,20};){1,100}(?:(?:[\w.-]{1,100}\\?\/[\w.-]{1,100}\\?)?(?:#|&#35;|&#x23;|&num;)|GH-|https?:\/\/))/gi;

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
const SKIP = /\[(\s*(?:(?:skip|no)[\s-]{1,80}[a-z]{1,30}|[a-z]{1,30}[\s-]{1,80}skip)\s*)\]|\*{3}(NO_CI)\*{3}/gi;

/** Takes the brackets off `[skip ci]` and its like: no text of a model may keep checks from running. */
export function breakSkipWords(text: string): string {
  return text.replace(SKIP, "$1$2");
}
