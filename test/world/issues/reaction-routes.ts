import { accountOf } from "../account-of.ts";
import { failure } from "../front/answers.ts";
import type { Call, Route } from "../state.ts";

const CONTENTS = new Set(["+1", "-1", "laugh", "hooray", "confused", "heart", "rocket", "eyes"]);

/** Reactions to issues, issue comments and review comments: one of each kind per user. */
export function reactionRoutes(): Route[] {
  const R = "/repos/{owner}/{repo}";
  return ["issues", "issues/comments", "pulls/comments"].flatMap((kind): Route[] => [
    ["POST", `${R}/${kind}/{id}/reactions`, (call) => react(call, `${kind}/${call.params.id}`)],
    ["GET", `${R}/${kind}/{id}/reactions`, async (call) => list(call, `${kind}/${call.params.id}`)],
    ["DELETE", `${R}/${kind}/{id}/reactions/{reaction}`, async (call) => remove(call)],
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

function list({ repo }: Call, subject: string) {
  return { status: 200, body: repo.reactions.filter((one) => one.subject === subject).map(({ row }) => row) };
}

function remove({ repo, params }: Call) {
  const index = repo.reactions.findIndex(({ row }) => String(row.id) === params.reaction);
  if (index < 0) return failure(404, "Not Found");
  repo.reactions.splice(index, 1);
  return { status: 204 };
}

function isPull({ repo }: Call, subject: string): boolean {
  return repo.pulls.has(Number(/^issues\/(\d+)$/.exec(subject)?.[1]));
}
