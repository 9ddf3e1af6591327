/** A file's text; or why what stands in its place has none, as the end of "It …". */
export type FoundText = string | { readonly unreadable: string };

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
