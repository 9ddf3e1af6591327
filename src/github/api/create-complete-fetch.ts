/**
 * A `fetch` that answers only once the whole body is there, and fails after `timeoutMs`.
 * The client library takes a body cut off on the way for an empty one; here it is a network fault.
 */
export function createCompleteFetch(send: typeof fetch, timeoutMs: number): typeof fetch {
  return async (input, init) => {
    const response = await send(input, { ...init, signal: AbortSignal.timeout(timeoutMs) });
    if (response.body === null) return response;
    const body = await response.arrayBuffer();
    const { status, statusText, headers, url } = response;
    const complete = new Response(body, { status, statusText, headers });
    // One that is made by hand has no address, and the client pages through some lists by it.
    return Object.defineProperty(complete, "url", { value: url });
  };
}
