import type { ThinkingBlock } from "./message-body.ts";

/**
 * What message `id` thinks: every third message signs thinking that is not shown, and of those that call tools another
 * third has its thinking redacted. No two messages have the same signature.
 */
export function think(id: string, n: number, callsTools: boolean): ThinkingBlock[] {
  const sealed = Buffer.from(`thoughts of ${id}`).toString("base64");
  if (n % 3 === 1) return [{ type: "thinking", thinking: "", signature: sealed }];
  return n % 3 === 2 && callsTools ? [{ type: "redacted_thinking", data: sealed }] : [];
}
