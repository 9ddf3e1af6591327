/** The part of a Messages API body that the scripted model reads, after `checkMessageParams` has passed it. */
interface Cached {
  readonly cache_control?: { readonly type: "ephemeral" } | null;
}

interface TextBlock extends Cached {
  readonly type: "text";
  readonly text: string;
}

/** Thinking, or its redacted form. */
export type ThinkingBlock =
  | { readonly type: "thinking"; readonly thinking: string; readonly signature: string }
  | { readonly type: "redacted_thinking"; readonly data: string };

interface ToolUseBlock extends Cached {
  readonly type: "tool_use";
  readonly id: string;
  readonly name: string;
  readonly input: Readonly<Record<string, unknown>>;
}

interface ToolResultBlock extends Cached {
  readonly type: "tool_result";
  readonly tool_use_id: string;
  readonly content?: string | readonly TextBlock[];
  readonly is_error?: boolean;
}

export type Block = TextBlock | (ThinkingBlock & Cached) | ToolUseBlock | ToolResultBlock;

export interface MessageBody {
  readonly model: string;
  readonly max_tokens: number;
  readonly stream?: boolean;
  readonly system?: string | readonly TextBlock[];
  readonly messages: readonly {
    readonly role: "user" | "assistant";
    readonly content: string | readonly Block[];
  }[];
  readonly tools?: readonly {
    readonly name: string;
    readonly input_schema: Readonly<Record<string, unknown>>;
    readonly strict?: boolean;
  }[];
  readonly tool_choice?: { readonly type: "auto" | "any" | "none" } | { readonly type: "tool"; readonly name: string };
  readonly output_config?: {
    readonly effort?: string;
    readonly format?: { readonly type: "json_schema"; readonly schema: Readonly<Record<string, unknown>> };
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
