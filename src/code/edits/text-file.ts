import { MagisError } from "../../data/error.ts";
import { whyNotText } from "../../text/found-text.ts";

export type LineEnding = "\n" | "\r\n" | "\r";

/** A text file taken apart so that it can be edited by lines and written back byte for byte. */
export interface TextFile {
  /** each with its own terminator, the last perhaps without; none for an empty file */
  lines: readonly string[];
  /** bytes that are not valid UTF-8 are read one character a byte, whatever the encoding really is */
  encoding: "utf8" | "latin1";
  /** the terminator most lines have; "\n" when there is none */
  eol: LineEnding;
  /** a UTF-8 byte order mark stands before the first line */
  bom: boolean;
}

const BOM_BYTES = [0xef, 0xbb, 0xbf];

/** Reads a file's bytes as text; undefined when `whyNotText` says why not. `writeText` is the inverse. */
export function readText(bytes: Uint8Array): TextFile | undefined {
  if (whyNotText(bytes) !== undefined) return undefined;
  const bom = BOM_BYTES.every((byte, index) => bytes[index] === byte);
  const body = bom ? bytes.subarray(BOM_BYTES.length) : bytes;
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

const BOM = "\uFEFF";

const BEYOND_LATIN1 = /[\u{100}-\u{10ffff}]/u;

/**
 * The exact bytes of a text file; the inverse of `readText`.
 * Throws MagisError ANSWER_INVALID when the file is not UTF-8 and a character was put in that one byte cannot hold.
 */
export function writeText(file: TextFile): Uint8Array {
  const text = file.lines.join("");
  if (file.encoding === "utf8") return new Uint8Array(Buffer.from((file.bom ? BOM : "") + text, "utf8"));
  const odd = BEYOND_LATIN1.exec(text)?.[0];
  if (odd !== undefined) {
    throw new MagisError(
      "ANSWER_INVALID",
      `The file is not encoded in UTF-8, so the character ${JSON.stringify(odd)} cannot be written into it. Use ASCII.`,
    );
  }
  const body = Buffer.from(text, "latin1");
  return new Uint8Array(file.bom ? Buffer.concat([Buffer.from(BOM, "utf8"), body]) : body);
}

const TERMINATED = /[^\n]+\n?|\n/g;

const TERMINATED_BY_RETURN = /[^\r]+\r?|\r/g;

/**
 * Splits a text into lines, each with its terminator: at \n and \r\n, and at a lone \r only when the text has no \n
 * at all (a file of an old Mac; elsewhere a lone \r is part of its line, as git sees it). Joining gives the text.
 */
export function splitLines(text: string): string[] {
  return text.match(text.includes("\n") ? TERMINATED : TERMINATED_BY_RETURN) ?? [];
}

/** A line without its terminator (\r\n, \n or \r). */
export function stripTerminator(line: string): string {
  if (line.endsWith("\r\n")) return line.slice(0, -2);
  return line.endsWith("\n") || line.endsWith("\r") ? line.slice(0, -1) : line;
}

/** Imports say what a file uses, but take room from what it does. */
export const IMPORT =
  /^\s*(?:import\b|from\s+\S+\s+import\b|#\s*include\b|using\s|use\s|require|(?:const|var|let)\b.*=\s*require\()/;
