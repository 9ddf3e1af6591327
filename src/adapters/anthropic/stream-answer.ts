import type Anthropic from "@anthropic-ai/sdk";
import type { AnswerDraft } from "./answer-draft.ts";
import { readAnswer } from "./read-answer.ts";

/**
 * Sends `params` and reads the answer into `draft` as it arrives, until the stream ends. Nothing arriving for
 * `silenceMs` ends it as well; `draft` then holds what came before. Throws what the SDK throws; repeats nothing
 * beyond the SDK's own retries, which happen before the first byte of an answer.
 */
export async function streamAnswer(
  client: Anthropic,
  params: Anthropic.Messages.MessageCreateParamsStreaming,
  draft: AnswerDraft,
  silenceMs: number,
  signal: AbortSignal,
): Promise<void> {
  const controller = new AbortController();
  const abort = (): void => controller.abort();
  if (signal.aborted) abort();
  signal.addEventListener("abort", abort, { once: true });
  let silence: NodeJS.Timeout | undefined;
  try {
    const sent = client.messages.create(params, { signal: controller.signal });
    const { data: events, response } = await sent.withResponse();
    draft.began = true;
    silence = setTimeout(abort, silenceMs);
    if (response.headers.get("content-type")?.includes("json") === true) {
      // A gateway that cannot stream answers with the whole message.
      readAnswer(await response.json(), draft);
      return;
    }
    for await (const event of events) {
      silence.refresh();
      readAnswer(event, draft);
    }
  } finally {
    clearTimeout(silence);
    signal.removeEventListener("abort", abort);
  }
}
