const TERMINATED = /[^\n]*\n|[^\n]+/g;
const TERMINATED_BY_RETURN = /[^\r]*\r|[^\r]+/g;

/**
 * Splits a text into lines, each with its terminator: at \n and \r\n, and at a lone \r only when the text has no \n
 * at all (a file of an old Mac; elsewhere a lone \r is part of its line, as git sees it). Joining gives the text.
 */
export function splitLines(text: string): string[] {
  return text.match(text.includes("\n") ? TERMINATED : TERMINATED_BY_RETURN) ?? [];
}
