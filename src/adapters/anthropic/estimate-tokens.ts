const ZERO = 48;
const NINE = 57;
const LAST_ASCII = 127;

/**
 * More tokens than `text` has, without asking the provider. 2.5 characters a token is a fair upper bound for code and
 * English; digits are often a token each, and what is not ASCII up to two a UTF-16 unit (emoji, rare scripts).
 */
export function estimateTokens(text: string): number {
  let tokens = 0;
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (code > LAST_ASCII) tokens += 2;
    else if (code >= ZERO && code <= NINE) tokens += 1;
    else tokens += 0.4;
  }
  return Math.ceil(tokens);
}
