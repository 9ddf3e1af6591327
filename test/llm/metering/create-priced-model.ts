import { setTimeout as delay } from "node:timers/promises";
import { MagisError } from "../../../src/model/error.ts";
import type { LanguageModel, ModelAnswer, ModelRequest } from "../../../src/ports/language-model.ts";

/** What a call of the priced model does. */
interface PricedCall {
  /** milliseconds it takes; 0: answered at once */
  readonly lasts?: number;
  /** part of the worst case that is used, 0 to 1 */
  readonly share?: number;
  readonly stop?: ModelAnswer["stop"];
  /** ends with this error; its data hold the cost */
  readonly fails?: (cost: Record<string, unknown>) => MagisError;
}

const MONEY_PER_TOKEN = 0.001;

/**
 * A LanguageModel whose input is as long as its text, one token a character at a tenth of a cent, output alike.
 * `plan` says what becomes of each call; `requests` holds what it was asked, in order.
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
