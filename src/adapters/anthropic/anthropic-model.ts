import Anthropic, { APIError } from "@anthropic-ai/sdk";
import { MagisError } from "../../model/error.ts";
import { type ModelPrice, priceOfUsage } from "../../model/prices.ts";
import type {
  AnswerBlock,
  Effort,
  LanguageModel,
  ModelAnswer,
  ModelRequest,
  ModelTier,
} from "../../ports/language-model.ts";
import type { Log } from "../../ports/log.ts";
import { type AnswerDraft, type DraftBlock, startAnswerDraft, streamAnswer } from "./answer-draft.ts";
import { toMagisError } from "./errors.ts";
import { toMessageParams } from "./request.ts";
import { usageOfDraft, worstCase } from "./spend.ts";

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
  readonly log: Pick<Log, "warn"> & { debug(data: object, message: string): void };
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
  const client = clientOf(options);

  let strict = true;
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
    const effort = request.effort ?? options.effort?.[request.tier];
    const ask = (isStrict: boolean) =>
      streamAnswer(client, paramsOf(request, model, effort, isStrict), draft, options.timeoutMs, signal);
    try {
      await ask(strict).catch(async (error: unknown) => {
        if (!strict || !refusesStrict(error, request)) throw error;
        await ask(false);
        if (strict) options.log.warn({ model }, "the model's endpoint takes no strict tools: it is sent none any more");
        strict = false;
      });
    } catch (error) {
      throw failed(error);
    }
    if (!draft.finished && draft.stopReason === undefined) throw failed(new Error("the stream ended early"));
    const elapsed = Math.round(performance.now() - began);
    const answer = answerOf(draft, request, { model, effort, price, elapsed });
    // Text and blocks hold source code.
    options.log.debug({ promptId: request.promptId, ...answer, text: undefined, blocks: undefined }, "model answered");
    return answer;
  };

  return { complete, worstCase: (request) => worstCase(request, priceFor(request)) };
}

/** What speaks to the endpoint. Does no I/O. */
export function clientOf({ apiKey, baseUrl, timeoutMs }: AnthropicModelOptions): Anthropic {
  return new Anthropic({
    apiKey,
    baseURL: (baseUrl ?? ANTHROPIC).replace(/\/+$/, ""),
    timeout: timeoutMs,
    maxRetries: RETRIES,
    // Its log would hold prompts, and so source code.
    logLevel: "off",
  });
}

/** A complete answer, and what it cost. */
export function answerOf(
  draft: AnswerDraft,
  request: ModelRequest,
  call: {
    readonly model: string;
    readonly effort: Effort | undefined;
    readonly price: ModelPrice;
    readonly elapsed: number;
  },
): ModelAnswer {
  const usage = usageOfDraft(draft, request);
  const { effort, price, elapsed } = call;
  const money = priceOfUsage(usage, price);
  const by = { model: draft.model ?? call.model, ...(effort && { effort }) };
  return { text: textOfDraft(draft), ...endOf(draft), ...by, usage, money, elapsed };
}

/** The model that a request goes to. */
export function modelOf(options: Pick<AnthropicModelOptions, "models">, { model, tier }: ModelRequest): string {
  return model ?? options.models[tier];
}

/** Throws CONFIGURATION_INVALID for a model without a price. */
export function priceOf({ prices }: Pick<AnthropicModelOptions, "prices">, name: string): ModelPrice {
  const price = Object.hasOwn(prices, name) ? prices[name] : undefined;
  if (price !== undefined) return price;
  throw new MagisError(
    "CONFIGURATION_INVALID",
    `The model "${name}" has no price: without one the budget in money could not be kept.`,
  );
}

/** The body of a request. Throws MODEL_REJECTED for a schema that cannot be sent. */
export function paramsOf(
  request: ModelRequest,
  model: string,
  effort: Effort | undefined,
  strict: boolean,
): Anthropic.Messages.MessageCreateParamsStreaming {
  try {
    return toMessageParams(request, model, effort, strict);
  } catch (error) {
    const sentence = `The schema of the prompt ${request.promptId} cannot be sent to the model provider.`;
    const usage = { input: 0, cacheWrite: 0, cacheRead: 0, output: 0 };
    throw new MagisError("MODEL_REJECTED", sentence, { usage, money: 0, model }, error);
  }
}

const ABOUT_TOOLS = /strict|schema|grammar|tool/i;

/** Whether a request with strict tools was refused as if because of them; nothing was paid for it then. */
export function refusesStrict(error: unknown, { tools = [] }: ModelRequest): boolean {
  if (!tools.some((tool) => tool.strict)) return false;
  return error instanceof APIError && (error.status === 400 || error.status === 422) && ABOUT_TOOLS.test(error.message);
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

/** The answer's text so far: that of all its text blocks. */
function textOfDraft({ blocks }: AnswerDraft): string {
  return blocks.map((block) => (block.type === "text" ? block.text : "")).join("");
}

/**
 * The blocks of an answer that calls tools, in their order. An input that is no JSON is given as the string that came,
 * for the tool to say what is wrong with it. A call that names no tool is left out.
 */
function toAnswerBlocks(blocks: readonly DraftBlock[]): AnswerBlock[] {
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
