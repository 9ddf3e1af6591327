import { accountOf } from "../account-of.ts";
import { failure } from "../front/answers.ts";
import { roleOf } from "../front/authorise.ts";
import { forward } from "../front/forward.ts";
import type { Answer, Call, Fields, Role, Route } from "../state.ts";
import { issueOfPull } from "./complete-issue.ts";

type Row = Fields & { number: number; user: { login: string }; labels: { name: string }[] };

const TRIAGE: Role[] = ["triage", "write", "maintain", "admin"];
const WRITE: Role[] = ["write", "maintain", "admin"];

/** Issues where emulate is too lenient, or does not treat a pull request as an issue; reactions. */
export function issueRoutes(): Route[] {
  const R = "/repos/{owner}/{repo}/issues";
  const reactions = ["issues", "issues/comments"].map((kind): Route => {
    const path = `/repos/{owner}/{repo}/${kind}/{id}/reactions`;
    return ["POST", path, (call) => react(call, `${kind}/${call.params.id}`)];
  });
  return [
    ...reactions,
    ["GET", `${R}/{number}`, get],
    ["PATCH", `${R}/{number}`, update],
    ["POST", `${R}/{number}/comments`, comment],
    ["POST", `${R}/{number}/assignees`, assign],
    ["PATCH", `${R}/comments/{comment}`, touch],
    ["DELETE", `${R}/comments/{comment}`, touch],
  ];
}

const has = ({ repo, actor }: Call, roles: Role[]) =>
  actor.kind === "installation" || roles.includes(roleOf(repo, actor.login));

async function find(call: Call, number: number): Promise<Row | undefined> {
  const { state, repo } = call;
  if (repo.pulls.has(number)) return (await issueOfPull(state, repo, number)) as Row;
  const { status, body } = await state.emulate.ask("GET", `/repos/${repo.owner}/${repo.name}/issues/${number}`);
  return status === 200 ? (body as Row) : undefined;
}

async function get(call: Call): Promise<Answer> {
  const number = Number(call.params.number);
  return call.repo.pulls.has(number) ? { status: 200, body: await find(call, number) } : forward(call);
}

/** The author may edit and close an issue; others need triage. */
async function update(call: Call): Promise<Answer> {
  const number = Number(call.params.number);
  const issue = await find(call, number);
  if (issue === undefined) return failure(404, "Not Found");
  if (issue.user.login !== call.actor.login && !has(call, TRIAGE))
    return failure(403, "Must have admin rights to Repository.");
  return call.repo.pulls.has(number) ? updatePull(call, number) : forward(call);
}

async function updatePull(call: Call, number: number): Promise<Answer> {
  const { state, repo, actor, path, body } = call;
  const pull = repo.pulls.get(number);
  if (pull !== undefined && body.state !== undefined) pull.open = body.state === "open";
  const { token } = actor;
  await state.emulate.ask("PATCH", path.replace("/issues/", "/pulls/"), { body, token });
  if (body.labels !== undefined)
    await state.emulate.ask("PUT", `${path}/labels`, { body: { labels: body.labels }, token });
  return { status: 200, body: await issueOfPull(state, repo, number) };
}

async function comment(call: Call): Promise<Answer> {
  const issue = await find(call, Number(call.params.number));
  if (issue === undefined) return failure(404, "Not Found");
  if (issue.locked === true && !has(call, WRITE))
    return failure(403, "Unable to create comment because issue is locked.");
  return forward(call);
}

/** Emulate answers 200, GitHub 201. */
async function assign(call: Call): Promise<Answer> {
  const answer = await forward(call);
  return answer.status === 200 ? { ...answer, status: 201 } : answer;
}

/** Lets only the author and people with write permission change or delete a comment. */
async function touch(call: Call): Promise<Answer> {
  const { status, body } = await call.state.emulate.ask("GET", call.path);
  if (status !== 200) return failure(404, "Not Found");
  const own = (body as Row).user.login === call.actor.login;
  if (!own && !has(call, WRITE)) return failure(403, "Must have admin rights to Repository.");
  return forward(call);
}

const CONTENTS = new Set(["+1", "-1", "laugh", "hooray", "confused", "heart", "rocket", "eyes"]);

/** One of each kind per user. */
async function react(call: Call, subject: string) {
  const { repo, state, actor, body } = call;
  const content = String(body.content);
  if (!CONTENTS.has(content)) return failure(422, "Validation Failed");
  const exists =
    isPull(call, subject) ||
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
