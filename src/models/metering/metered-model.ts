import { createHash, randomUUID } from "node:crypto";
import { setTimeout as delay } from "node:timers/promises";
import { cancelled, untilAborted } from "../../data/cancellation.ts";
import { isMagisError, MagisError } from "../../data/error.ts";
import type { Metrics } from "../../data/metrics.ts";
import { inSpan, type Traces } from "../../data/traces.ts";
import type { LanguageModel, ModelAnswer, ModelRequest, PaidCalls, RecordedCall } from "../language-model.ts";
import type { PromptLibrary } from "../prompt-library.ts";
import {
  addCosts,
  type BudgetKeeper,
  budgetReached,
  type CallCost,
  costOfError,
  countTokens,
} from "./budget-keeper.ts";

/** What a run's calls are paid, counted and watched with. */
interface Metering {
  store: PaidCalls;
  runId: string;
  keeper: BudgetKeeper;
  /** names the role of each call to the metrics */
  prompts?: PromptLibrary;
  metrics?: Metrics | undefined;
  traces?: Traces | undefined;
}

/**
 * The one way from a run's agents to the provider of the model. A call is paid once; an answer that breaks off is asked
 * for again; each attempt needs room in the budget; metrics and traces see what was paid; and the provider's SDK repeats
 * what is refused for a while.
 */
export function meteredModel(provider: LanguageModel, metering: Metering): LanguageModel {
  const limited = withBudget(withObservation(provider, metering), metering.keeper);
  return withPaidOnce(withRetry(limited), metering.store, metering.runId);
}

/**
 * `model` that pays for each request of the run `runId` once: a finished call is answered from `store`, in this process or
 * a later one, and identical calls at the same time share one. A failed call is recorded with what it used, and made
 * anew when it is asked for again. Throws what `model` and `store` throw.
 */
export function withPaidOnce(model: LanguageModel, store: PaidCalls, runId: string): LanguageModel {
  const running = new Map<string, Promise<ModelAnswer>>();

  const pay = async (key: string, request: ModelRequest, signal: AbortSignal): Promise<ModelAnswer> => {
    const kept = await store.recordedCall(runId, key);
    if (kept?.answer !== undefined) return kept.answer;
    const { promptId, tier } = request;
    const [start, from] = [Date.now(), performance.now()];
    const lasted = () => Math.round(performance.now() - from);
    try {
      const answer = await model.complete(request, signal);
      const { usage, money, elapsed } = answer;
      // What it waited for the budget's room beforehand is not part of it.
      const began = Math.round(start + Math.max(0, lasted() - elapsed));
      await store.recordCall(runId, { key, promptId, tier, answer, tokens: countTokens(usage), money, elapsed, began });
      return answer;
    } catch (error) {
      const failure = failureOf(error, lasted());
      if (failure !== undefined) {
        await store.recordCall(runId, { key: failureKey(key), promptId, tier, ...failure, began: start });
      }
      throw error;
    }
  };

  const complete = async (request: ModelRequest, signal: AbortSignal): Promise<ModelAnswer> => {
    const key = requestKey(request);
    for (let shared = running.get(key); shared !== undefined; shared = running.get(key)) {
      try {
        return await untilAborted(shared, signal);
      } catch (error) {
        // The other caller was cancelled; this one was not, and pays itself.
        if (!isMagisError(error, "RUN_CANCELLED") || signal.aborted) throw error;
      }
    }
    const own = pay(key, request, signal).finally(() => running.delete(key));
    running.set(key, own);
    return own;
  };

  return { complete, worstCase: (request) => model.worstCase(request) };
}

type Failure = Pick<RecordedCall, "tokens" | "money" | "elapsed" | "failure">;

/** What is kept of a failed call; undefined when nothing was called. */
function failureOf(error: unknown, elapsed: number): Failure | undefined {
  const cost = costOfError(error);
  if (cost === undefined || !(error instanceof MagisError)) return undefined;
  const failure = `${error.code}: ${error.message}`;
  return { tokens: countTokens(cost.usage), money: cost.money, elapsed, failure };
}

/** A key of its own for each failure, so that neither a later answer nor a later failure replaces what this one used. */
function failureKey(key: string): string {
  return createHash("sha256").update(`${key} failed ${randomUUID()}`).digest("hex");
}

/**
 * SHA-256 (hex) of what the request says, whatever the order of its keys; not of how it is sent: what the provider is to
 * keep in its cache, and whether a tool is forced. The same request has the same key in every process, with an image's
 * bytes in hand or without: its hash stands for them.
 */
export function requestKey({ keep: _, mustAnswer: __, ...request }: ModelRequest): string {
  const parts = request.parts.map(({ cache: _, ...part }) =>
    part.images ? { ...part, images: part.images.map(({ mediaType, hash }) => ({ mediaType, hash })) } : part,
  );
  return createHash("sha256")
    .update(canonical({ ...request, parts }))
    .digest("hex");
}

