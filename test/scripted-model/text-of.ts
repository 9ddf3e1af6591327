import type { Block } from "./message-body.ts";
import { toBlocks } from "./to-blocks.ts";

/** The text of content: its text blocks, a line break between two. */
export function textOf(content: string | readonly Block[] | undefined): string {
  return toBlocks(content)
    .flatMap((block) => (block.type === "text" ? [block.text] : []))
    .join("\n");
}
