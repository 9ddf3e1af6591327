import { fc } from "../seeded.ts";

const SURROGATES = { first: 0xd800, count: 0x800 };

/**
 * Any character of Unicode, as the `unit` of a text: fast-check's "binary", which builds a table of all 1.1 million
 * characters and so costs seconds.
 */
export const anyCharacter: fc.Arbitrary<string> = fc.nat({ max: 0x10ffff - SURROGATES.count }).map(
  (at) => String.fromCodePoint(at < SURROGATES.first ? at : at + SURROGATES.count),
  (text) => {
    const point = typeof text === "string" ? text.codePointAt(0) : undefined;
    const isOne = point !== undefined && String.fromCodePoint(point) === text;
    const isHalf = isOne && point >= SURROGATES.first && point < SURROGATES.first + SURROGATES.count;
    if (!isOne || isHalf) throw new Error("This is no character.");
    return point < SURROGATES.first ? point : point - SURROGATES.count;
  },
);
