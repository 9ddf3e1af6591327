import OpenAI, { APIError } from "openai";
import { z } from "zod";
import { type Bounds, parseJson } from "../../text/bounded.ts";
import { type AnswerDraft, type DraftBlock, streamAnswer } from "../answer-draft.ts";
import type { LanguageModel } from "../language-model.ts";
import type { ApiFailure } from "../model-errors.ts";
import { createProviderFetch } from "../provider-fetch.ts";
import { createProviderModel, type ModelOptions } from "../provider-model.ts";
import { type Abilities, FULL_ABILITIES, toChatParams, withoutRefused } from "./request.ts";

interface OpenAiModelOptions extends ModelOptions {
  /** any word if the endpoint needs none */
  apiKey: string;
  /** any endpoint for chat completions, with its `/v1`; absent: OpenAI's own */
  baseUrl?: string;
}

const OPENAI = "https://api.openai.com/v1";

const RETRIES = 2;

/** The most forms of a request to try: the endpoint may lack each of the abilities. */
const MAX_TRIES = 8;

/**
 * A LanguageModel on OpenAI's chat completions, or an endpoint that imitates them. Does no I/O before the first call.
 * Cached input without a price of its own costs as much as other input. Throws CONFIGURATION_INVALID if a model has no
 * price.
 */
export function createOpenAiModel(options: OpenAiModelOptions): LanguageModel {
  const { apiKey, baseUrl, log, timeoutMs: silenceMs } = options;
  const client = createClient(options);
  let abilities: Abilities = { ...FULL_ABILITIES, limit: baseUrl ? "max_tokens" : "max_completion_tokens" };

  return createProviderModel(options, {
    secrets: [apiKey],
    failureOf,
    priced: (price) => ({ cacheRead: price.input, ...price }),
    async ask({ request, model, effort, signal }, draft) {
      for (let taken = abilities, tries = 1; ; tries += 1) {
        const params = toChatParams(request, model, effort, taken);
        const send = (ended: AbortSignal) => client.chat.completions.create(params, { signal: ended });
        try {
          await streamAnswer(send, readChunk, draft, { silenceMs, signal });
          if (taken !== abilities)
            log.warn({ model, ...taken }, "the endpoint refused this form of request; using another from now on");
          abilities = taken;
          return;
        } catch (error) {
          const refused = draft.began || tries === MAX_TRIES ? undefined : failureOf(error);
          const less = refused && withoutRefused(refused, taken, params);
          if (less === undefined) throw error;
          taken = less;
        }
      }
    },
  });
}

/** A client that reads nothing from the environment, with its log off, since that would hold source code. */
function createClient({ apiKey, baseUrl = OPENAI, timeoutMs }: OpenAiModelOptions): OpenAI {
  const headers = {
    accept: "application/json",
    authorization: `Bearer ${apiKey}`,
    "content-type": "application/json",
    "user-agent": "magis",
  };
  return new OpenAI({
    apiKey,
    adminAPIKey: null,
    organization: null,
    project: null,
    webhookSecret: null,
    baseURL: baseUrl,
    timeout: timeoutMs,
    maxRetries: RETRIES,
    logLevel: "off",
    // The SDK adds headers from the environment; our fetch sends only these.
    fetch: withReadableRefusals(createProviderFetch({ baseUrl, headers })),
  });
}

/** The endpoint's refusal, if it answered. Some send a status within an answer that has begun. */
function failureOf(error: unknown): ApiFailure | undefined {
  if (!(error instanceof APIError)) return undefined;
  const { status, type, param, requestID } = error;
  const words = error.message.replace(/^\d{3} /, "");
  const said = /^\s*<(!doctype|html)/i.test(words) ? undefined : words;
  const code: unknown = error.code;
  const codes = typeof code === "number" ? { status: status ?? code } : { status, code: textField.parse(code) };
  return { ...codes, type, param, requestID, said };
}

const refusalShape = z.record(z.string(), z.unknown());

/** `send`, with a refusal's message where the SDK looks for it: some endpoints have no `error` around it. */
function withReadableRefusals(send: typeof fetch): typeof fetch {
  return async (...call) => readableRefusal(await send(...call));
}

const LARGEST_REFUSAL: Bounds = { length: 1024 * 1024 };

function parsedRefusal(text: string): unknown {
  const read = parseJson(text, LARGEST_REFUSAL);
  return read.fault === undefined ? read.value : {};
}

