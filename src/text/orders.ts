/** What other programs obey. A zero-width space is put after its first group to break it. */
export type Order = RegExp;

const BREAK = "\u200b";

/** A text with these orders broken. */
export function breakOrders(text: string, orders: readonly Order[]): string {
  const parts: string[] = [];
  let from = 0;
  for (const at of [...new Set(placesOf(text, orders))].sort((one, other) => one - other)) {
    parts.push(text.slice(from, at), BREAK);
    from = at;
  }
  return parts.join("") + text.slice(from);
}

/** The places after the first group of each order. `matchAll` copies a pattern, and may have to compile the copy. */
const placesOf = (text: string, orders: readonly Order[]): readonly number[] =>
  orders
    .filter((order) => text.search(order) >= 0)
    .flatMap((order) =>
      Array.from(text.matchAll(order), ({ index, 1: first, 2: second }) => index + (first ?? second ?? "").length),
    );

const GAP = "[\\s_-]{1,80}";

/** GitHub's `[skip ci]`, and that of other services, with another word for "ci". A page shows an entity as its bracket. */
export const SKIP_WORD: Order = new RegExp(
  [
    `(\\[|&#91;)(?=\\s*(?:(?:skip|no)${GAP}[a-z]{1,30}|[a-z]{1,30}${GAP}skip)\\s*(?:\\]|&#93;))`,
    "(\\*{2})(?=\\*NO_CI\\b)",
  ].join("|"),
  "gi",
);

/** A git trailer, or a footer for release tools, in a commit made from a pull request's body. */
const FOOTER: Order = /^([ \t]*(?:[a-z]+(?:-[a-z]+)+|BREAKING[ -]CHANGES?))(?=[ \t]*:)/gim;

export const OVERRIDE: Order = /(BEGIN|END)(?=_(?:COMMIT_OVERRIDE|NESTED_COMMIT))/g;

/** What a merge takes over from a pull request into a commit. */
export const MERGED_ORDERS: readonly Order[] = [SKIP_WORD, FOOTER, OVERRIDE];

/** What JavaScript regards as the end of a line. */
const ENDS = "\\r\\n\\u2028\\u2029";

/** A word after a slash that is no path: no slash or dot continues it. */
const COMMAND_WORD = "[a-z][\\w:-]{0,60}(?![\\w:/\\\\-]|\\.\\w)";

/**
 * A command to some bot. Prow and the like read every line and want the slash at its beginning; actions that dispatch
 * commands read the first line, trimmed. None reads a slash within a line.
 */
export const COMMAND: Order = new RegExp(`^([^\\S${ENDS}]*/)(?=${COMMAND_WORD})`, "gim");

/** Like `COMMAND`, for whole texts: only the first line may be trimmed, and `/magis` is our own. */
export const OTHERS_COMMAND: Order = new RegExp(
  `((?:^|(?<=[${ENDS}]))/|(?<![^])\\s+/)(?!magis\\b)(?=${COMMAND_WORD})`,
  "gi",
);

/** A mention; a login begins with a letter or a digit. */
export const MENTION: Order = /(?<![a-z0-9])(@)(?![\s\u200b]|$)/gi;

const KEYWORDS = "close[sd]?|fix(?:e[sd])?|resolve[sd]?";

/** A word that closes an issue, whatever comes after it. */
export const CLOSING_WORD = new RegExp(`(?<![a-z])(?:${KEYWORDS})(?![a-z\\d])`, "i");

/** Everything but letters and digits, and the bot's own tags: whatever a page may make of it, it shows no word. */
const BETWEEN = "(?:</?(?:sub|code|details|summary)>|<!--[^>]{0,200}-->|[^a-z\\d]){1,100}";

/**
 * Whatever the next word is, but for code: a page may show no more of a link than its words, so "[a](…)o/r#5" reads
 * "ao/r#5". A number behind "&#" is a character's.
 */
const REFERENCE = "[^\\s\ue001]{0,200}?(?:(?<!&)#\\d|&#35;|GH-\\d|https?://)";

/** The first letter of a word such as "fixes" before the number or address of an issue. */
const closing = (own: string): Order =>
  new RegExp(`(?<![a-z])(?=(?:${KEYWORDS})(?![a-z\\d])${own}${BETWEEN}${REFERENCE})([a-z])`, "gi");

const CLOSING: Order = closing("");

/** Closing words, except for issue `closes`, which the text may close. */
export const closingOrder = (closes?: number): Order =>
  closes === undefined ? CLOSING : closing(`(?!:? #${closes}(?!\\w))`);
