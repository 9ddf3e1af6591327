import type { WrittenMessage } from "./create-answerer.ts";
import { type Block, type MessageBody, type ThinkingBlock, toBlocks } from "./message-body.ts";

/** The model's thinking before tool calls, which has to come back unchanged with the results. */
export interface ThinkingMemory {
  remember(message: Pick<WrittenMessage, "thinking" | "calls">): void;
  /** The API's objection to the turn before the results. */
  check(body: Pick<MessageBody, "messages">): string | undefined;
}

/** Remembers by the ids of calls; ignores calls that this server did not make. */
export function createThinkingMemory(): ThinkingMemory {
  const thoughts = new Map<string, readonly ThinkingBlock[]>();
  return {
    remember: ({ thinking, calls }) => {
      for (const { id } of calls) thoughts.set(id, thinking);
    },
    check: ({ messages }) => {
      const at = messages.findLastIndex((message) => message.role === "assistant");
      const blocks = toBlocks(messages[at]?.content);
      const call = blocks.find((block) => block.type === "tool_use");
      const thought = call === undefined ? undefined : thoughts.get(call.id);
      if (thought === undefined) return undefined;
      const sent = blocks.slice(0, blocks.findLastIndex(isThinking) + 1).map(asText);
      if (sent.join() === thought.map(asText).join()) return undefined;
      const words = "`thinking` or `redacted_thinking` blocks in the latest assistant message cannot be modified";
      return `messages.${at}.content: ${words}. They must remain, first, as they were in the original response.`;
    },
  };
}

const isThinking = ({ type }: Block) => type === "thinking" || type === "redacted_thinking";

/** What must not change of a block before the last thinking. */
const asText = (block: Block) => JSON.stringify(block, ["type", "thinking", "signature", "data", "text"]);

/**
 * The thinking of message `id`: every third message has hidden thinking with a signature, and another third of those
 * that call tools has redacted thinking. Each message has its own signature.
 */
export function think(id: string, n: number, callsTools: boolean): ThinkingBlock[] {
  const sealed = Buffer.from(`thoughts of ${id}`).toString("base64");
  if (n % 3 === 1) return [{ type: "thinking", thinking: "", signature: sealed }];
  return n % 3 === 2 && callsTools ? [{ type: "redacted_thinking", data: sealed }] : [];
}
