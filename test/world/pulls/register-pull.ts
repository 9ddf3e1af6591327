import type { PullState, RepositoryState } from "../state.ts";

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
