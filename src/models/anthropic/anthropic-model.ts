import Anthropic, { APIError } from "@anthropic-ai/sdk";
import { MagisError } from "../../data/error.ts";
import type { Effort } from "../../data/settings.ts";
import { type AnswerDraft, streamAnswer } from "../answer-draft.ts";
import type { LanguageModel, ModelRequest } from "../language-model.ts";
import type { ApiFailure } from "../model-errors.ts";
import { createProviderFetch } from "../provider-fetch.ts";
import { createProviderModel, type ModelOptions, type ProviderCall } from "../provider-model.ts";
import { readAnswer } from "./read-answer.ts";
import { toMessageParams } from "./request.ts";

/** The messages interface of Anthropic's own API, or of a cloud with the same models. */
interface MessagesClient {
  messages: Pick<Anthropic["messages"], "create">;
}

export interface AnthropicModelOptions extends ModelOptions {
  /** makes the provider's client: at the first call, and again after a failed one */
  client: () => MessagesClient;
  /** all credentials sent to the endpoint; absent if a cloud's SDK finds them itself */
  secrets?: readonly string[];
}

const ANTHROPIC = "https://api.anthropic.com";

const RETRIES = 2;

/** A LanguageModel on the Messages API. Does no I/O before the first call. Throws CONFIGURATION_INVALID if a model has no price. */
export function createAnthropicModel({
  client: createClient,
  secrets,
  ...options
}: AnthropicModelOptions): LanguageModel {
  let client: MessagesClient | undefined;
  let strict = true;

  const send = async ({ request, model, effort, signal }: ProviderCall, draft: AnswerDraft, isStrict: boolean) => {
    client ??= createClient();
    const { messages } = client;
    const params = paramsOf(request, model, effort, isStrict);
    const limits = { silenceMs: options.timeoutMs, signal };
    await streamAnswer((ended) => messages.create(params, { signal: ended }), readAnswer, draft, limits);
  };

  const ask = async (call: ProviderCall, draft: AnswerDraft) => {
    try {
      await send(call, draft, strict);
    } catch (error) {
      if (!strict || !refusesStrict(error, call.request)) throw error;
      await send(call, draft, false);
      const { model } = call;
      if (strict) options.log.warn({ model }, "the model's endpoint refuses strict tools; sending none from now on");
      strict = false;
    }
  };

  return createProviderModel(options, {
    secrets,
    failureOf,
    async ask(call, draft) {
      try {
        await ask(call, draft);
      } catch (error) {
        client = undefined;
        throw error;
      }
    },
  });
}

/** How to reach Anthropic's own API, or an endpoint that imitates it. */
export interface AnthropicEndpoint {
  apiKey: string;
  /** any endpoint with the Messages API, without `/v1`; absent: Anthropic's own */
  baseUrl?: string | undefined;
  /** the longest silence before and during an answer */
  timeoutMs: number;
  /** names of headers that the SDK would take from the environment */
  foreignHeaders: readonly string[];
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
}: Pick<AnthropicEndpoint, "timeoutMs" | "foreignHeaders"> & { baseUrl: string }) {
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
