import { createHash, randomUUID } from "node:crypto";
import { appendFile } from "node:fs/promises";
import type Anthropic from "@anthropic-ai/sdk";
import { APIError } from "@anthropic-ai/sdk";
import { cancelled, untilAborted } from "../../model/cancellation.ts";
import { MagisError } from "../../model/error.ts";
import type { ModelPrice } from "../../model/prices.ts";
import type { LanguageModel, ModelAnswer, ModelRequest } from "../../ports/language-model.ts";
import { startAnswerDraft } from "../answer-draft.ts";
import { answerOf, modelOf, priceOf, worstCase } from "../model-answer.ts";
import { toMagisError } from "../model-errors.ts";
import {
  type AnthropicEndpoint,
  type AnthropicModelOptions,
  createAnthropicClient,
  failureOf,
  paramsOf,
  refusesStrict,
} from "./anthropic-model.ts";
import { readAnswer } from "./read-answer.ts";
import { MISSING, resultsOf, takeUp } from "./sent-batches.ts";

interface BatchModelOptions extends Omit<AnthropicModelOptions, "client" | "secrets"> {
  readonly endpoint: AnthropicEndpoint;
  /** the file of all batches, a JSON line each: asking the same again finds the answers that were paid for */
  readonly file: string;
  readonly progress: (line: string) => void;
}

/** A batch is sent after so long without another request, in milliseconds. */
const LINGER = 1_500;

const MAX_REQUESTS = 5_000;

/** The most bytes of a batch's results: 5,000 long answers. */
const MAX_RESULTS = 512 * 1024 * 1024;

type Params = Anthropic.Messages.MessageCreateParamsNonStreaming;
type Result = Anthropic.Messages.MessageBatchResult;

/** A request that waits for its answer; `key` identifies it in the batch. */
interface Asked {
  readonly key: string;
  readonly params: Params;
  readonly resolve: (result: Result) => void;
  readonly reject: (error: unknown) => void;
}

/**
 * A LanguageModel that sends requests together in message batches, at half the price; answers come when their batch has
 * ended. Does no I/O before the first call. Never resends a request of an earlier process, but waits for its batch.
 * Throws what `createAnthropicModel` throws.
 */
export function createBatchModel(options: BatchModelOptions): LanguageModel {
  for (const tier of ["fast", "strong"] as const) priceOf(options, options.models[tier]);
  const client = createAnthropicClient({ maxBytes: MAX_RESULTS, ...options.endpoint });
  const priceFor = (request: ModelRequest) => halved(priceOf(options, modelOf(options, request)));
  const mail = createMail(client, options);
  let strict = true;

  const complete = async (request: ModelRequest, signal: AbortSignal): Promise<ModelAnswer> => {
    const model = modelOf(options, request);
    const began = performance.now();
    const effort = request.effort ?? options.effort?.[request.tier];
    const ask = async (isStrict: boolean): Promise<ModelAnswer> => {
      const { stream: _, ...params } = paramsOf(request, model, effort, isStrict);
      const result = await untilAborted(mail.ask(params, signal), signal);
      if (result.type !== "succeeded") throw faultOf(result);
      const draft = startAnswerDraft();
      readAnswer(result.message, draft);
      return answerOf(draft, request, {
        effort,
        model,
        price: priceFor(request),
        elapsed: Math.round(performance.now() - began),
      });
    };
    if (signal.aborted) throw cancelled();
    try {
      return await ask(strict).catch((error: unknown) => {
        if (!strict || !refusesStrict(error, request)) throw error;
        strict = false;
        return ask(false);
      });
    } catch (error) {
      if (error instanceof MagisError) throw error;
      const usage = { input: 0, cacheWrite: 0, cacheRead: 0, output: 0 };
      const call = { model, usage, money: 0, cancelled: signal.aborted, brokenOff: true };
      throw toMagisError(error, failureOf(error), call, [options.endpoint.apiKey]);
    }
  };
  return { complete, worstCase: (request) => worstCase(request, priceFor(request)) };
}

function halved(price: ModelPrice): ModelPrice {
  const half = Object.entries(price).map(([kind, dollars]: [string, number]) => [kind, dollars / 2]);
  return Object.fromEntries(half) as unknown as ModelPrice;
}

const STATUS: Readonly<Record<string, number>> = {
  invalid_request_error: 400,
  authentication_error: 401,
  billing_error: 402,
  permission_error: 403,
  not_found_error: 404,
  rate_limit_error: 429,
  timeout_error: 504,
  overloaded_error: 529,
};

/**
 * The error for a request without an answer, as if it had been sent alone. If it was not begun in time, it may be sent
 * again.
 */
function faultOf(result: Exclude<Result, { type: "succeeded" }>): Error {
  if (result.type !== "errored") return new Error(`the batch's request was ${result.type}`);
  const { error } = result.error;
  return APIError.generate(STATUS[error.type] ?? 500, result.error, undefined, new Headers());
}

/** Collects requests and delivers their answers. */
function createMail(
  client: Anthropic,
  { file, progress }: BatchModelOptions,
): { ask(params: Params, signal: AbortSignal): Promise<Result> } {
  const known = new Map<string, Promise<Result>>();
  let queue: Asked[] = [];
  let timer: NodeJS.Timeout | undefined;
  let opened: Promise<void> | undefined;

  const add = (key: string, params: Params, signal: AbortSignal): Promise<Result> => {
    const answer = new Promise<Result>((resolve, reject) => {
      const asked = { key, params, resolve, reject };
      queue.push(asked);
      const drop = () => {
        queue = queue.filter((one) => one !== asked);
        reject(cancelled());
      };
      signal.addEventListener("abort", drop, { once: true });
    });
    clearTimeout(timer);
    timer = setTimeout(() => {
      const sent = queue.splice(0, MAX_REQUESTS);
      if (sent.length === 0) return;
      if (queue.length > 0) timer?.refresh();
      send(sent).catch((error: unknown) => {
        for (const { reject } of sent) reject(error);
      });
    }, LINGER);
    return answer;
  };

  const send = async (asked: readonly Asked[]): Promise<void> => {
    const keys = asked.map(({ key }) => key);
    const intent = randomUUID();
    // Note what is about to be sent: after a crash in between, the batch is looked up.
    await note({ intent, at: new Date().toISOString(), keys });
    const requests = asked.map(({ key, params }) => ({ custom_id: key, params }));
    const { id } = await client.messages.batches.create({ requests }, { maxRetries: 0 });
    await note({ intent, batch: id });
    progress(`Batch ${id}: ${asked.length === 1 ? "one request is" : `${asked.length} requests are`} sent.`);
    const results = await resultsOf(client, id);
    progress(`Batch ${id} has ended.`);
    for (const { key, resolve, reject } of asked) {
      const result = results.get(key);
      if (result) resolve(result);
      else reject(new Error("the batch has no result for a request"));
    }
  };

  const note = (line: object) => appendFile(file, `${JSON.stringify(line)}\n`, { mode: 0o600 });

  return {
    async ask(params, signal) {
      opened ??= takeUp(known, client, { file, progress });
      await opened;
      if (signal.aborted) throw cancelled();
      const key = createHash("sha256").update(JSON.stringify(params)).digest("hex");
      const earlier = await known.get(key)?.catch(() => MISSING);
      if (earlier?.type === "succeeded") return earlier;
      if (earlier) known.delete(key);
      const answer = known.get(key) ?? add(key, params, signal);
      known.set(key, answer);
      // Forget failures, so that asking again sends a new request.
      answer.then(
        ({ type }) => type === "succeeded" || known.delete(key),
        () => known.delete(key),
      );
      return answer;
    },
  };
}
