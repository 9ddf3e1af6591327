import type { WrittenMessage } from "./create-answerer.ts";
import { type MessageBody, type ThinkingBlock, toBlocks } from "./message-body.ts";

/** The model's thinking before tool calls, which has to come back unchanged with the results. */
export interface ThinkingMemory {
  remember(message: Pick<WrittenMessage, "thinking" | "calls">): void;
  /** The API's objections to the turn before the results, as sentences. */
  check(body: Pick<MessageBody, "messages">): string[];
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
      if (thought === undefined) return [];
      const sent = blocks.flatMap((block) => (isThinking(block) ? [asText(block)] : []));
      const same = sent.join() === thought.map(asText).join();
      if (!same) {
        const words = "`thinking` or `redacted_thinking` blocks in the latest assistant message cannot be modified";
        return [`messages.${at}.content: ${words}. They must remain as they were in the original response.`];
      }
      const [first] = blocks;
      if (thought.length === 0 || (first !== undefined && isThinking(first))) return [];
      return [`messages.${at}.content.0: Expected \`thinking\` or \`redacted_thinking\`, but found \`${first?.type}\``];
    },
  };
}

function isThinking(block: { type: string }): block is ThinkingBlock {
  return block.type === "thinking" || block.type === "redacted_thinking";
}

function asText(block: ThinkingBlock): string {
  return block.type === "thinking" ? `${block.thinking} ${block.signature}` : block.data;
}

/**
 * The thinking of message `id`: every third message has hidden thinking with a signature, and another third of those
 * that call tools has redacted thinking. Each message has its own signature.
 */
export function think(id: string, n: number, callsTools: boolean): ThinkingBlock[] {
  const sealed = Buffer.from(`thoughts of ${id}`).toString("base64");
  if (n % 3 === 1) return [{ type: "thinking", thinking: "", signature: sealed }];
  return n % 3 === 2 && callsTools ? [{ type: "redacted_thinking", data: sealed }] : [];
}
