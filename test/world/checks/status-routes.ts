import { accountOf } from "../account-of.ts";
import { failure } from "../front/failure.ts";
import { renderCommit } from "../git/render-commit.ts";
import { announce } from "../hooks/announce.ts";
import { renderRepository } from "../hooks/render-repository.ts";
import type { Call, Fields, Route } from "../state.ts";

/** Commit statuses, which emulate does not have. */
export function statusRoutes(): Route[] {
  const R = "/repos/{owner}/{repo}";
  return [
    ["POST", `${R}/statuses/{sha}`, create],
    ["GET", `${R}/commits/{ref+}/statuses`, list],
    ["GET", `${R}/commits/{ref+}/status`, combined],
  ];
}

async function create({ state, repo, actor, params, body }: Call) {
  const sha = await repo.bare.resolve(`${params.sha}^{commit}`);
  if (sha === undefined) return failure(422, `No commit found for SHA: ${params.sha}`);
  const id = state.nextId();
  const now = new Date().toISOString();
  const creator = await accountOf(state, actor.login);
  const row: Fields = {
    url: `${state.url}/repos/${repo.owner}/${repo.name}/statuses/${sha}`,
    avatar_url: creator.avatar_url,
    id,
    node_id: `SC_${id}`,
    state: body.state,
    description: body.description ?? null,
    target_url: body.target_url ?? null,
    context: body.context ?? "default",
    created_at: now,
    updated_at: now,
    creator,
  };
  repo.statuses.unshift({ sha, row });
  const { avatar_url: _, creator: _creator, url: _url, node_id: _node, ...shown } = row;
  const commit = await renderCommit(state, repo, sha);
  const name = `${repo.owner}/${repo.name}`;
  await announce(state, repo, actor.login, "status", {
    ...shown,
    sha,
    name,
    avatar_url: creator.avatar_url,
    commit,
    branches: [],
  });
  return { status: 201, body: row };
}

async function rowsOf({ repo, params }: Call): Promise<{ sha: string; rows: Fields[] } | undefined> {
  const sha = await repo.bare.resolve(`${params.ref}^{commit}`);
  return sha === undefined
    ? undefined
    : { sha, rows: repo.statuses.filter((one) => one.sha === sha).map(({ row }) => row) };
}

async function list(call: Call) {
  const found = await rowsOf(call);
  return found === undefined ? failure(404, "Not Found") : { status: 200, body: found.rows };
}

async function combined(call: Call) {
  const found = await rowsOf(call);
  if (found === undefined) return failure(404, "Not Found");
  const latest = [...new Map([...found.rows].reverse().map((row) => [row.context, row])).values()];
  const states = latest.map((row) => row.state);
  const bad = states.some((one) => one === "failure" || one === "error");
  const good = states.length > 0 && states.every((one) => one === "success");
  const url = `${call.state.url}/repos/${call.repo.owner}/${call.repo.name}/commits/${found.sha}`;
  const body = {
    state: bad ? "failure" : good ? "success" : "pending",
    statuses: latest,
    sha: found.sha,
    total_count: latest.length,
    repository: await renderRepository(call.state, call.repo),
    commit_url: url,
    url: `${url}/status`,
  };
  return { status: 200, body };
}
