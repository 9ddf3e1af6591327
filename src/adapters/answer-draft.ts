import { NoApiError } from "./model-errors.ts";

/** What an SDK gives when it has sent a request that is to be answered by a stream. */
interface SentRequest {
  withResponse(): Promise<{ readonly data: AsyncIterable<unknown>; readonly response: Response }>;
}

/**
 * Sends a request and reads the answer into `draft` as it arrives, with `read`, until the stream ends. Nothing arriving for
 * `silenceMs` ends it as well; `draft` then holds what came before. An endpoint that cannot stream may answer with the whole.
 * Throws what `send` and `read` throw, and NoApiError where a web page answers; repeats nothing beyond the SDK's own
 * retries, which happen before the first byte of an answer.
 */
export async function streamAnswer(
  send: (signal: AbortSignal) => SentRequest,
  read: (part: unknown, draft: AnswerDraft) => void,
  draft: AnswerDraft,
  { silenceMs, signal }: { readonly silenceMs: number; readonly signal: AbortSignal },
): Promise<void> {
  const controller = new AbortController();
  const abort = (): void => controller.abort();
  if (signal.aborted) abort();
  signal.addEventListener("abort", abort, { once: true });
  let silence: NodeJS.Timeout | undefined;
  try {
    const { data: parts, response } = await send(controller.signal).withResponse();
    const type = response.headers.get("content-type") ?? "";
    if (type.includes("text/html")) {
      abort();
      throw new NoApiError();
    }
    draft.began = true;
    silence = setTimeout(abort, silenceMs);
    if (type.includes("json")) {
      read(await response.json(), draft);
      return;
    }
    for await (const part of parts) {
      silence.refresh();
      read(part, draft);
    }
  } finally {
    clearTimeout(silence);
    signal.removeEventListener("abort", abort);
  }
}

/** An answer of which nothing has arrived. */
export function startAnswerDraft(): AnswerDraft {
  return {
    blocks: [],
    model: undefined,
    stopReason: undefined,
    began: false,
    finished: false,
    usage: { input: undefined, cacheWrite: undefined, cacheRead: undefined, output: undefined },
  };
}

/** What has arrived of an answer; it is kept when the stream breaks, because it was paid for. */
export interface AnswerDraft {
  /** in the order of their beginnings; kinds that are not known are left out */
  readonly blocks: DraftBlock[];
  model: string | undefined;
  stopReason: string | undefined;
  /** the provider has accepted the request and begun to answer */
  began: boolean;
  /** the provider has said that the message is complete */
  finished: boolean;
  /** tokens as reported; undefined where the provider has said nothing */
  usage: {
    input: number | undefined;
    cacheWrite: number | undefined;
    cacheRead: number | undefined;
    output: number | undefined;
  };
}

/** A block of an answer as far as it has arrived; `index` is the provider's number of it, where it gives one. */
export type DraftBlock = { readonly index: number | undefined } & (
  | { readonly type: "text"; text: string }
  | { readonly type: "thinking"; thinking: string; signature: string }
  | { readonly type: "redacted_thinking"; data: string }
  | {
      readonly type: "tool_use";
      readonly id: string;
      readonly name: string;
      /** what came with the block's start: all of it where the provider does not stream inputs */
      readonly input: unknown;
      /** what was streamed of the input */
      json: string;
    }
);
