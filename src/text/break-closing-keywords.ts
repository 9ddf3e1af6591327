const CLOSING =
  /(?<![a-z])(close[sd]?|fix(?:e[sd])?|resolve[sd]?)(?=[\s:*_~[(<]{1,100}(?:(?:[\w.-]{1,100}\/[\w.-]{1,100})?(?:#|&#35;|&#x23;|&num;)|GH-|https?:\/\/))/gi;

/**
 * Breaks words such as "fixes" in front of the number or address of an issue with a zero-width space, so that GitHub
 * does not close that issue when the text is merged. The reference stays a link.
 */
export function breakClosingKeywords(text: string): string {
  return text.replace(CLOSING, (word) => `${word.slice(0, 1)}\u200b${word.slice(1)}`);
}
