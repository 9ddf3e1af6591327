import { breakOrders, COMMAND, closingOrder, MENTION, OVERRIDE, SKIP_WORD } from "./orders.ts";
import { stripMisleading } from "./visible-text.ts";

/** What git, GitHub or a release tool may read as a trailer: a word and a colon that begin a line. */
const TRAILER = /(\n[ \t]*(?:[a-z][a-z\d-]*|BREAKING[ -]CHANGES?))[ \t]*[:=](?!\/\/)/gi;

/**
 * Makes text of a model safe as a commit message or its body. That is not Markdown, so code does not shield a mention.
 * It pings nobody, closes no issue but `closes`, skips no check, commands no bot, and only its first line may look like
 * a trailer. Idempotent.
 */
export function neutraliseMessage(text: string, closes?: number): string {
  const words = breakSkipWords(stripMisleading(text)).replace(TRAILER, "$1 -");
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
