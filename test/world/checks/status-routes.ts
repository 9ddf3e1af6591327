import { failure } from "../front/failure.ts";
import { paginate } from "../front/paginate.ts";
import { renderRepository } from "../hooks/render-repository.ts";
import type { Call, Fields, Route } from "../state.ts";
import { createStatus, type StatusFields } from "./create-status.ts";

/** Commit statuses, which emulate lacks. */
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
  const row = await createStatus(state, repo, actor.login, sha, body as Fields & StatusFields);
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
  return found === undefined ? failure(404, "Not Found") : paginate(call, found.rows);
}

async function combined(call: Call) {
  const found = await rowsOf(call);
  if (found === undefined) return failure(404, "Not Found");
  const latest = [...new Map([...found.rows].reverse().map((row) => [row.context, row])).values()];
  const states = latest.map((row) => row.state);
  const bad = states.some((one) => one === "failure" || one === "error");
  const good = states.length > 0 && states.every((one) => one === "success");
  const url = `${call.state.url}/repos/${call.repo.owner}/${call.repo.name}/commits/${found.sha}`;
  const page = paginate(call, latest);
  const otherwise = good ? "success" : "pending";
  const body = {
    state: bad ? "failure" : otherwise,
    statuses: page.body,
    sha: found.sha,
    total_count: latest.length,
    repository: await renderRepository(call.state, call.repo),
    commit_url: url,
    url: `${url}/status`,
  };
  return { ...page, body };
}
