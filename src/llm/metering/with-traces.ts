import type { LanguageModel } from "../../ports/language-model.ts";
import type { Traces } from "../../ports/traces.ts";

/** `model` with a span for each call. */
export function withTraces(model: LanguageModel, traces: Traces): LanguageModel {
  return {
    complete: (request, signal) =>
      traces.span({ kind: "model call", prompt: request.promptId, tier: request.tier }, async (end) => {
        const answer = await model.complete(request, signal);
        end({ model: answer.model, usage: answer.usage, money: answer.money });
        return answer;
      }),
    worstCase: (request) => model.worstCase(request),
  };
}
