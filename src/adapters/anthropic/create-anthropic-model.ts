import Anthropic from "@anthropic-ai/sdk";
import { MagisError } from "../../model/magis-error.ts";
import type { Effort, LanguageModel, ModelAnswer, ModelRequest, ModelTier } from "../../ports/language-model.ts";
import type { AnswerDraft } from "./answer-draft.ts";
import type { ModelPrice } from "./model-price.ts";
import { priceOfUsage } from "./price-of-usage.ts";
import { startAnswerDraft } from "./start-answer-draft.ts";
import { streamAnswer } from "./stream-answer.ts";
import { textOfDraft } from "./text-of-draft.ts";
import { toAnswerBlocks } from "./to-answer-blocks.ts";
import { toMagisError } from "./to-magis-error.ts";
import { toMessageParams } from "./to-message-params.ts";
import { usageOfDraft } from "./usage-of-draft.ts";
import { worstCase } from "./worst-case.ts";

export interface AnthropicModelOptions {
  readonly apiKey: string;
  /** any endpoint that speaks the Messages API, without `/v1` */
  readonly baseUrl?: string;
  readonly models: Readonly<Record<ModelTier, string>>;
  /** `output_config.effort`; not sent where absent, since not every model takes it */
  readonly effort?: Partial<Readonly<Record<ModelTier, Effort>>>;
  /** by model name; both configured models must be there */
  readonly prices: Readonly<Record<string, ModelPrice>>;
  /** the longest silence before and during an answer */
  readonly timeoutMs: number;
  readonly log: { debug(data: object, message: string): void };
}

const ANTHROPIC = "https://api.anthropic.com";
const RETRIES = 2;

/**
 * A LanguageModel on the Messages API. Does no I/O before the first call. The SDK repeats a request that was refused for
 * a passing reason (408, 409, 429, 5xx, network) twice, obeying `retry-after`; an answer that breaks off is
 * MODEL_UNAVAILABLE with `data.brokenOff`, for `withRetry` to repeat within the budget.
 * Throws CONFIGURATION_INVALID when a model has no price.
 */
export function createAnthropicModel(options: AnthropicModelOptions): LanguageModel {
  for (const tier of ["fast", "strong"] as const) priceOf(options, options.models[tier]);
  const priceFor = (request: ModelRequest) => priceOf(options, modelOf(options, request));
  const client = new Anthropic({
    apiKey: options.apiKey,
    baseURL: (options.baseUrl ?? ANTHROPIC).replace(/\/+$/, ""),
    timeout: options.timeoutMs,
    maxRetries: RETRIES,
    // Its log would hold prompts, and so source code.
    logLevel: "off",
  });

  const complete = async (request: ModelRequest, signal: AbortSignal): Promise<ModelAnswer> => {
    const model = modelOf(options, request);
    const price = priceFor(request);
    const began = performance.now();
    const draft = startAnswerDraft();
    const failed = (error: unknown): MagisError => {
      const usage = usageOfDraft(draft, request);
      const money = priceOfUsage(usage, price);
      const call = { model, usage, money, cancelled: signal.aborted, brokenOff: draft.began };
      return toMagisError(error, call, options.apiKey);
    };
    const params = paramsOf(request, model, request.effort ?? options.effort?.[request.tier]);
    try {
      await streamAnswer(client, params, draft, options.timeoutMs, signal);
    } catch (error) {
      throw failed(error);
    }
    if (!draft.finished && draft.stopReason === undefined) throw failed(new Error("the stream ended early"));
    const usage = usageOfDraft(draft, request);
    const money = priceOfUsage(usage, price);
    const elapsed = Math.round(performance.now() - began);
    const told = { ...endOf(draft), model: draft.model ?? model, usage, money, elapsed };
    // Text and blocks hold source code.
    options.log.debug({ promptId: request.promptId, ...told, blocks: undefined }, "model answered");
    return { text: textOfDraft(draft), ...told };
  };

  return { complete, worstCase: (request) => worstCase(request, priceFor(request)) };
}

function modelOf(options: AnthropicModelOptions, { model, tier }: ModelRequest): string {
  return model ?? options.models[tier];
}

function priceOf({ prices }: AnthropicModelOptions, name: string): ModelPrice {
  const price = Object.hasOwn(prices, name) ? prices[name] : undefined;
  if (price !== undefined) return price;
  throw new MagisError(
    "CONFIGURATION_INVALID",
    `The model "${name}" has no price: without one the budget in money could not be kept.`,
  );
}

function paramsOf(
  request: ModelRequest,
  model: string,
  effort: Effort | undefined,
): Anthropic.Messages.MessageCreateParamsStreaming {
  try {
    return toMessageParams(request, model, effort);
  } catch (error) {
    const sentence = `The schema of the prompt ${request.promptId} cannot be sent to the model provider.`;
    const usage = { input: 0, cacheWrite: 0, cacheRead: 0, output: 0 };
    throw new MagisError("MODEL_REJECTED", sentence, { usage, money: 0, model }, error);
  }
}

/** Why it ended. Tools are called by an answer that has calls and is whole, whatever reason a gateway gives. */
function endOf(draft: AnswerDraft): Pick<ModelAnswer, "stop" | "blocks"> {
  if (draft.stopReason === "refusal") return { stop: "refusal" };
  if (draft.stopReason === "max_tokens" || draft.stopReason === "model_context_window_exceeded") {
    return { stop: "length" };
  }
  const blocks = toAnswerBlocks(draft.blocks);
  return blocks.some(({ type }) => type === "tool_use") ? { stop: "tools", blocks } : { stop: "end" };
}
