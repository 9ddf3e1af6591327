import type { TokenUsage } from "../../model/spend.ts";
import type { ModelRequest } from "../../ports/language-model.ts";
import type { AnswerDraft } from "./answer-draft.ts";
import type { DraftBlock } from "./draft-block.ts";
import { estimateTokens } from "./estimate-tokens.ts";
import { worstCase } from "./worst-case.ts";

/**
 * The tokens an answer used, complete or broken off. What the provider reported counts; the output of a broken stream,
 * and whatever a gateway leaves out, is estimated from the characters, so that no call looks free.
 */
export function usageOfDraft(draft: AnswerDraft, request: ModelRequest): TokenUsage {
  const { input, cacheWrite, cacheRead, output } = draft.usage;
  const complete = draft.finished || draft.stopReason !== undefined;
  const reported = input !== undefined || cacheWrite !== undefined || cacheRead !== undefined;
  const began = complete || reported || draft.blocks.length > 0;
  const received = Math.min(request.maxTokens, estimateTokens(draft.blocks.map(textOf).join("")));
  return {
    input: reported || !began ? (input ?? 0) : estimateInput(request),
    cacheWrite: cacheWrite ?? 0,
    cacheRead: cacheRead ?? 0,
    output: complete ? (output ?? received) : Math.max(output ?? 0, received),
  };
}

/** What the model wrote of a block: the arguments of a tool call are output as well. */
function textOf(block: DraftBlock): string {
  if (block.type === "text") return block.text;
  if (block.type === "thinking") return block.thinking;
  if (block.type === "redacted_thinking") return block.data;
  return block.name + (block.json || JSON.stringify(block.input ?? {}));
}

function estimateInput(request: ModelRequest): number {
  return worstCase({ ...request, maxTokens: 0 }, { input: 0, output: 0 }).tokens;
}
