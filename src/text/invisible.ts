/** Ranges of code points that show nothing, or change the order of what is shown. */
const RANGES = [
  "\\p{Default_Ignorable_Code_Point}", // soft hyphen, joiners, fillers, zero width, variation selectors, tags
  "\\u0000-\\u0008\\u000b-\\u001f\\u007f-\\u009f", // controls but tab and newline
  "\\u200b-\\u200f\\u2028-\\u202e\\u2060-\\u206f\\ufeff\\ufff0-\\ufffb", // bidirectional, annotations
  "\\u2800\\u{1bca0}-\\u{1bca3}\\u{1d173}-\\u{1d17a}\\u{e0000}-\\u{e0fff}", // empty Braille, notes, tags
];

const INVISIBLE = new RegExp(`[${RANGES.join("")}]`, "gu");

/**
 * Takes out characters that nobody sees: controls, zero-width and bidirectional ones, soft hyphens, fillers, variation
 * selectors and tag characters. Line separators and \r become newlines, half characters U+FFFD.
 */
export function stripInvisible(text: string): string {
  return text
    .replace(/\r\n?|[\u2028\u2029\u0085]/g, "\n")
    .replace(INVISIBLE, "")
    .replace(/[\ud800-\udfff]/gu, "\ufffd");
}
