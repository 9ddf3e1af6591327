import type { IncomingMessage, RequestListener, ServerResponse } from "node:http";
import { relayHook } from "../hooks/relay-hook.ts";
import { readText } from "../http-exchange.ts";
import type { WorldState } from "../state.ts";
import { allRoutes, apiRequest } from "./api-request.ts";
import type { FrontParts } from "./front-parts.ts";
import { gitRequest } from "./git-request.ts";
import { registerRequest } from "./register-request.ts";
import { signInRequest } from "./sign-in-request.ts";

/** The listener that is GitHub to the bot: git, REST and GraphQL on one address. */
export function createFront(parts: FrontParts): RequestListener {
  const routes = allRoutes();
  return (request, response) => {
    const url = new URL(request.url ?? "/", parts.state.url);
    const path = url.pathname;
    const act = async () => {
      if (path === "/_hooks") return hook(parts.state, request, response);
      if (/^\/_(?:logs|artifacts)\//.test(path)) return stored(parts.state, path, request, response);
      if (path.startsWith("/storage/user/")) return uploaded(url, response);
      if (await registerRequest(parts, request, response, url)) return;
      if (await signInRequest(parts, request, response, url)) return;
      const git = /^\/([^/]+)\/([^/]+?)(?:\.git)?\/(info\/refs|git-upload-pack|git-receive-pack)$/.exec(path);
      if (git !== null) return gitRequest(parts, request, response, git, url);
      return apiRequest(parts, routes, request, response, url);
    };
    act().catch((error: unknown) => {
      if (request.errored !== null) return; // the client went away; a bot may be killed at any moment
      parts.state.contract.contradictions.push(
        `the world failed at ${request.method} ${path}: ${String((error as Error).stack)}`,
      );
      if (!response.headersSent) response.writeHead(500);
      response.end();
    });
  };
}

async function hook(state: WorldState, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const payload = state.emulate.parse(await readText(request)) as Parameters<typeof relayHook>[2];
  response.end("{}");
  await relayHook(state, String(request.headers["x-github-event"]), payload);
}

/** Serves an uploaded image, a pixel, to whoever has a signed address. */
function uploaded(url: URL, response: ServerResponse): void {
  const isSigned = url.searchParams.get("jwt")?.startsWith("eyJ") === true;
  response.writeHead(isSigned ? 200 : 404, { "content-type": "image/png" }).end(isSigned ? PIXEL : undefined);
}

const PIXEL = Buffer.from(
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==",
  "base64",
);

/** Serves stored files: the address suffices, and as at GitHub's storage a token is an error. */
async function stored(
  state: WorldState,
  path: string,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  if (request.headers.authorization !== undefined) {
    state.contract.violations.push(`GET ${path}: a token was sent to the host of the logs`);
    return void response.writeHead(400).end();
  }
  const [, kind, owner, name, id] = path.split("/");
  const repo = state.repositories.get(`${owner}/${name}`);
  if (kind === "_artifacts") {
    const found = repo?.workflows.flatMap(({ artifacts }) => artifacts).find((one) => one.id === Number(id));
    return void response.writeHead(found ? 200 : 404, { "content-type": "application/zip" }).end(found?.zip);
  }
  const log = repo?.jobLogs.get(Number(id));
  response.writeHead(log === undefined ? 404 : 200, { "content-type": "text/plain" }).end(log);
}
