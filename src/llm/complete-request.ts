import { MagisError } from "../model/magis-error.ts";
import type { LanguageModel, ModelAnswer, ModelRequest } from "../ports/language-model.ts";

/** The most tokens that a cut-off answer is asked for again with. */
const MAX_TOKENS = 64_000;

/** One call; an answer that is cut off is asked for again with more room. Throws MODEL_REFUSED and MODEL_CUT_OFF. */
export async function completeRequest(
  model: LanguageModel,
  request: ModelRequest,
  signal: AbortSignal,
): Promise<ModelAnswer> {
  let answer = await model.complete(request, signal);
  if (answer.stop === "length" && request.maxTokens < MAX_TOKENS) {
    const maxTokens = Math.min(MAX_TOKENS, request.maxTokens * 2);
    answer = await model.complete({ ...request, maxTokens }, signal);
  }
  const data = { promptId: request.promptId };
  if (answer.stop === "refusal")
    throw new MagisError("MODEL_REFUSED", `The model declined to answer ${request.promptId}.`, data);
  if (answer.stop === "length")
    throw new MagisError("MODEL_CUT_OFF", `The model's answer to ${request.promptId} was too long.`, data);
  return answer;
}
