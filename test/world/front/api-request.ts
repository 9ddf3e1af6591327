import { randomUUID } from "node:crypto";
import type { IncomingMessage, ServerResponse } from "node:http";
import type { Actor, Answer, Fields, Route } from "../state.ts";
import { authenticate } from "./authenticate.ts";
import { failure } from "./failure.ts";
import type { FrontParts } from "./front-parts.ts";
import { readText } from "./read-text.ts";
import { restRequest } from "./rest-request.ts";

/** Serves one REST or GraphQL request: faults and holds, the sender, the answer, the contract and the journal. */
export async function apiRequest(
  parts: FrontParts,
  routes: Route[],
  request: IncomingMessage,
  response: ServerResponse,
  url: URL,
): Promise<void> {
  const { state, faults, journal } = parts;
  const method = request.method ?? "GET";
  const path = url.pathname.replace(/^\/api\/v3(?=\/)/, "").replace(/^\/api\/graphql$/, "/graphql");
  const whole = path + url.search;
  const kind = path === "/graphql" ? "graphql" : "rest";
  const parsed = parse(await readText(request));
  const actor = authenticate(state, request.headers.authorization);
  const login = "kind" in actor ? actor.login : "?";
  const finish = (answer: Answer, cut: boolean) => {
    const status = cut ? 0 : answer.status;
    journal.push({ kind, method, path: whole, status, actor: login, request: parsed, answer: answer.body });
    if (cut) request.socket.destroy();
    else send(response, answer);
  };
  const fault = faults.take(method, whole);
  if (fault !== undefined && fault.reset !== "after") {
    const { status = 500, body = { message: "Server Error" }, headers = {}, reset } = fault;
    return finish({ status, body, headers }, reset === "before");
  }
  await faults.pass(method, whole, "before");
  const accept = request.headers.accept ?? "";
  const asked = { method, path, query: url.searchParams, accept, body: (parsed ?? {}) as Fields };
  const answer = "kind" in actor ? await answerTo(parts, routes, actor, parsed === null ? undefined : asked) : actor;
  if (kind === "rest") {
    const checked = typeof answer.body === "string" ? undefined : answer.body;
    state.contract.rest({ ...asked, body: parsed, actor: login, status: answer.status, answer: checked });
  }
  await faults.pass(method, whole, "after");
  finish(answer, fault !== undefined);
}

type Asked = Parameters<typeof restRequest>[3];

async function answerTo(parts: FrontParts, routes: Route[], actor: Actor, asked: Asked | undefined): Promise<Answer> {
  const { state, graphql } = parts;
  if (asked === undefined) return failure(400, "Problems parsing JSON");
  if (asked.path !== "/graphql") return restRequest(state, routes, actor, asked);
  const answer = await graphql(state, actor, asked.body);
  const messages = (answer.errors ?? []).map((error) => String(error.message));
  // Without data the request itself was invalid; GitHub also gives errors beside data.
  if (answer.data === undefined) state.contract.graphql(actor.login, messages);
  return { status: 200, body: answer };
}

/** Null if it is not JSON, undefined if it is empty. */
function parse(raw: string): unknown {
  if (raw === "") return undefined;
  try {
    return JSON.parse(raw) as unknown;
  } catch {
    return null;
  }
}

function send(response: ServerResponse, { status, body, headers = {} }: Answer): void {
  response.writeHead(status, {
    "content-type": "application/json; charset=utf-8",
    "x-github-request-id": randomUUID(),
    "x-github-media-type": "github.v3; format=json",
    "x-ratelimit-limit": "5000",
    "x-ratelimit-remaining": "4999",
    "x-ratelimit-reset": String(Math.floor(Date.now() / 1000) + 3600),
    "x-ratelimit-used": "1",
    ...headers,
  });
  const text = typeof body === "string" ? body : JSON.stringify(body);
  response.end(status === 204 ? undefined : text);
}
