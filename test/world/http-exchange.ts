import { Agent, type IncomingHttpHeaders, type IncomingMessage, request } from "node:http";
import { readText } from "./front/read-text.ts";

interface HttpRequest {
  readonly method: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string | undefined;
  /** how long an answer is waited for, to its end; absent: for ever */
  readonly limitMs?: number;
  /** breaks off what is under way when it is destroyed */
  readonly agent?: Agent;
}

interface HttpAnswer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly text: string;
}

/** Keeps connections, but closes idle ones long before a server does so, which might be at the moment of a request. */
export const createAgent = () => new Agent({ keepAlive: true, timeout: 1_000 });

const shared = createAgent();

/**
 * One exchange with a server on loopback, no redirect followed. The world makes thousands of them in a test file, each of
 * which costs half of what it costs by `fetch`.
 */
export function httpExchange(url: string, given: HttpRequest): Promise<HttpAnswer> {
  const { method, headers, body, limitMs, agent = shared } = given;
  return new Promise((resolve, reject) => {
    const length = body === undefined ? {} : { "content-length": Buffer.byteLength(body) };
    const sent = request(url, { method, headers: { ...headers, ...length }, agent });
    if (limitMs !== undefined) {
      const limit = setTimeout(() => sent.destroy(new Error(`no answer came in ${limitMs} ms`)), limitMs);
      sent.on("close", () => clearTimeout(limit));
    }
    sent.on("error", reject);
    sent.on("response", (response: IncomingMessage) => {
      const { statusCode: status = 0, headers: told } = response;
      readText(response).then((text) => resolve({ status, headers: told, text }), reject);
    });
    sent.end(body);
  });
}
