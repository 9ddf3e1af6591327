const QUOTED = /`([^`\n]{2,80})`/g;
const IDENTIFIER = /[\p{L}_$][\p{L}\p{N}_$]{2,}/gu;
/** `snake_case`, `camelCase`, `_private`, `PascalCase` of two words: no word of a sentence. */
const LOOKS_LIKE_CODE = /_|\$|\p{Ll}\p{Lu}|\p{Lu}{2}\p{Ll}/u;

/** The identifiers that a text writes as code: those in backticks, and those that no sentence would hold. */
export function codeWords(text: string): ReadonlySet<string> {
  const quoted = [...text.matchAll(QUOTED)].flatMap(([, inner = ""]) => inner.match(IDENTIFIER) ?? []);
  const others = (text.match(IDENTIFIER) ?? []).filter((word) => LOOKS_LIKE_CODE.test(word));
  return new Set([...quoted, ...others]);
}
