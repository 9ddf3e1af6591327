/** Bytes that one answer of a model may have; the longest that a model can give are a fraction of it. */
const MAX_ANSWER = 64 * 1024 * 1024;

/** The status that stands for "not there": "Misdirected Request". No SDK repeats it. */
export const LEADS_ELSEWHERE = 421;

/** An answer that has no end. */
class AnswerTooLargeError extends Error {}

/** Where a provider is asked, and what of it is taken. */
interface ProviderDoor {
  /** the address that was configured: its origin is the only one that is asked */
  readonly baseUrl: string;
  /** the most bytes of one answer that are read; 64 MB when absent */
  readonly maxBytes?: number;
  /** the headers of each request, in place of those that the SDK has put together; the SDK's when absent */
  readonly headers?: Readonly<Record<string, string>>;
}

/**
 * The `fetch` of every client of a provider: prompts and keys go to the configured origin and nowhere else, whatever the
 * endpoint answers. A redirect, or an address of another origin in an answer (a batch's results), is answered with
 * LEADS_ELSEWHERE; an answer above the limit breaks off.
 */
export function createProviderFetch({ baseUrl, maxBytes = MAX_ANSWER, headers }: ProviderDoor): typeof fetch {
  const { origin } = new URL(baseUrl);
  return async (input, init) => {
    const url = input instanceof Request ? input.url : String(input);
    if (new URL(url).origin !== origin) return new Response(null, { status: LEADS_ELSEWHERE });
    const response = await fetch(input, { ...init, headers: headers ?? init?.headers, redirect: "manual" });
    if (response.status >= 300 && response.status < 400) {
      await response.body?.cancel();
      return new Response(null, { status: LEADS_ELSEWHERE });
    }
    return bounded(response, maxBytes);
  };
}

function bounded(response: Response, maxBytes: number): Response {
  if (response.body === null) return response;
  let read = 0;
  const counter = new TransformStream<Uint8Array, Uint8Array>({
    transform(chunk, controller) {
      read += chunk.byteLength;
      if (read > maxBytes) controller.error(new AnswerTooLargeError(`the answer is larger than ${maxBytes} bytes`));
      else controller.enqueue(chunk);
    },
  });
  const { status, statusText, headers } = response;
  return new Response(response.body.pipeThrough(counter), { status, statusText, headers });
}
