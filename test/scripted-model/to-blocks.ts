import type { Block } from "./message-body.ts";

/** Content as blocks; a string is short for one text block. */
export function toBlocks(content: string | readonly Block[] | undefined): readonly Block[] {
  if (content === undefined) return [];
  return typeof content === "string" ? [{ type: "text", text: content }] : content;
}
