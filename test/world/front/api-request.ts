import { randomUUID } from "node:crypto";
import type { IncomingMessage, ServerResponse } from "node:http";
import { actionRoutes } from "../checks/action-routes.ts";
import { checkRoutes, statusRoutes } from "../checks/check-routes.ts";
import { historyRoutes } from "../git/history-routes.ts";
import { objectRoutes } from "../git/object-routes.ts";
import { refRoutes } from "../git/ref-routes.ts";
import { readText } from "../http-exchange.ts";
import { issueRoutes } from "../issues/issue-routes.ts";
import { pullRoutes } from "../pulls/pull-routes.ts";
import { htmlOf, renderBody } from "../render-body.ts";
import type { Actor, Answer, Fields, Handler, Route, WorldState } from "../state.ts";
import { failure } from "./answers.ts";
import { appRequest } from "./app-request.ts";
import { authorise, requiredAccess } from "./authorise.ts";
import { forward } from "./forward.ts";
import type { FrontParts } from "./front-parts.ts";
import { repositoryRoutes } from "./repository-routes.ts";

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
    const { status } = answer;
    const json = typeof answer.body === "string" ? undefined : answer.body;
    answer.body = state.contract.rest({ ...asked, body: parsed, actor: login, status, answer: json }) ?? answer.body;
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

/**
 * The sender of a request, or its 401: GitHub does not treat a wrong token as anonymous. Emulate checks a JWT's
 * signature; this function checks its lifetime, of at most ten minutes with a minute of clock drift.
 */
function authenticate(state: WorldState, authorization: string | undefined): Actor | Answer {
  const token = /^(?:bearer|token) (.+)$/i.exec(authorization ?? "")?.[1];
  if (token === undefined) return failure(401, "Requires authentication");
  if (token.startsWith("eyJ")) return authenticateApp(state, token);
  const actor = state.tokens.get(token);
  if (actor === undefined) return failure(401, "Bad credentials");
  if (actor.kind === "installation" && actor.expires <= Date.now()) return failure(401, "Bad credentials");
  return actor;
}

/** GitHub's words, by which Octokit knows that the clocks differ. */
const EXPIRED =
  "'Expiration time' claim ('exp') must be a numeric value representing the future time at which the assertion expires";
const TOO_EARLY = "'Issued at' claim ('iat') must be an Integer representing the time that the assertion was issued";

function authenticateApp(state: WorldState, token: string): Actor | Answer {
  let claims: { iat?: unknown; exp?: unknown; iss?: unknown };
  try {
    claims = JSON.parse(Buffer.from(token.split(".")[1] ?? "", "base64url").toString()) as typeof claims;
  } catch {
    return failure(401, "A JSON web token could not be decoded");
  }
  const now = Date.now() / 1000;
  const [iat, exp] = [Number(claims.iat), Number(claims.exp)];
  if (!(exp > now)) return failure(401, EXPIRED);
  if (exp > now + 600 + 60) return failure(401, "'Expiration time' claim ('exp') is too far in the future");
  if (!(iat <= now + 60)) return failure(401, TOO_EARLY);
  if (String(claims.iss) !== String(state.app.id)) return failure(401, "'Issuer' claim ('iss') must be an Integer");
  return { kind: "app", login: state.app.login, token };
}

interface RestRequest {
  method: string;
  /** Without the /api/v3 prefix. */
  path: string;
  query: URLSearchParams;
  accept: string;
  body: Fields;
}

const TOO_LONG = 65_536;

/** Answers one authenticated REST request: checks access, then uses the first matching route or emulate. */
async function restRequest(state: WorldState, routes: Route[], actor: Actor, request: RestRequest): Promise<Answer> {
  const { method, path, body } = request;
  const found = /^\/repos\/([^/]+)\/([^/]+)(\/.*)?$/.exec(path);
  if (path === "/markdown" && method === "POST")
    return {
      status: 200,
      body: renderBody(String(body.text), state.url),
      headers: { "content-type": "text/html; charset=utf-8" },
    };
  if (found === null) return appRequest(state, actor, method, path, body);
  const repo = state.repositories.get(`${found[1]}/${found[2]}`);
  const rest = found[3] ?? "";
  if (repo === undefined) return failure(404, "Not Found");
  if (actor.kind === "app" && rest === "/installation") return appRequest(state, actor, method, path, body);
  const refusal = authorise(actor, repo, requiredAccess(method, rest));
  if (refusal !== undefined) return refusal;
  if (typeof body.body === "string" && body.body.length > TOO_LONG)
    return failure(422, "Validation Failed", [
      { field: "body", code: "custom", message: "body is too long (maximum is 65536 characters)" },
    ]);
  const route = matchRoute(routes, method, path);
  const call = { state, repo, actor, ...request, params: route?.params ?? {} };
  const answer = await (route?.handler ?? forward)(call);
  return request.accept.includes("full") ? rendered(state, answer) : answer;
}

/** What people wrote, with how GitHub shows it: the media type `full` asks for both. */
function rendered(state: WorldState, answer: Answer): Answer {
  const withHtml = (row: unknown) => {
    if (row === null || typeof row !== "object" || !("body" in row)) return row;
    return { ...row, body_html: typeof row.body === "string" ? htmlOf(state, row.body) : null };
  };
  return { ...answer, body: Array.isArray(answer.body) ? answer.body.map(withHtml) : withHtml(answer.body) };
}

/** Build each pattern once: every request tries nearly a hundred. */
const patterns = new Map<string, RegExp>();

/** The first matching route, with its decoded parameters. */
function matchRoute(
  routes: Route[],
  method: string,
  path: string,
): { handler: Handler; params: Record<string, string> } | undefined {
  for (const [verb, template, handler] of routes) {
    if (verb !== method) continue;
    const found = patternOf(template).exec(path);
    if (found === null) continue;
    const params = Object.entries(found.groups ?? {}).map(([name, value]) => [name, decodeURIComponent(value)]);
    return { handler, params: Object.fromEntries(params) };
  }
  return undefined;
}

function patternOf(template: string): RegExp {
  const known = patterns.get(template);
  if (known) return known;
  const source = template.replace(/\{([a-z]+)(\+?)\}/g, (_, name: string, slashes: string) =>
    slashes === "+" ? `(?<${name}>.+)` : `(?<${name}>[^/]+)`,
  );
  const made = new RegExp(`^${source}$`);
  patterns.set(template, made);
  return made;
}

/** Everything that the front answers itself, more special routes first; emulate answers the rest. */
export function allRoutes(): Route[] {
  return [
    ...repositoryRoutes(),
    ...issueRoutes(),
    ...actionRoutes(),
    ...checkRoutes(),
    ...statusRoutes(),
    ...pullRoutes(),
    ...objectRoutes(),
    ...refRoutes(),
    ...historyRoutes(),
  ];
}
