import { failure } from "../front/failure.ts";
import { paginate } from "../front/paginate.ts";
import { diffFiles } from "../git/diff-files.ts";
import { renderCommit } from "../git/render-commit.ts";
import type { Answer, Call, Fields, Handler, PullState, Route } from "../state.ts";
import { createPull } from "./create-pull.ts";
import { mergePull } from "./merge-pull.ts";
import { renderPull } from "./render-pull.ts";

/** Pull requests: rows in emulate; heads, files and diffs from git. */
export function pullRoutes(): Route[] {
  const R = "/repos/{owner}/{repo}/pulls";
  return [
    ["GET", R, list],
    ["POST", R, createPull],
    ["GET", `${R}/{number}`, onPull(get)],
    ["PATCH", `${R}/{number}`, onPull(update)],
    ["GET", `${R}/{number}/files`, onPull(files)],
    ["GET", `${R}/{number}/commits`, onPull(commits)],
    ["PUT", `${R}/{number}/merge`, onPull(mergePull)],
    ["GET", `${R}/{number}/requested_reviewers`, onPull(requested)],
    ["POST", `${R}/{number}/requested_reviewers`, onPull(reviewers)],
    ["DELETE", `${R}/{number}/requested_reviewers`, onPull(reviewers)],
  ];
}

function onPull(act: (call: Call, pull: PullState) => Promise<Answer>): Handler {
  return async (call) => {
    const pull = call.repo.pulls.get(Number(call.params.number));
    return pull === undefined ? failure(404, "Not Found") : act(call, pull);
  };
}

async function list({ state, repo, actor, path, query }: Call): Promise<Answer> {
  const { status, headers, body } = await state.emulate.ask("GET", `${path}?${query}`, { token: actor.token });
  if (status !== 200) return { status, body };
  const rows = await Promise.all((body as { number: number }[]).map(({ number }) => renderPull(state, repo, number)));
  return { status, body: rows, headers };
}

async function get({ state, repo, accept }: Call, pull: PullState): Promise<Answer> {
  if (!accept.includes("diff")) return { status: 200, body: await renderPull(state, repo, pull.number) };
  const diff = await repo.bare.git("diff", `${pull.baseSha}...${pull.headSha}`);
  return { status: 200, headers: { "content-type": "application/vnd.github.diff; charset=utf-8" }, body: `${diff}\n` };
}

async function update({ state, repo, actor, path, body }: Call, pull: PullState): Promise<Answer> {
  const { draft: _graphqlOnly, ...changes } = body;
  if (changes.state === "open" && !pull.open) {
    const head = await repo.bare.tip(`refs/heads/${pull.headRef}`);
    if (head === undefined || pull.mergeCommit !== undefined) return failure(422, "Validation Failed");
    pull.headSha = head;
  }
  if (changes.state !== undefined) pull.open = changes.state === "open";
  const answer = await state.emulate.ask("PATCH", path, { body: changes, token: actor.token });
  return answer.status === 200 ? { status: 200, body: await renderPull(state, repo, pull.number) } : answer;
}

async function files(call: Call, pull: PullState): Promise<Answer> {
  const merge = await call.repo.bare.fixed("merge-base", pull.baseSha, pull.headSha);
  return paginate(call, await diffFiles(call.state, call.repo, merge, pull.headSha));
}

const MAX_COMMITS = 250;

async function commits(call: Call, pull: PullState): Promise<Answer> {
  const listed = await call.repo.bare.fixed("rev-list", "--reverse", `${pull.baseSha}..${pull.headSha}`);
  const shas = listed.split("\n").filter(Boolean).slice(0, MAX_COMMITS);
  return paginate(call, await Promise.all(shas.map((sha) => renderCommit(call.state, call.repo, sha))));
}

async function requested({ state, repo }: Call, pull: PullState): Promise<Answer> {
  const { requested_reviewers: users, requested_teams: teams } = await renderPull(state, repo, pull.number);
  return { status: 200, body: { users, teams } };
}

async function reviewers({ state, repo, actor, method, path, body }: Call, pull: PullState): Promise<Answer> {
  const asked = (body.reviewers ?? []) as string[];
  if (asked.includes(pull.author)) return failure(422, "Review cannot be requested from pull request author.");
  const answer = await state.emulate.ask(method, path, { body, token: actor.token });
  return answer.status < 300
    ? { status: method === "POST" ? 201 : 200, body: (await renderPull(state, repo, pull.number)) as Fields }
    : answer;
}
