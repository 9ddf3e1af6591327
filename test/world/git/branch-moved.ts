import { accountOf } from "../account-of.ts";
import { announce } from "../hooks/announce.ts";
import { outdateThreads } from "../pulls/build-comment.ts";
import { renderPull } from "../pulls/render-pull.ts";
import type { Actor, Fields, PullState, RepositoryState, WorldState } from "../state.ts";
import { readCommit } from "./commits.ts";

const NONE = "0".repeat(40);

export interface Move {
  /** Full name of the ref. */
  ref: string;
  /** undefined for a new ref */
  before: string | undefined;
  /** undefined for a deleted ref */
  after: string | undefined;
}

/**
 * Does what GitHub does when a branch moves: sends a push event; gives an open pull request the new head, marks its
 * outdated threads and sends `synchronize`; closes it when its branch is deleted.
 */
export async function branchMoved(state: WorldState, repo: RepositoryState, actor: Actor, move: Move): Promise<void> {
  if (!move.ref.startsWith("refs/heads/") || move.before === move.after) return;
  const branch = move.ref.slice("refs/heads/".length);
  const open = [...repo.pulls.values()].filter((pull) => pull.open);
  for (const pull of open) if (pull.baseRef === branch && move.after !== undefined) pull.baseSha = move.after;
  await announce(state, repo, actor.login, "push", await pushPayload(state, repo, actor, move));
  for (const pull of open.filter((one) => one.headRef === branch)) {
    if (move.after === undefined) await close(state, repo, actor, pull);
    else await synchronize(state, repo, actor, pull, move.after);
  }
}

async function synchronize(state: WorldState, repo: RepositoryState, actor: Actor, pull: PullState, after: string) {
  const before = pull.headSha;
  pull.headSha = after;
  await outdateThreads(repo, pull, before);
  const { number } = pull;
  const payload = { action: "synchronize", number, before, after, pull_request: await renderPull(state, repo, number) };
  await announce(state, repo, actor.login, "pull_request", payload);
}

async function close(state: WorldState, repo: RepositoryState, actor: Actor, pull: PullState) {
  pull.open = false;
  const path = `/repos/${repo.owner}/${repo.name}/pulls/${pull.number}`;
  await state.emulate.ask("PATCH", path, { body: { state: "closed" }, token: actor.token });
}

async function pushPayload(state: WorldState, repo: RepositoryState, actor: Actor, move: Move): Promise<Fields> {
  const { ref, before, after } = move;
  const { login } = await accountOf(state, actor.login);
  const commits = after === undefined ? [] : await pushedCommits(repo, after, before ?? repo.defaultBranch);
  const forced = before !== undefined && after !== undefined && !(await repo.bare.isAncestor(before, after));
  return {
    ref,
    before: before ?? NONE,
    after: after ?? NONE,
    created: before === undefined,
    deleted: after === undefined,
    forced,
    commits,
    head_commit: commits.at(-1) ?? null,
    pusher: { name: login },
  };
}

/** The newest 20 commits of `after` that `since` does not have, oldest first. */
async function pushedCommits(repo: RepositoryState, after: string, since: string): Promise<Fields[]> {
  const listed = await repo.bare.git("rev-list", "--reverse", "--max-count=20", after, `^${since}`);
  const ids = listed.split("\n").filter(Boolean);
  return Promise.all(ids.map(async (id) => ({ id, message: (await readCommit(repo.bare, id)).message })));
}
