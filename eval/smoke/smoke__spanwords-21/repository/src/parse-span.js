import { UNITS } from "./units.js";

/** The milliseconds that words such as "-1h 30m" stand for; throws a SyntaxError for anything else. */
export function parseSpan(text) {
  const [, sign, words] = /^\s*(-?)((?:\s*\d+[dhms])+)\s*$/.exec(text) ?? [];
  if (words === undefined) throw new SyntaxError(`not a span of time: ${text}`);
  let span = 0;
  for (const [, count, letter] of words.matchAll(/(\d+)([dhms])/g)) {
    span += Number(count) * UNITS.find((unit) => unit.letter === letter).length;
  }
  return sign === "-" ? -span : span;
}
