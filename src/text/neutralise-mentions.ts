import { breakClosingKeywords } from "./break-closing-keywords.ts";
import { breakMentions } from "./break-mentions.ts";
import { markdownSegments } from "./markdown-segments.ts";

const MARKER = /<!--(?=\s*magis\b)/gi;
const MAX_PASSES = 4;

/**
 * Makes text of a model or an issue safe to be posted by the bot: `@name` pings nobody (a zero-width space after the
 * @), "fixes #5" closes nothing, HTML comments are gone, and the bot's own markers (`<!-- magis:…`) cannot be forged.
 * Code is left as it is where it is code for certain. Doing it twice changes nothing more.
 */
export function neutraliseMentions(text: string): string {
  let shown = text.replace(/\r\n?/g, "\n");
  let segments = markdownSegments(shown);
  // What stands around a comment may make a new one, or a mention, once the comment is gone.
  for (let pass = 0; pass < MAX_PASSES && segments.some(({ kind }) => kind === "comment"); pass += 1) {
    shown = segments.map((segment) => (segment.kind === "comment" ? "" : segment.text)).join("");
    segments = markdownSegments(shown);
  }
  return segments
    .map(({ kind, text: part }) =>
      kind === "code" ? part : breakClosingKeywords(breakMentions(part.replaceAll("<!--", "&lt;!--"))),
    )
    .join("")
    .replace(MARKER, "<\u200b!--");
}
