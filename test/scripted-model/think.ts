import type { ThinkingBlock } from "./message-body.ts";

/**
 * The thinking of message `id`: every third message has hidden thinking with a signature, and another third of those
 * that call tools has redacted thinking. Each message has its own signature.
 */
export function think(id: string, n: number, callsTools: boolean): ThinkingBlock[] {
  const sealed = Buffer.from(`thoughts of ${id}`).toString("base64");
  if (n % 3 === 1) return [{ type: "thinking", thinking: "", signature: sealed }];
  return n % 3 === 2 && callsTools ? [{ type: "redacted_thinking", data: sealed }] : [];
}
