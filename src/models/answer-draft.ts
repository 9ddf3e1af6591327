import { NoApiError } from "./model-errors.ts";

/** What an SDK returns for a streaming request. */
interface SentRequest {
  withResponse(): Promise<{ data: AsyncIterable<unknown>; response: Response }>;
}

/**
 * Sends a request and reads the answer into `draft` as it arrives, until the stream ends or is silent for `silenceMs`;
 * `draft` keeps what came before. An endpoint that cannot stream may send the whole answer.
 * Throws what `send` and `read` throw, and NoApiError for a web page. Retries are the SDK's, before the first byte.
 */
export async function streamAnswer(
  send: (signal: AbortSignal) => SentRequest,
  read: (part: unknown, draft: AnswerDraft) => void,
  draft: AnswerDraft,
  { silenceMs, signal }: { silenceMs: number; signal: AbortSignal },
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

/** An empty draft. */
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

/** An answer as far as it has arrived. Kept when the stream breaks, because it was paid for. */
export interface AnswerDraft {
  /** in the order in which they began, without unknown kinds */
  blocks: DraftBlock[];
  model: string | undefined;
  stopReason: string | undefined;
  /** the provider has begun to answer */
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

/** A block as far as it has arrived; `index` is the provider's number for it, if any. */
export type DraftBlock = { index: number | undefined } & (
  | { type: "text"; text: string }
  | { type: "thinking"; thinking: string; signature: string }
  | { type: "redacted_thinking"; data: string }
  | {
      type: "tool_use";
      id: string;
      name: string;
      /** what came with the block's start: everything, if the provider does not stream inputs */
      input: unknown;
      /** the input as streamed so far */
      json: string;
    }
);
