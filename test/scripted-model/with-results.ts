import type { ModelAnswer, ModelRequest } from "../../src/ports/language-model.ts";

/** `request` after `answer`, with each call's input as its result. */
export function withResults(request: ModelRequest, { blocks = [] }: Pick<ModelAnswer, "blocks">): ModelRequest {
  const results = blocks.flatMap((block) =>
    block.type === "tool_use" ? [{ id: block.id, text: `found ${JSON.stringify(block.input)}` }] : [],
  );
  return { ...request, earlier: [...request.earlier, { blocks, results }] };
}