async function readableRefusal(response: Response): Promise<Response> {
  if (response.ok || response.headers.get("content-type")?.includes("json") !== true) return response;
  const text = await response.text();
  const { status, headers } = response;
  try {
    const { error, message, detail, ...others } = refusalShape.parse(parsedRefusal(text));
    const said = message ?? detail;
    if (error === undefined && said !== undefined) {
      const words = typeof said === "string" ? said : JSON.stringify(said);
      return new Response(JSON.stringify({ error: { ...others, message: words } }), { status, headers });
    }
  } catch {
    // Pass on what cannot be read.
  }
  return new Response(text, { status, headers });
}

const textField = z.string().nullish().catch(undefined);

const count = z.number().nonnegative().nullish().catch(undefined);

const callShape = z.object({
  index: count,
  id: textField,
  function: z.object({ name: textField, arguments: textField }).nullish().catch(undefined),
});

const messageShape = z
  .object({
    content: textField,
    refusal: textField,
    reasoning_content: textField,
    tool_calls: z.array(callShape).nullish().catch(undefined),
  })
  .nullish()
  .catch(undefined);

const chunkShape = z.object({
  model: textField,
  error: z.looseObject({}).nullish().catch(undefined),
  choices: z
    .array(z.object({ delta: messageShape, message: messageShape, finish_reason: textField }))
    .nullish()
    .catch(undefined),
  usage: z
    .object({
      prompt_tokens: count,
      completion_tokens: count,
      prompt_tokens_details: z.object({ cached_tokens: count, cache_write_tokens: count }).nullish().catch(undefined),
    })
    .nullish()
    .catch(undefined),
});

/** Why an answer ended, in the words of `AnswerDraft`. Tool calls need no reason: the calls show it. */
const ENDS: Readonly<Record<string, string>> = { length: "max_tokens", content_filter: "refusal" };

/**
 * Adds a chunk of a stream, or a whole completion, to `draft`. Any field may be missing, since imitations leave some
 * out. Throws an APIError for a failure that came with the status of an answer.
 */
function readChunk(chunk: unknown, draft: AnswerDraft): void {
  const { data } = chunkShape.safeParse(chunk);
  if (data === undefined) return;
  if (data.error) throw new APIError(undefined, data.error, undefined, undefined);
  draft.model = data.model || draft.model;
  const [choice] = data.choices ?? [];
  const { content, refusal, reasoning_content: thought, tool_calls: calls } = choice?.delta ?? choice?.message ?? {};
  if (thought) addThought(draft, thought);
  if (content) addText(draft, content);
  if (refusal) {
    addText(draft, refusal);
    draft.stopReason = "refusal";
  }
  for (const [at, call] of (calls ?? []).entries()) addCall(draft, call, choice?.delta ? (call.index ?? 0) : at);
  if (choice?.finish_reason) draft.stopReason ??= ENDS[choice.finish_reason] ?? choice.finish_reason;
  const { usage } = data;
  // The count alone follows the end; a message comes whole. Imitations may give no finish reason.
  if (choice?.message || (usage && data.choices?.length === 0)) draft.finished = true;
  if (!usage) return;
  const { cached_tokens: read, cache_write_tokens: written } = usage.prompt_tokens_details ?? {};
  draft.usage.cacheRead = read ?? draft.usage.cacheRead;
  draft.usage.cacheWrite = written ?? draft.usage.cacheWrite;
  // This count includes cached input.
  if (usage.prompt_tokens != null) draft.usage.input = Math.max(0, usage.prompt_tokens - (read ?? 0) - (written ?? 0));
  draft.usage.output = usage.completion_tokens ?? draft.usage.output;
}

/** Thinking is paid for, and goes back to the model with the tool calls that follow it. It has no signature here. */
function addThought(draft: AnswerDraft, thought: string): void {
  const block = draft.blocks.find((one): one is DraftBlock & { type: "thinking" } => one.type === "thinking");
  if (block) block.thinking += thought;
  else draft.blocks.push({ index: undefined, type: "thinking", thinking: thought, signature: "" });
}

function addText(draft: AnswerDraft, text: string): void {
  const block = draft.blocks.find((one): one is DraftBlock & { type: "text" } => one.type === "text");
  if (block) block.text += text;
  else draft.blocks.push({ index: undefined, type: "text", text });
}

function addCall(draft: AnswerDraft, { id, function: called }: z.infer<typeof callShape>, index: number): void {
  const json = called?.arguments ?? "";
  const known = draft.blocks.findLast(
    (one): one is DraftBlock & { type: "tool_use" } => one.type === "tool_use" && one.index === index,
  );
  // Imitations may number all calls 0: a new id begins a new call.
  if (known && (!id || id === known.id)) known.json += json;
  else {
    const name = called?.name ?? "";
    const own = id || `call_${draft.blocks.length + 1}`;
    draft.blocks.push({ index, type: "tool_use", id: own, name, input: undefined, json });
  }
}
