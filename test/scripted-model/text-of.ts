import type { Block } from "./message-body.ts";
import { toBlocks } from "./to-blocks.ts";

/** The text blocks of content, joined by line breaks. */
export function textOf(content: string | readonly Block[] | undefined): string {
  return toBlocks(content)
    .flatMap((block) => (block.type === "text" ? [block.text] : []))
    .join("\n");
}
