import { renderRepository } from "../hooks/announce.ts";
import type { Fields, PullState, RepositoryState, WorldState } from "../state.ts";

/** A pull request in GitHub's REST form: emulate's row, with head, base and counts from git. */
export async function renderPull(state: WorldState, repo: RepositoryState, number: number): Promise<Fields> {
  const at = `/repos/${repo.owner}/${repo.name}`;
  const pull = repo.pulls.get(number);
  if (pull === undefined) throw new Error(`no pull request ${number} in the world`);
  const row = (await state.emulate.ask("GET", `${at}/pulls/${number}`)).body as Fields & { head: Fields; base: Fields };
  const repository = await renderRepository(state, repo);
  const range = `${pull.baseSha}...${pull.headSha}`;
  const numbers = (await repo.bare.fixed("diff", "--numstat", "--no-renames", range)).split("\n").filter(Boolean);
  const sum = (column: number) => numbers.reduce((total, line) => total + (Number(line.split("\t")[column]) || 0), 0);
  const comments = repo.threads.filter((thread) => thread.pull === number).flatMap((thread) => thread.comments);
  const merged = pull.mergeCommit !== undefined;
  return {
    ...row,
    head: { ...row.head, ref: pull.headRef, sha: pull.headSha, user: repository.owner, repo: repository },
    base: { ...row.base, ref: pull.baseRef, sha: pull.baseSha, user: repository.owner, repo: repository },
    merged,
    mergeable: merged ? null : row.mergeable,
    merge_commit_sha: pull.mergeCommit ?? null,
    review_comments: comments.length,
    commits: Number(await repo.bare.fixed("rev-list", "--count", `${pull.baseSha}..${pull.headSha}`)),
    additions: sum(0),
    deletions: sum(1),
    changed_files: numbers.length,
  };
}

/** Registers a pull request of emulate's once; its webhook may arrive before the answer. */
export async function registerPull(
  repo: RepositoryState,
  made: { number: number; head: { ref: string }; base: { ref: string }; user: { login: string } },
): Promise<PullState> {
  const headSha = (await repo.bare.tip(`refs/heads/${made.head.ref}`)) ?? "";
  const baseSha = (await repo.bare.tip(`refs/heads/${made.base.ref}`)) ?? "";
  const known = repo.pulls.get(made.number);
  if (known !== undefined) return known;
  const { number, head, base, user } = made;
  const pull = { number, headRef: head.ref, baseRef: base.ref, headSha, baseSha, open: true, author: user.login };
  repo.pulls.set(number, pull);
  return pull;
}
