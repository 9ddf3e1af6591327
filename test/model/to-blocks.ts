import type { TextBlock } from "./message-body.ts";

/** Content as blocks: a string is shorthand for one. */
export function toBlocks(content: string | readonly TextBlock[] | undefined): readonly TextBlock[] {
  if (content === undefined) return [];
  return typeof content === "string" ? [{ type: "text", text: content }] : content;
}
