import { accountOf } from "../account-of.ts";
import { renderCommit } from "../git/render-commit.ts";
import { announce } from "../hooks/announce.ts";
import type { Fields, RepositoryState, WorldState } from "../state.ts";
import { branchesAt } from "./branches-at.ts";

export interface StatusFields {
  state: string;
  context?: string;
  description?: string | null;
  target_url?: string | null;
}

/** Gives the commit `sha` a status by `login`, and announces it. */
export async function createStatus(
  state: WorldState,
  repo: RepositoryState,
  login: string,
  sha: string,
  fields: StatusFields,
): Promise<Fields> {
  const id = state.nextId();
  const now = new Date().toISOString();
  const creator = await accountOf(state, login);
  const at = `${state.url}/repos/${repo.owner}/${repo.name}`;
  const shown = {
    id,
    state: fields.state,
    description: fields.description ?? null,
    target_url: fields.target_url ?? null,
    context: fields.context ?? "default",
    created_at: now,
    updated_at: now,
  };
  const { avatar_url } = creator;
  const row = { ...shown, url: `${at}/statuses/${sha}`, avatar_url, node_id: `SC_${id}`, creator };
  repo.statuses.unshift({ sha, row });
  const branches = (await branchesAt(repo, sha)).map((name) => ({
    name,
    commit: { sha, url: `${at}/commits/${sha}` },
    protected: false,
  }));
  const commit = await renderCommit(state, repo, sha);
  const name = `${repo.owner}/${repo.name}`;
  await announce(state, repo, login, "status", { ...shown, sha, name, avatar_url, commit, branches });
  return row;
}
