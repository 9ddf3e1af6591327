/**
 * A `fetch` that answers only once the whole body is there, and fails after `timeoutMs`.
 * The client library takes a body cut off on the way for an empty one; here it is a network fault.
 */
export function createCompleteFetch(send: typeof fetch, timeoutMs: number): typeof fetch {
  return async (input, init) => {
    const response = await send(input, { ...init, signal: AbortSignal.timeout(timeoutMs) });
    if (response.body === null) return response;
    const body = await response.arrayBuffer();
    return new Response(body, {
      status: response.status,
      statusText: response.statusText,
      headers: response.headers,
    });
  };
}
