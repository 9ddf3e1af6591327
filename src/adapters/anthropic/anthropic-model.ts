import Anthropic, { APIError } from "@anthropic-ai/sdk";
import { MagisError } from "../../model/error.ts";
import { type ModelPrice, priceOfUsage } from "../../model/prices.ts";
import type { Effort, LanguageModel, ModelAnswer, ModelRequest, ModelTier } from "../../ports/language-model.ts";
import type { Log } from "../../ports/log.ts";
import { startAnswerDraft, streamAnswer } from "../answer-draft.ts";
import { answerOf, modelOf, priceOf, usageOfDraft, worstCase } from "../model-answer.ts";
import { type ApiFailure, toMagisError } from "../model-errors.ts";
import { createProviderFetch } from "../provider-fetch.ts";
import { readAnswer } from "./read-answer.ts";
import { toMessageParams } from "./request.ts";

/** The messages interface of Anthropic's own API, or of a cloud with the same models. */
interface MessagesClient {
  readonly messages: Pick<Anthropic["messages"], "create">;
}

export interface AnthropicModelOptions {
  /** makes the provider's client: at the first call, and again after a failed one */
  readonly client: () => MessagesClient;
  /** all credentials sent to the endpoint; absent if a cloud's SDK finds them itself */
  readonly secrets?: readonly string[];
  readonly models: Readonly<Record<ModelTier, string>>;
  /** `output_config.effort`; absent: not sent, since not every model takes it */
  readonly effort?: Partial<Readonly<Record<ModelTier, Effort>>>;
  /** by model name; must have both configured models */
  readonly prices: Readonly<Record<string, ModelPrice>>;
  /** the longest silence before and during an answer */
  readonly timeoutMs: number;
  readonly log: Pick<Log, "warn"> & { debug(data: object, message: string): void };
}

const ANTHROPIC = "https://api.anthropic.com";

const RETRIES = 2;

/**
 * A LanguageModel on the Messages API. Does no I/O before the first call. The SDK retries temporary refusals (408, 409,
 * 429, 5xx, network) twice and obeys `retry-after`. An answer that breaks off is MODEL_UNAVAILABLE with
 * `data.brokenOff`, for `withRetry` to repeat within the budget. Throws CONFIGURATION_INVALID if a model has no price.
 */
export function createAnthropicModel(options: AnthropicModelOptions): LanguageModel {
  for (const tier of ["fast", "strong"] as const) priceOf(options, options.models[tier]);
  const priceFor = (request: ModelRequest) => priceOf(options, modelOf(options, request));
  let client: MessagesClient | undefined;

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
      client = undefined;
      return toMagisError(error, failureOf(error), call, options.secrets);
    };
    const effort = request.effort ?? options.effort?.[request.tier];
    const ask = async (isStrict: boolean) => {
      client ??= options.client();
      const { messages } = client;
      const params = paramsOf(request, model, effort, isStrict);
      const limits = { silenceMs: options.timeoutMs, signal };
      return streamAnswer((ended) => messages.create(params, { signal: ended }), readAnswer, draft, limits);
    };
    try {
      await ask(strict).catch(async (error: unknown) => {
        if (!strict || !refusesStrict(error, request)) throw error;
        await ask(false);
        if (strict) options.log.warn({ model }, "the model's endpoint refuses strict tools; sending none from now on");
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

/** How to reach Anthropic's own API, or an endpoint that imitates it. */
export interface AnthropicEndpoint {
  readonly apiKey: string;
  /** any endpoint with the Messages API, without `/v1`; absent: Anthropic's own */
  readonly baseUrl?: string | undefined;
  /** the longest silence before and during an answer */
  readonly timeoutMs: number;
  /** names of headers that the SDK would take from the environment */
  readonly foreignHeaders: readonly string[];
}

/** The endpoint's client. Does no I/O. */
export function createAnthropicClient({ apiKey, baseUrl = ANTHROPIC, ...shared }: AnthropicEndpoint): Anthropic {
  const baseURL = baseUrl.replace(/(?<!\/)\/+$/, "");
  return new Anthropic({
    ...clientOptions({ ...shared, baseUrl: baseURL }),
    apiKey,
    authToken: null,
    webhookKey: null,
    baseURL,
  });
}

/**
 * Options for the clients of all clouds, so that the SDK takes nothing from the environment: no headers, no log (it
 * would hold prompts, and so source code), no traces. `baseUrl`: the only place that requests may go to.
 */
export function clientOptions({
  timeoutMs,
  foreignHeaders,
  baseUrl,
}: Pick<AnthropicEndpoint, "timeoutMs" | "foreignHeaders"> & { readonly baseUrl: string }) {
  return {
    timeout: timeoutMs,
    maxRetries: RETRIES,
    logLevel: "off",
    openTelemetry: false,
    // These override the environment's headers; undefined ones are not sent.
    defaultHeaders: Object.fromEntries(foreignHeaders.map((name) => [name, undefined])),
    fetch: createProviderFetch({ baseUrl }),
  } as const;
}

/** The endpoint's refusal, if it answered. */
function failureOf(error: unknown): ApiFailure | undefined {
  if (!(error instanceof APIError)) return undefined;
  const { status, type, requestID, apiMessage } = error;
  return { status, type, requestID, said: apiMessage ?? wordsOf(error.error) };
}

/** The message of a refusal in Bedrock's form. */
function wordsOf(body: unknown): string | undefined {
  const said: unknown = body !== null && typeof body === "object" ? Reflect.get(body, "message") : undefined;
  return typeof said === "string" ? said : undefined;
}

/** The body of a request. Throws MODEL_REJECTED for a schema that cannot be sent. */
function paramsOf(
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

/** Whether a request seems to be refused for its strict tools (which costs nothing). */
function refusesStrict(error: unknown, { tools = [] }: ModelRequest): boolean {
  if (!tools.some((tool) => tool.strict)) return false;
  return error instanceof APIError && (error.status === 400 || error.status === 422) && ABOUT_TOOLS.test(error.message);
}
