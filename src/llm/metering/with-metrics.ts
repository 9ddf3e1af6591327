import type { LanguageModel } from "../../ports/language-model.ts";
import type { Metrics } from "../../ports/metrics.ts";
import type { PromptLibrary } from "../prompt-library.ts";
import { costOfError } from "./budget-keeper.ts";

/** `model`, whose paid calls are reported: answers, and failures that cost something. */
export function withMetrics(model: LanguageModel, { prompts }: PromptLibrary, metrics: Metrics): LanguageModel {
  return {
    worstCase: (request) => model.worstCase(request),
    async complete(request, signal) {
      const role = prompts.get(request.promptId)?.role ?? "other";
      try {
        const answer = await model.complete(request, signal);
        metrics.modelCalled({ role, ...answer });
        return answer;
      } catch (error) {
        const cost = costOfError(error);
        if (cost) metrics.modelCalled({ role, model: request.tier, ...cost });
        throw error;
      }
    },
  };
}
