import { setTimeout as delay } from "node:timers/promises";
import { MagisError } from "../../../src/data/error.ts";
import type { LanguageModel, ModelAnswer, ModelRequest } from "../../../src/models/language-model.ts";

/** What a call of the priced model does. */
interface PricedCall {
  /** milliseconds it takes; 0 by default */
  lasts?: number;
  /** share of the worst case that it uses, 0 to 1 */
  share?: number;
  stop?: ModelAnswer["stop"];
  /** makes it fail with this error, whose data hold the cost */
  fails?: (cost: Record<string, unknown>) => MagisError;
}

const MONEY_PER_TOKEN = 0.001;

/**
 * A LanguageModel that counts a token per character of input, at a tenth of a cent per token in and out. `plan` says
 * how each call goes; `requests` holds the requests in order.
 */
export function createPricedModel(plan: (request: ModelRequest, n: number) => PricedCall) {
  const requests: ModelRequest[] = [];
  const worstCase = (request: ModelRequest): { tokens: number; money: number } => {
    const tokens = request.parts.reduce((sum, part) => sum + part.text.length, 0) + request.maxTokens;
    return { tokens, money: tokens * MONEY_PER_TOKEN };
  };
  const complete = async (request: ModelRequest, signal: AbortSignal): Promise<ModelAnswer> => {
    requests.push(request);
    const { lasts = 0, share = 1, stop = "end", fails } = plan(request, requests.length);
    const used = Math.floor(worstCase(request).tokens * share);
    const usage = { input: used, cacheWrite: 0, cacheRead: 0, output: 0 };
    const money = used * MONEY_PER_TOKEN;
    await delay(lasts, undefined, { signal }).catch(() => {
      throw new MagisError("RUN_CANCELLED", "The run was cancelled.", { usage, money });
    });
    if (fails !== undefined) throw fails({ usage, money });
    return { text: `answer ${requests.length}`, stop, model: "priced", usage, money, elapsed: lasts };
  };
  const model: LanguageModel = { complete, worstCase };
  return { model, requests };
}
