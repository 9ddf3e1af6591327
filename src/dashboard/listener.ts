import type { IncomingMessage, ServerResponse } from "node:http";
import type { Log } from "../data/log.ts";
import type { Asked, Reply } from "./gate.ts";

/** Answers the requests of a web server by the dashboard. Never throws. */
export function createListener(
  answer: (asked: Asked) => Promise<Reply>,
  log: Log,
): (request: IncomingMessage, response: ServerResponse) => Promise<void> {
  return async (request, response) => {
    // No form of ours has a field.
    request.resume();
    const { status, headers, body } = await answer(askedBy(request)).catch((error: unknown) => {
      log.warn({ error }, "a page of the dashboard could not be made");
      return FAILED;
    });
    if (response.destroyed) return;
    for (const [name, value] of Object.entries(headers)) {
      if (value.length > 0) response.setHeader(name, value as string | string[]);
    }
    response.setHeader("content-length", Buffer.byteLength(body));
    response.writeHead(status).end(request.method === "HEAD" ? undefined : body);
  };
}

const FAILED: Reply = {
  status: 503,
  headers: { "content-type": "text/plain; charset=utf-8", "cache-control": "no-store" },
  body: "The page could not be made; the log says why.\n",
};

function askedBy({ method = "GET", url = "/", headers }: IncomingMessage): Asked {
  const at = url.indexOf("?");
  return {
    method,
    path: at < 0 ? url : url.slice(0, at),
    query: new URLSearchParams(at < 0 ? "" : url.slice(at)),
    host: headers.host ?? "",
    origin: headers.origin,
    cookies: cookiesIn(headers.cookie ?? ""),
  };
}

function cookiesIn(header: string): ReadonlyMap<string, string> {
  const pairs = header.split(/;\s*/).map((pair) => {
    const at = pair.indexOf("=");
    return [pair.slice(0, Math.max(at, 0)).trim(), pair.slice(at + 1)] as const;
  });
  return new Map(pairs);
}
