import { fromText } from "./from-text.ts";

/** One of a few words, in any case. */
export function oneOf<const T extends string>(...words: readonly [T, ...T[]]) {
  return fromText(`must be one of ${words.join(", ")}.`, (text) => words.find((word) => word === text.toLowerCase()));
}
