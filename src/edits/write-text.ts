import { MagisError } from "../model/magis-error.ts";
import type { TextFile } from "./text-file.ts";

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
