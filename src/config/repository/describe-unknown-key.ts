import { distance as editDistance } from "fastest-levenshtein";
import { codeSpan } from "../../text/code-span.ts";

const MAX_LENGTH = 60;

/** Says that `key` is none of `known`, and which of them may be meant: `reviewRounds` and `review_rounds` are near too. */
export function describeUnknownKey(key: string, known: readonly string[]): string {
  const short = key.slice(0, MAX_LENGTH);
  const word = short
    .replace(/([a-z])([A-Z])/g, "$1-$2")
    .replace(/[_\s]/g, "-")
    .toLowerCase();
  const near = known
    .filter((name) => Math.abs(name.length - word.length) <= reach(name))
    .map((name) => ({ name, distance: editDistance(word, name) }))
    .filter(({ name, distance }) => distance <= reach(name))
    .sort((a, b) => a.distance - b.distance);
  const advice = near[0]
    ? `did you mean ${codeSpan(near[0].name)}?`
    : `the keys that can stand here are ${known.map(codeSpan).join(", ")}.`;
  return `${codeSpan(short)} is not a known key: ${advice}`;
}

/** Letters that may be wrong in a name. */
function reach(name: string): number {
  return Math.max(1, name.length / 2);
}
