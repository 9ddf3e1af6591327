import { whyNotText } from "../../../src/text/found-text.ts";
import { fc } from "../../seeded.ts";

/** Random bytes that are text, half of them invalid UTF-8. */
export function textBytes(): fc.Arbitrary<Uint8Array> {
  const any = fc.uint8Array({ min: 1, maxLength: 60 });
  const pieces = fc.constantFrom("\n", "\r", "\r\n", "\u{feff}", "é", "a", "\xef\xbb\xbf");
  const mixed = fc.array(pieces, { maxLength: 12 }).map((all) => new TextEncoder().encode(all.join("")));
  return fc.oneof(any, mixed).filter((bytes) => whyNotText(bytes) === undefined);
}
