import { editDistance } from "../domain/command/edit-distance.ts";
import { codeSpan } from "../domain/report/code-span.ts";

const LONGEST = 60;

/** Says that `key` is none of `known`, and which of them may be meant: `reviewRounds` and `review_rounds` are near too. */
export function describeUnknownKey(key: string, known: readonly string[]): string {
  const short = key.slice(0, LONGEST);
  const word = short
    .replace(/([a-z])([A-Z])/g, "$1-$2")
    .replace(/[_\s]/g, "-")
    .toLowerCase();
  const distances = known.map((name) => ({ name, distance: editDistance(word, name) }));
  const nearest = distances.reduce((best, one) => (one.distance < best.distance ? one : best));
  const advice =
    nearest.distance <= Math.max(1, nearest.name.length / 2)
      ? `did you mean ${codeSpan(nearest.name)}?`
      : `the keys that can stand here are ${known.map(codeSpan).join(", ")}.`;
  return `${codeSpan(short)} is not a known key: ${advice}`;
}
