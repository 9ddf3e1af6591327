const SEGMENT = /[A-Z]+(?![a-z])|[A-Z]?[a-z]+/g;
const UNICODE_SEGMENT = /\p{Lu}+(?![\p{Ll}\p{M}])|\p{Lu}?[\p{Ll}\p{M}]+|[\p{Lo}\p{Lm}]+/gu;
const ASCII = /^[\x20-\x7e]*$/;
const EDGES = /^[_$]+|[_$]+$/g;

/**
 * The terms one identifier stands for: itself in lower case, then its parts, split at camelCase, snake_case and digits.
 * `parseHTTPHeader2` gives parsehttpheader2, par, http, header. Parts of one letter and plain numbers are left out.
 * `stem` is applied to every term that is a plain word.
 */
export function splitIdentifier(identifier: string, stem: (word: string) => string): string[] {
  const name = identifier.replace(EDGES, "");
  const words: string[] = [];
  for (const segment of name.match(ASCII.test(name) ? SEGMENT : UNICODE_SEGMENT) ?? [])
    if (segment.length > 1) words.push(stem(segment.toLowerCase()));
  const whole = name.toLowerCase();
  if (whole.length < 2 || /^\d/.test(whole)) return words;
  const first = stem(whole);
  return words.length === 1 && words[0] === first ? words : [first, ...words.filter((word) => word !== first)];
}
