/** One pattern for several: none of them is longer than a line. */
export const either = (flags: string, ...patterns: readonly RegExp[]): RegExp =>
  new RegExp(patterns.map(({ source }) => source).join("|"), flags);

/** Patterns one behind the other, as one. */
export const inRow = (...patterns: readonly RegExp[]): RegExp =>
  new RegExp(patterns.map(({ source }) => source).join(""));

/**
 * Joins patterns with the same flags, so that a line that fits none is matched once and not by each. They have no
 * groups with names and no references to groups.
 */
export function anyOf(patterns: readonly RegExp[]): readonly RegExp[] {
  return [...new Set(patterns.map(({ flags }) => flags))].map((flags) => {
    const sources = patterns.filter((one) => one.flags === flags).map(({ source }) => source);
    return new RegExp(sources.join("|"), flags);
  });
}
