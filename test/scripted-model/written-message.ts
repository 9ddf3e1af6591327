import type { Usage } from "./create-usage-counter.ts";
import type { ThinkingBlock } from "./message-body.ts";

/** A tool call to write; its input is JSON, which may be cut off. */
export interface WrittenCall {
  readonly id: string;
  readonly name: string;
  readonly json: string;
}

/** A message to write: thinking, text, tool calls, in this order. */
export interface WrittenMessage {
  readonly id: string;
  readonly model: string;
  readonly thinking: readonly ThinkingBlock[];
  /** if empty beside calls, there is no text block */
  readonly text: string;
  readonly calls: readonly WrittenCall[];
  readonly stopReason: "end_turn" | "tool_use" | "max_tokens" | "refusal";
  readonly usage: Usage;
  readonly cut?: true | "overloaded";
}
