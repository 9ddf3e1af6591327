import { htmlOf, renderBody } from "../render-body.ts";
import type { Actor, Answer, Fields, Route, WorldState } from "../state.ts";
import { appRequest } from "./app-request.ts";
import { authorise } from "./authorise.ts";
import { failure } from "./failure.ts";
import { forward } from "./forward.ts";
import { matchRoute } from "./match-route.ts";
import { requiredAccess } from "./required-access.ts";

export interface RestRequest {
  method: string;
  /** Without the /api/v3 prefix. */
  path: string;
  query: URLSearchParams;
  accept: string;
  body: Fields;
}

const TOO_LONG = 65_536;

/** Answers one authenticated REST request: checks access, then uses the first matching route or emulate. */
export async function restRequest(
  state: WorldState,
  routes: Route[],
  actor: Actor,
  request: RestRequest,
): Promise<Answer> {
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
