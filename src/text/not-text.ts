/** The marks with which UTF-16 begins, and UTF-32 in one of its orders. */
const WIDE: readonly (readonly [number, number])[] = [
  [0xff, 0xfe],
  [0xfe, 0xff],
];

/** Why bytes are not read as text, as the end of a sentence without its full stop; undefined if they are. */
export function whyNotText(bytes: Uint8Array): string | undefined {
  if (WIDE.some(([first, second]) => bytes[0] === first && bytes[1] === second))
    return "text in UTF-16, which is not edited: it can be once it is saved in UTF-8";
  return bytes.includes(0) ? "it holds a zero byte" : undefined;
}
