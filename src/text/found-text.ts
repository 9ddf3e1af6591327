/** A file's text; or why what stands in its place has none, as the end of "It …". */
export type FoundText = string | { unreadable: string };

/** Reads a file's bytes as UTF-8. */
export function readUtf8(bytes: Uint8Array): FoundText {
  const unreadable = "is not encoded in UTF-8";
  if (bytes.includes(0)) return { unreadable };
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    return { unreadable };
  }
}

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
