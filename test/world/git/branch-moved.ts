import { accountOf } from "../account-of.ts";
import { announce } from "../hooks/announce.ts";
import { outdateThreads } from "../pulls/outdate-threads.ts";
import { renderPull } from "../pulls/render-pull.ts";
import type { Actor, Fields, PullState, RepositoryState, WorldState } from "../state.ts";

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
  const email = `${login}@users.noreply.github.com`;
  const since = before ?? repo.defaultBranch;
  const listed =
    after === undefined ? "" : await repo.bare.git("rev-list", "--reverse", "--max-count=20", after, `^${since}`);
  const commits = await Promise.all(
    listed
      .split("\n")
      .filter(Boolean)
      .map((sha) => pushedCommit(state, repo, sha)),
  );
  const forced = before !== undefined && after !== undefined && !(await repo.bare.isAncestor(before, after));
  return {
    ref,
    before: before ?? NONE,
    after: after ?? NONE,
    created: before === undefined,
    deleted: after === undefined,
    forced,
    base_ref: null,
    compare: `${state.url}/${repo.owner}/${repo.name}/compare/${since}...${after ?? NONE}`,
    commits,
    head_commit: commits.at(-1) ?? null,
    pusher: { name: login, email },
  };
}

async function pushedCommit(state: WorldState, repo: RepositoryState, id: string): Promise<Fields> {
  const format = "%T%n%an%n%ae%n%aI%n%cn%n%ce%n%B";
  const [tree = "", name, email, date, by, byEmail, ...message] = (
    await repo.bare.fixed("show", "-s", `--format=${format}`, id)
  ).split("\n");
  const changed = (
    await repo.bare.fixed("diff-tree", "-r", "--root", "--no-commit-id", "--name-status", "--no-renames", id)
  ).split("\n");
  const paths = (kind: string) => changed.filter((line) => line.startsWith(`${kind}\t`)).map((line) => line.slice(2));
  return {
    id,
    tree_id: tree,
    distinct: true,
    message: message.join("\n").trimEnd(),
    timestamp: date,
    url: `${state.url}/${repo.owner}/${repo.name}/commit/${id}`,
    author: { name, email },
    committer: { name: by, email: byEmail },
    added: paths("A"),
    removed: paths("D"),
    modified: paths("M"),
  };
}
