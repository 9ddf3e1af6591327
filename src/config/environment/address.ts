import { fromText } from "./from-text.ts";

/**
 * A URL with one of `protocols` (`http:`, …), given back as it was written, without a slash at its end. A host is not
 * asked for: PostgreSQL's own addresses may name a socket instead, and `http:` without one is no URL.
 */
export function address(...protocols: readonly string[]) {
  const rule = `must be a whole address that begins with ${protocols.map((protocol) => `${protocol}//`).join(" or ")}.`;
  return fromText(rule, (text) => {
    const known = protocols.some((protocol) => text.startsWith(`${protocol}//`));
    return known && URL.canParse(text) ? text.replace(/\/+$/, "") : undefined;
  });
}
