import type Anthropic from "@anthropic-ai/sdk";
import type { ModelRequest } from "../../ports/language-model.ts";

type ToolParams = Pick<Anthropic.Messages.MessageCreateParams, "tools" | "tool_choice">;

/** The tools of `request` as the API takes them, and whether they may be called; nothing where there are none. */
export function toTools({ tools = [], mustAnswer }: ModelRequest): ToolParams {
  if (tools.length === 0) return {};
  return {
    tools: tools.map(({ name, description, inputSchema }) => {
      // Which draft of JSON Schema it is would only be tokens.
      const { $schema: _, ...schema } = inputSchema;
      return { name, description, input_schema: { ...schema, type: "object" as const } };
    }),
    tool_choice: { type: mustAnswer === true ? "none" : "auto" },
  };
}
