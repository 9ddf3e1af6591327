import type { Usage } from "./create-usage-counter.ts";
import type { ThinkingBlock } from "./message-body.ts";

/** A tool call about to be written; its input as JSON, which may be cut off. */
export interface WrittenCall {
  readonly id: string;
  readonly name: string;
  readonly json: string;
}

/** A message about to be written to the wire: thinking, text, tool calls, in this order. */
export interface WrittenMessage {
  readonly id: string;
  readonly model: string;
  readonly thinking: readonly ThinkingBlock[];
  /** empty with calls: there is no text block */
  readonly text: string;
  readonly calls: readonly WrittenCall[];
  readonly stopReason: "end_turn" | "tool_use" | "max_tokens" | "refusal";
  readonly usage: Usage;
  readonly cut?: true | "overloaded";
}
