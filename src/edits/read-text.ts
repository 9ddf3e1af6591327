import { splitLines } from "./split-lines.ts";
import type { LineEnding, TextFile } from "./text-file.ts";

const BOM = [0xef, 0xbb, 0xbf];

/** Reads a file's bytes as text; undefined when they are binary (git's rule: a NUL). `writeText` is the inverse. */
export function readText(bytes: Uint8Array): TextFile | undefined {
  if (bytes.includes(0)) return undefined;
  const bom = BOM.every((byte, index) => bytes[index] === byte);
  const body = bom ? bytes.subarray(BOM.length) : bytes;
  const utf8 = decodeUtf8(body);
  const lines = splitLines(utf8 ?? Buffer.from(body).toString("latin1"));
  return { lines, encoding: utf8 === undefined ? "latin1" : "utf8", eol: dominantEnding(lines), bom };
}

function decodeUtf8(bytes: Uint8Array): string | undefined {
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return undefined;
  }
}

function dominantEnding(lines: readonly string[]): LineEnding {
  let plain = 0;
  let windows = 0;
  for (const line of lines) {
    if (line.endsWith("\r\n")) windows += 1;
    else if (line.endsWith("\n")) plain += 1;
  }
  if (windows > plain) return "\r\n";
  return plain === 0 && lines[0]?.endsWith("\r") ? "\r" : "\n";
}
