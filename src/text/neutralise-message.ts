import { breakClosingKeywords } from "./break-closing-keywords.ts";
import { breakMentions } from "./break-mentions.ts";
import { breakSkipWords } from "./break-skip-words.ts";
import { stripInvisible } from "./strip-invisible.ts";

const TRAILER = /^([ \t]*(?:co-authored-by|signed-off-by|reviewed-by|acked-by|skip-checks))[ \t]*:/gim;

/**
 * Makes text of a model safe as the body of a commit message, which is not Markdown: code does not shield a mention
 * there. It pings nobody, closes no issue, skips no check and names no other author.
 */
export function neutraliseMessage(text: string): string {
  return breakClosingKeywords(breakMentions(breakSkipWords(stripInvisible(text)))).replace(TRAILER, "$1 -");
}
