import type { PromptImage } from "../../ports/language-model.ts";

const PNG = [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a];
const JPEG = [0xff, 0xd8, 0xff];

/** The type of an image by its first bytes, whatever its host calls it; undefined for anything else. */
export function imageType(bytes: Uint8Array): PromptImage["mediaType"] | undefined {
  const begins = (sign: readonly number[]) => sign.every((byte, at) => bytes[at] === byte);
  const text = Buffer.from(bytes.subarray(0, 12)).toString("latin1");
  if (begins(PNG)) return "image/png";
  if (begins(JPEG)) return "image/jpeg";
  if (text.startsWith("GIF87a") || text.startsWith("GIF89a")) return "image/gif";
  return text.startsWith("RIFF") && text.slice(8) === "WEBP" ? "image/webp" : undefined;
}
