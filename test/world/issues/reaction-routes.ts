import { accountOf } from "../account-of.ts";
import { failure } from "../front/answers.ts";
import type { Call, Route } from "../state.ts";

const CONTENTS = new Set(["+1", "-1", "laugh", "hooray", "confused", "heart", "rocket", "eyes"]);

/** Reactions to issues, issue comments and review comments: one of each kind per user. */
export function reactionRoutes(): Route[] {
  const R = "/repos/{owner}/{repo}";
  return ["issues", "issues/comments", "pulls/comments"].flatMap((kind): Route[] => [
    ["POST", `${R}/${kind}/{id}/reactions`, (call) => react(call, `${kind}/${call.params.id}`)],
  ]);
}

async function react(call: Call, subject: string) {
  const { repo, state, actor, body } = call;
  const content = String(body.content);
  if (!CONTENTS.has(content)) return failure(422, "Validation Failed");
  const exists = subject.startsWith("pulls/comments/")
    ? repo.threads.some((thread) => thread.comments.some(({ id }) => subject.endsWith(`/${id}`)))
    : isPull(call, subject) ||
      (await state.emulate.ask("GET", `/repos/${repo.owner}/${repo.name}/${subject}`)).status === 200;
  if (!exists) return failure(404, "Not Found");
  const mine = ({ row }: { row: { content: string; user: { login: string } } }) =>
    row.content === content && row.user.login === actor.login;
  const before = repo.reactions.find((one) => one.subject === subject && mine(one));
  if (before !== undefined) return { status: 200, body: before.row };
  const id = state.nextId();
  const user = await accountOf(state, actor.login);
  const row = { id, node_id: `REA_${id}`, user, content, created_at: new Date().toISOString() };
  repo.reactions.push({ subject, row });
  return { status: 201, body: row };
}

function isPull({ repo }: Call, subject: string): boolean {
  return repo.pulls.has(Number(/^issues\/(\d+)$/.exec(subject)?.[1]));
}
