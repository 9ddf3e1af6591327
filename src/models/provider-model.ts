import { MagisError } from "../data/error.ts";
import type { Log } from "../data/log.ts";
import { type ModelPrice, priceOfUsage } from "../data/prices.ts";
import type { Effort } from "../data/settings.ts";
import { type AnswerDraft, startAnswerDraft } from "./answer-draft.ts";
import type { LanguageModel, ModelRequest, ModelTier } from "./language-model.ts";
import { answerOf, usageOfDraft, worstCase } from "./model-answer.ts";
import { type ApiFailure, toMagisError } from "./model-errors.ts";

/** What every provider's model is made with. */
export interface ModelOptions {
  models: Readonly<Record<ModelTier, string>>;
  /** absent: not sent, since not every model takes it */
  effort?: Partial<Readonly<Record<ModelTier, Effort>>>;
  /** by model name; must have both configured models */
  prices: Readonly<Record<string, ModelPrice>>;
  /** the longest silence before and during an answer */
  timeoutMs: number;
  log: Pick<Log, "warn"> & { debug(data: object, message: string): void };
}

/** One call of a provider. */
export interface ProviderCall {
  request: ModelRequest;
  model: string;
  effort: Effort | undefined;
  signal: AbortSignal;
}

/** What differs between providers. */
interface Provider {
  /** Sends the request and reads the answer into `draft`. Throws what the provider's SDK throws. */
  ask(call: ProviderCall, draft: AnswerDraft): Promise<void>;
  /** the endpoint's refusal, if it answered */
  failureOf(error: unknown): ApiFailure | undefined;
  /** all credentials sent to the endpoint; absent if a cloud's SDK finds them itself */
  secrets?: readonly string[] | undefined;
  /** A model's price as this provider counts; absent: as configured. */
  priced?(price: ModelPrice): ModelPrice;
}

/**
 * A LanguageModel of one provider. Its SDK repeats a request that is refused for a while (408, 409, 429, 5xx, network)
 * twice, and obeys `retry-after`. An answer that breaks off is MODEL_UNAVAILABLE with `data.brokenOff`. Throws
 * CONFIGURATION_INVALID if a model has no price.
 */
export function createProviderModel(options: ModelOptions, provider: Provider): LanguageModel {
  for (const tier of ["fast", "strong"] as const) priceOf(options, options.models[tier]);
  const { priced = (price) => price } = provider;
  const priceFor = (request: ModelRequest) => priced(priceOf(options, modelOf(options, request)));
  return {
    worstCase: (request) => worstCase(request, priceFor(request)),
    async complete(request, signal) {
      const model = modelOf(options, request);
      const price = priceFor(request);
      const effort = request.effort ?? options.effort?.[request.tier];
      const began = performance.now();
      const draft = startAnswerDraft();
      const failed = (error: unknown): MagisError => {
        const usage = usageOfDraft(draft, request);
        const money = priceOfUsage(usage, price);
        const call = { model, usage, money, cancelled: signal.aborted, brokenOff: draft.began };
        return toMagisError(error, provider.failureOf(error), call, provider.secrets);
      };
      try {
        await provider.ask({ request, model, effort, signal }, draft);
      } catch (error) {
        throw failed(error);
      }
      if (!draft.finished && draft.stopReason === undefined) throw failed(new Error("the stream ended early"));
      const elapsed = Math.round(performance.now() - began);
      const answer = answerOf(draft, request, { model, effort, price, elapsed });
      // Text and blocks hold source code.
      const told = { promptId: request.promptId, ...answer, text: undefined, blocks: undefined };
      options.log.debug(told, "model answered");
      return answer;
    },
  };
}

/** The model that a request goes to. */
const modelOf = ({ models }: ModelOptions, { model, tier }: ModelRequest): string => model ?? models[tier];

/** Throws CONFIGURATION_INVALID for a model without a price. */
function priceOf({ prices }: ModelOptions, name: string): ModelPrice {
  const price = Object.hasOwn(prices, name) ? prices[name] : undefined;
  if (price !== undefined) return price;
  throw new MagisError(
    "CONFIGURATION_INVALID",
    `The model "${name}" has no price: without one the budget in money could not be kept.`,
  );
}
