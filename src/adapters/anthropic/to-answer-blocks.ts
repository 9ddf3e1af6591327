import type { AnswerBlock } from "../../ports/language-model.ts";
import type { DraftBlock } from "./draft-block.ts";

/**
 * The blocks of an answer that calls tools, in their order. An input that is no JSON is given as the string that came,
 * for the tool to say what is wrong with it. A call that names no tool is left out.
 */
export function toAnswerBlocks(blocks: readonly DraftBlock[]): AnswerBlock[] {
  return blocks.flatMap((block): AnswerBlock[] => {
    if (block.type === "text") return block.text === "" ? [] : [{ type: block.type, text: block.text }];
    if (block.type === "redacted_thinking") return [{ type: block.type, data: block.data }];
    const { type } = block;
    if (type === "thinking") return [{ type, thinking: block.thinking, signature: block.signature }];
    return block.name === "" ? [] : [{ type, id: block.id, name: block.name, input: inputOf(block) }];
  });
}

function inputOf({ input, json }: DraftBlock & { type: "tool_use" }): unknown {
  // The API streams nothing for an empty input.
  if (json.trim() === "") return input ?? {};
  try {
    return JSON.parse(json);
  } catch {
    return json;
  }
}
