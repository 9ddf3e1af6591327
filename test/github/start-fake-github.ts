import type { IncomingMessage } from "node:http";
import { serve } from "../serve.ts";

export interface Asked {
  method: string;
  /** without the /api/v3 of an Enterprise Server, and decoded */
  path: string;
  query: URLSearchParams;
  authorization: string;
  body: Readonly<Record<string, unknown>>;
}
export interface Answer {
  status?: number;
  body?: unknown;
  /** replaces `body`, and is sent as it is, not as JSON */
  text?: string;
  headers?: Readonly<Record<string, string>>;
  /** hangs up before answering, or in the middle of the body */
  drop?: "at once" | "half way";
}
export type Responder = (asked: Asked, base: string) => Answer | undefined;

export interface FakeGithub {
  /** name:port */
  host: string;
  asked: Asked[];
  /** the requests, except for the app's identity and tokens */
  calls: () => string[];
  close: () => Promise<void>;
}

/** A GitHub on loopback that answers by `respond`, or with 404. */
export async function startFakeGithub(respond: Responder): Promise<FakeGithub> {
  const asked: Asked[] = [];
  const { url, close } = await serve(async (request, response) => {
    const now = await read(request);
    asked.push(now);
    const answer = respond(now, base()) ?? { status: 404, body: { message: "Not Found", status: "404" } };
    if (answer.drop === "at once") return void request.socket.destroy();
    const text = answer.text ?? (answer.body === undefined ? "" : JSON.stringify(answer.body));
    const length = answer.drop === "half way" ? { "content-length": String(text.length + 100) } : {};
    const headers = { "content-type": "application/json; charset=utf-8", ...length, ...answer.headers };
    response.writeHead(answer.status ?? 200, headers);
    if (answer.drop === "half way") return void response.write(text, () => request.socket.destroy());
    response.end(text);
  });
  const base = (): string => `${url}/api/v3`;
  return {
    host: new URL(url).host,
    asked,
    calls: () => asked.filter(({ path }) => !/^\/app\b/.test(path)).map(({ method, path }) => `${method} ${path}`),
    close,
  };
}

async function read(request: IncomingMessage): Promise<Asked> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  const url = new URL(request.url ?? "/", "http://loopback");
  const text = Buffer.concat(chunks).toString("utf8");
  return {
    method: request.method ?? "",
    path: decodeURIComponent(url.pathname).replace(/^\/api\/v3/, ""),
    query: url.searchParams,
    authorization: request.headers.authorization ?? "",
    body: text ? JSON.parse(text) : {},
  };
}
