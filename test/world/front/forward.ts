import { completeIssue, reactionSummary } from "../issues/complete-issue.ts";
import type { Answer, Call, Fields } from "../state.ts";

/** Lets emulate answer a request, and completes the issues and comments in the answer. */
export async function forward(call: Call): Promise<Answer> {
  const { state, method, path, query, actor, accept, body } = call;
  const search = query.size === 0 ? "" : `?${query}`;
  const bare = method === "GET" || (method === "DELETE" && Object.keys(body).length === 0);
  const given = bare ? {} : { body };
  const answer = await state.emulate.ask(method, path + search, { token: actor.token, accept, ...given });
  if (answer.status >= 400 || answer.body === undefined) return answer;
  const complete = (row: unknown) => (row !== null && typeof row === "object" ? completed(call, row as Fields) : row);
  return { ...answer, body: Array.isArray(answer.body) ? answer.body.map(complete) : complete(answer.body) };
}

function completed({ state, repo }: Call, row: Fields): Fields {
  if (typeof row.number === "number" && "labels_url" in row)
    return completeIssue(state, repo, { ...row, number: row.number });
  if (typeof row.id !== "number" || !("issue_url" in row)) return row;
  return { ...row, reactions: reactionSummary(repo, `issues/comments/${row.id}`, String(row.url)) };
}
