import type { IncomingMessage, RequestListener } from "node:http";
import { text } from "node:stream/consumers";
import { type Served, serve } from "../../serve.ts";

export interface Asked {
  headers: IncomingMessage["headers"];
  body: string;
}

export interface Answer {
  status?: number;
  /** JSON unless it is a text */
  body?: unknown;
  headers?: Readonly<Record<string, string>>;
}

/** By method and path, decoded and without the query: `GET /app`. "never": no answer comes. */
export type Routes = Record<string, Answer | "never" | ((asked: Asked) => Answer)>;

export interface RouteServer extends Served {
  /** may be changed at any time */
  routes: Routes;
  asked: (Asked & { route: string })[];
}

/** A small HTTP server on a free port of loopback; `other` answers what has no route, 404 without it. */
export async function startRoutes(
  routes: Routes,
  other?: (request: IncomingMessage, body: string) => Promise<Answer>,
): Promise<RouteServer> {
  const asked: RouteServer["asked"] = [];
  const listener: RequestListener = (request, response) => {
    const act = async () => {
      const body = await text(request);
      const route = `${request.method} ${decodeURIComponent((request.url ?? "").replace(/\?.*/, ""))}`;
      asked.push({ route, headers: request.headers, body });
      const found = routes[route];
      if (found === "never") return;
      const answer =
        typeof found === "function"
          ? found({ headers: request.headers, body })
          : (found ?? (await other?.(request, body)) ?? { status: 404, body: { message: "Not Found" } });
      const plain = typeof answer.body === "string";
      response.writeHead(answer.status ?? 200, {
        "content-type": plain ? "text/plain" : "application/json",
        ...answer.headers,
      });
      response.end(plain ? answer.body : JSON.stringify(answer.body ?? {}));
    };
    act().catch(() => response.destroy());
  };
  return { ...(await serve(listener)), routes, asked };
}
