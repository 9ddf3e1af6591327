import type { LanguageModel, ModelAnswer, ModelRequest } from "../../../src/models/language-model.ts";
import { createOpenAiModel } from "../../../src/models/openai/openai-model.ts";
import { scriptedRequest } from "../../scripted-model/scripted-request.ts";
import { startGateway } from "../anthropic/start-gateway.ts";

export const OPENAI_KEY = "sk-secret-key-1234";

/** A model behind `url`, which stands without `/v1`; `warned` is what it has told the log. */
export function openAiAt(
  url: string,
  { timeoutMs = 20_000, effort }: { timeoutMs?: number; effort?: "low" | "high" } = {},
): LanguageModel & { warned: readonly object[] } {
  const warned: object[] = [];
  const model = createOpenAiModel({
    apiKey: OPENAI_KEY,
    baseUrl: `${url.replace(/\/$/, "")}/v1`,
    timeoutMs,
    models: { fast: "small-1", strong: "big-1" },
    prices: { "small-1": { input: 1, output: 5 }, "big-1": { input: 4, output: 20, cacheRead: 0.4 } },
    effort: effort && { fast: effort, strong: effort },
    log: { debug: () => undefined, warn: (data: object) => void warned.push(data) },
  });
  return { ...model, warned };
}

const never = new AbortController().signal;

/** What the model makes of an endpoint that answers every call with this body; `end: false` leaves it open. */
export async function answerTo(
  given: { status?: number; type?: string; body: string; end?: boolean },
  { request = {}, timeoutMs = 20_000 }: { request?: Partial<ModelRequest>; timeoutMs?: number } = {},
): Promise<ModelAnswer> {
  const { status = 200, type = "text/event-stream", body, end = true } = given;
  const { url, close } = await startGateway(status, type, body, end);
  try {
    return await openAiAt(url, { timeoutMs }).complete(scriptedRequest(request), never);
  } finally {
    await close();
  }
}

/** Chunks of a stream, each with one choice, and the end of it. */
export const chunks = (...choices: readonly object[]): string =>
  [...choices.map((choice) => JSON.stringify({ choices: [choice] })), "[DONE]"]
    .map((data) => `data: ${data}\n\n`)
    .join("");
