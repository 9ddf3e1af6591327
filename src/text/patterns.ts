/** Words that are listed with blanks between them, each a pattern itself: any of them, with what stands around it. */
export function listed(before: string, list: string, after: string, flags = ""): RegExp {
  return new RegExp(`${before}(?:${list.trim().split(/\s+/).join("|")})${after}`, flags);
}

/** One pattern for several: none of them is longer than a line. */
export const either = (flags: string, ...patterns: readonly RegExp[]): RegExp =>
  new RegExp(patterns.map(({ source }) => source).join("|"), flags);

/** Patterns one behind the other, as one. */
export const inRow = (...patterns: readonly RegExp[]): RegExp =>
  new RegExp(patterns.map(({ source }) => source).join(""));

/** Matches where any of `patterns` does. */
export const anyOf = (...patterns: readonly RegExp[]): RegExp => either("", ...patterns);

/**
 * Joins patterns with the same flags, so that a line that fits none is matched once and not by each. They have no
 * groups with names and no references to groups.
 */
export function joinAlike(patterns: readonly RegExp[]): readonly RegExp[] {
  return [...new Set(patterns.map(({ flags }) => flags))].map((flags) => {
    const sources = patterns.filter((one) => one.flags === flags).map(({ source }) => source);
    return new RegExp(sources.join("|"), flags);
  });
}
