/** The part of a Messages API body that the scripted model reads, after `checkMessageParams` has passed it. */
interface Cached {
  cache_control?: { type: "ephemeral" } | null;
}

interface TextBlock extends Cached {
  type: "text";
  text: string;
}

/** Thinking, or its redacted form. */
export type ThinkingBlock =
  | { type: "thinking"; thinking: string; signature: string }
  | { type: "redacted_thinking"; data: string };

interface ToolUseBlock extends Cached {
  type: "tool_use";
  id: string;
  name: string;
  input: Readonly<Record<string, unknown>>;
}

interface ToolResultBlock extends Cached {
  type: "tool_result";
  tool_use_id: string;
  content?: string | readonly TextBlock[];
  is_error?: boolean;
}

export type Block = TextBlock | (ThinkingBlock & Cached) | ToolUseBlock | ToolResultBlock;

export interface MessageBody {
  model: string;
  max_tokens: number;
  stream?: boolean;
  system?: string | readonly TextBlock[];
  messages: readonly {
    role: "user" | "assistant";
    content: string | readonly Block[];
  }[];
  tools?: readonly {
    name: string;
    input_schema: Readonly<Record<string, unknown>>;
    strict?: boolean;
  }[];
  tool_choice?: { type: "auto" | "any" | "none" } | { type: "tool"; name: string };
  output_config?: {
    effort?: string;
    format?: { type: "json_schema"; schema: Readonly<Record<string, unknown>> };
  };
}

/** Content as blocks; a string is short for one text block. */
export function toBlocks(content: string | readonly Block[] | undefined): readonly Block[] {
  if (content === undefined) return [];
  return typeof content === "string" ? [{ type: "text", text: content }] : content;
}

/** The text blocks of content, joined by line breaks. */
export function textOf(content: string | readonly Block[] | undefined): string {
  return toBlocks(content)
    .flatMap((block) => (block.type === "text" ? [block.text] : []))
    .join("\n");
}
