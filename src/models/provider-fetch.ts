import { LONGEST_REFUSAL, readBeginning } from "../text/bounded.ts";

/** Bytes of one answer; the longest that models give are a fraction of this. */
const MAX_ANSWER = 64 * 1024 * 1024;

/** "Misdirected Request": no SDK repeats it. */
export const LEADS_ELSEWHERE = 421;

class AnswerTooLargeError extends Error {}

interface ProviderDoor {
  /** the configured address; requests go to its origin only */
  baseUrl: string;
  /** of one answer; 64 MB when absent */
  maxBytes?: number;
  /** used in place of the SDK's headers */
  headers?: Readonly<Record<string, string>>;
}

/**
 * The `fetch` of every provider's client: prompts and keys go to the configured origin only, whatever the endpoint
 * answers. Redirects and addresses of other origins give LEADS_ELSEWHERE; an answer above the limit
 * breaks off. Of a refusal only the beginning is read.
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
    if (response.ok) return bounded(response, maxBytes);
    const { status, statusText, headers: answered } = response;
    const refusal = response.body && (await readBeginning(response.body, LONGEST_REFUSAL));
    return new Response(refusal, { status, statusText, headers: answered });
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
