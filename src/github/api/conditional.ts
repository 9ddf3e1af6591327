import { LRUCache } from "lru-cache";

/** What is read again and again while checks run; it changes less often than we ask. */
const REPEATED = new RegExp(
  [
    "/commits/[^/]+/(?:check-runs|check-suites|status)$",
    "/actions/(?:runs|jobs/\\d+|runs/\\d+/artifacts)$",
    "/(?:pulls(?:/\\d+)?|issues/\\d+)$",
    "/contents/",
  ].join("|"),
);

interface Kept {
  readonly etag: string;
  readonly body: ArrayBuffer;
  readonly headers: Headers;
}

const MAX_BYTES = 16_000_000;

/**
 * Makes functions that turn `fetch` into one that keeps answers to repeated reads and asks whether they have changed.
 * GitHub does not count an answer "not modified" against its hourly limit, and gives it only to whoever may read the
 * answer now. All of them share what they keep, and the same reads go one after the other.
 */
export function createConditional(): (send: typeof fetch) => typeof fetch {
  const kept = new LRUCache<string, Kept>({
    maxSize: MAX_BYTES,
    sizeCalculation: ({ body }) => body.byteLength + 1_000,
  });
  const underWay = new Map<string, Promise<unknown>>();
  return (send) => async (input, init) => {
    const url = String(input instanceof Request ? input.url : input);
    const isRepeated = (init?.method ?? "GET") === "GET" && REPEATED.test(new URL(url).pathname);
    if (!isRepeated) return send(input, init);
    const headers = new Headers(init?.headers);
    // What is asked for in another form is another answer.
    const key = `${headers.get("accept")} ${url}`;
    // After the same read under way, this one costs nothing, unless the answer has changed meanwhile.
    const answer = (underWay.get(key) ?? Promise.resolve()).then(() =>
      ask(send, input, { ...init, headers }, { key, kept }),
    );
    const done = answer.catch(() => undefined);
    underWay.set(key, done);
    void done.then(() => underWay.get(key) === done && underWay.delete(key));
    return answer;
  };
}

async function ask(
  send: typeof fetch,
  input: Parameters<typeof fetch>[0],
  init: RequestInit & { readonly headers: Headers },
  { key, kept }: { readonly key: string; readonly kept: LRUCache<string, Kept> },
): Promise<Response> {
  const known = kept.get(key);
  if (known) init.headers.set("if-none-match", known.etag);
  const response = await send(input, init);
  if (response.status === 304 && known) {
    await response.body?.cancel();
    return answerOf(known, response.url);
  }
  const etag = response.headers.get("etag");
  if (response.status !== 200 || etag === null) return response;
  const body = await response.arrayBuffer();
  const answer = { etag, body, headers: response.headers };
  kept.set(key, answer);
  return answerOf(answer, response.url);
}

function answerOf({ body, headers }: Kept, url: string): Response {
  const response = new Response(body.slice(0), { status: 200, headers });
  // A response made by hand has no URL, but the client needs it to page through some lists.
  return Object.defineProperty(response, "url", { value: url });
}
