import { createHash, randomUUID } from "node:crypto";
import { untilAborted } from "../../model/cancellation.ts";
import { isMagisError, MagisError } from "../../model/error.ts";
import type { LanguageModel, ModelAnswer, ModelRequest } from "../../ports/language-model.ts";
import type { RecordedCall, RunStore } from "../../ports/runs.ts";
import { costOfError, countTokens } from "./call-cost.ts";

/**
 * `model` that pays for each request of the run `runId` once: a finished call is answered from `store`, in this process or
 * a later one, and identical calls at the same time share one. A failed call is recorded with what it used, and made
 * anew when it is asked for again. Throws what `model` and `store` throw.
 */
export function withPaidOnce(model: LanguageModel, store: RunStore, runId: string): LanguageModel {
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
