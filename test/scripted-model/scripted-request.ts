import { z } from "zod";
import type { ModelAnswer, ModelRequest, ToolDefinition } from "../../src/models/language-model.ts";

/** A small request to the scripted model, with `changes`. */
export function scriptedRequest(changes: Partial<ModelRequest> = {}): ModelRequest {
  return {
    promptId: "p04-define-task",
    tier: "strong",
    maxTokens: 2000,
    system: "You are the manager.",
    parts: [{ text: "The issue.", cache: true }, { text: "MAGIS prompt p04-define-task\n\nThe task." }],
    earlier: [],
    ...changes,
  };
}

/** A tool in the form that prompts define. */
export const READ_TOOL: ToolDefinition = {
  name: "read",
  description: "Gives lines of a file.",
  inputSchema: z.toJSONSchema(z.object({ path: z.string(), from: z.number().int().min(1).optional() })),
};

/** `request` after `answer`, with each call's input as its result. */
export function withResults(request: ModelRequest, { blocks = [] }: Pick<ModelAnswer, "blocks">): ModelRequest {
  const results = blocks.flatMap((block) =>
    block.type === "tool_use" ? [{ id: block.id, text: `found ${JSON.stringify(block.input)}` }] : [],
  );
  return { ...request, earlier: [...request.earlier, { blocks, results }] };
}
