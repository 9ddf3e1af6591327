const SHORT = new Map([
  [0x07, "\\a"],
  [0x08, "\\b"],
  [0x09, "\\t"],
  [0x0a, "\\n"],
  [0x0b, "\\v"],
  [0x0c, "\\f"],
  [0x0d, "\\r"],
  [0x22, '\\"'],
  [0x5c, "\\\\"],
]);

/** A path as git writes it in a patch: as it is, or C-quoted with octal bytes when it holds anything but plain ASCII. */
export function quotePath(path: string): string {
  let quoted = "";
  for (const byte of new TextEncoder().encode(path)) {
    const plain = byte >= 0x20 && byte < 0x7f ? String.fromCharCode(byte) : `\\${byte.toString(8).padStart(3, "0")}`;
    quoted += SHORT.get(byte) ?? plain;
  }
  return quoted === path ? path : `"${quoted}"`;
}