function canonical(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map((item) => canonical(item)).join(",")}]`;
  if (value === null || typeof value !== "object") return JSON.stringify(value) ?? "null";
  const entries = Object.entries(value)
    .filter(([, item]) => item !== undefined)
    .sort(([a], [b]) => (a < b ? -1 : 1));
  return `{${entries.map(([key, item]) => `${JSON.stringify(key)}:${canonical(item)}`).join(",")}}`;
}

const ATTEMPTS = 3;

const NOTHING: CallCost = { usage: { input: 0, cacheWrite: 0, cacheRead: 0, output: 0 }, money: 0 };

/**
 * `model` that asks again, twice at most, when an answer broke off on its way (MODEL_UNAVAILABLE with `data.brokenOff`),
 * after `pauseMs` and then twice that. The answer, or the last error, carries the cost of all attempts. It belongs
 * around `withBudget`: every attempt then needs room of its own, and the budget holds.
 */
export function withRetry(model: LanguageModel, pauseMs = 1000): LanguageModel {
  const complete = async (request: ModelRequest, signal: AbortSignal): Promise<ModelAnswer> => {
    let before = NOTHING;
    for (let attempt = 1; ; attempt += 1) {
      try {
        const answer = await model.complete(request, signal);
        return { ...answer, ...addCosts(before, answer) };
      } catch (error) {
        if (!(error instanceof MagisError)) throw error;
        const cost = costOfError(error);
        if (cost !== undefined) before = addCosts(before, cost);
        if (error.data.brokenOff !== true || attempt === ATTEMPTS) throw withCost(error, cost, before);
      }
      await delay(pauseMs * attempt, undefined, { signal }).catch((error: unknown) => {
        throw withCost(cancelled(), undefined, before, error);
      });
    }
  };
  return { complete, worstCase: (request) => model.worstCase(request) };
}

/** `error` with the cost of all attempts; unchanged when no attempt was ever made. */
function withCost(error: MagisError, own: CallCost | undefined, all: CallCost, cause: unknown = error): MagisError {
  if (own === undefined && all === NOTHING) return error;
  return new MagisError(error.code, error.message, { ...error.data, ...all }, cause);
}

/**
 * `model` within the run's budget: each call reserves its worst case first and counts what it really used, failed or not.
 * Throws BUDGET_REACHED with `data.limit`: before a call that has no room, in a call that the minutes run out in, and
 * after an answer that was cut off because there was no room for the whole of it (these two with usage and money).
 */
export function withBudget(model: LanguageModel, keeper: BudgetKeeper): LanguageModel {
  const complete = async (request: ModelRequest, signal: AbortSignal): Promise<ModelAnswer> => {
    const deadline = startDeadline(keeper.timeLeft, signal);
    try {
      const worstCase = (maxTokens: number) => model.worstCase({ ...request, maxTokens });
      const room = await keeper.reserve({ maxTokens: request.maxTokens, worstCase }, deadline.signal);
      const answer = await settled(room.settle, () =>
        model.complete({ ...request, maxTokens: room.maxTokens }, deadline.signal),
      );
      if (answer.stop === "length" && room.maxTokens < request.maxTokens) {
        throw budgetReached(room.limit, keeper.budget, { usage: answer.usage, money: answer.money });
      }
      return answer;
    } catch (error) {
      if (!deadline.passed() || !isMagisError(error, "RUN_CANCELLED")) throw error;
      throw budgetReached("minutes", keeper.budget, costOfError(error));
    } finally {
      deadline.close();
    }
  };
  return { complete, worstCase: (request) => model.worstCase(request) };
}

async function settled(
  settle: (used: { tokens: number; money: number }) => void,
  call: () => Promise<ModelAnswer>,
): Promise<ModelAnswer> {
  try {
    const answer = await call();
    settle({ tokens: countTokens(answer.usage), money: answer.money });
    return answer;
  } catch (error) {
    const cost = costOfError(error);
    settle({ tokens: cost === undefined ? 0 : countTokens(cost.usage), money: cost?.money ?? 0 });
    throw error;
  }
}

/** A signal that aborts with another one, or when time is up. */
interface Deadline {
  signal: AbortSignal;
  /** it was the time, not the other signal */
  passed(): boolean;
  /** lets go of timer and listener */
  close(): void;
}

/** A longer timer than this fires at once. */
const MAX_TIMER = 2 ** 31 - 1;

/** Aborts when `timeLeft` (milliseconds) comes to zero, or with `outer`. */
function startDeadline(timeLeft: () => number, outer: AbortSignal): Deadline {
  const controller = new AbortController();
  const abort = (): void => controller.abort();
  let timer: NodeJS.Timeout | undefined;
  let over = false;
  const check = (): void => {
    const left = timeLeft();
    if (left > 0) {
      timer = setTimeout(check, Math.min(Math.ceil(left), MAX_TIMER));
      return;
    }
    over = !outer.aborted;
    abort();
  };
  if (outer.aborted) abort();
  outer.addEventListener("abort", abort, { once: true });
  check();
  return {
    signal: controller.signal,
    passed: () => over,
    close: () => {
      clearTimeout(timer);
      outer.removeEventListener("abort", abort);
    },
  };
}

/** `model`, whose calls have a span each, and whose costs are counted: those of answers, and of failures that cost something. */
function withObservation(model: LanguageModel, { prompts, metrics, traces }: Metering): LanguageModel {
  const counted: LanguageModel["complete"] = async (request, signal) => {
    const role = prompts?.prompts.get(request.promptId)?.role ?? "other";
    try {
      const answer = await model.complete(request, signal);
      metrics?.modelCalled({ role, ...answer });
      return answer;
    } catch (error) {
      const cost = costOfError(error);
      if (cost) metrics?.modelCalled({ role, model: request.tier, ...cost });
      throw error;
    }
  };
  return {
    worstCase: (request) => model.worstCase(request),
    complete: (request, signal) =>
      inSpan(traces, { kind: "model call", prompt: request.promptId, tier: request.tier }, async (end) => {
        const answer = await counted(request, signal);
        end({ model: answer.model, usage: answer.usage, money: answer.money });
        return answer;
      }),
  };
}
