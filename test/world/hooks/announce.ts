import { accountOf } from "../account-of.ts";
import type { Fields, RepositoryState, WorldState } from "../state.ts";

/**
 * Sends a webhook about `repo` in the usual envelope: repository, sender and installation.
 * Returns when it is sent, before the bot has answered.
 */
export async function announce(
  state: WorldState,
  repo: RepositoryState,
  sender: string,
  event: string,
  payload: Fields,
): Promise<void> {
  void state.hooks.deliver(event, {
    ...payload,
    repository: await renderRepository(state, repo),
    sender: await accountOf(state, sender),
    installation: { id: repo.installationId },
  });
}

/** A repository in GitHub's REST form: emulate's, with git's data. */
export async function renderRepository(state: WorldState, repo: RepositoryState): Promise<Fields & { owner: Fields }> {
  const { body } = await state.emulate.ask("GET", `/repos/${repo.owner}/${repo.name}`);
  const { permissions: _mine, ...rest } = body as Fields & { owner: Fields };
  return { ...rest, default_branch: repo.defaultBranch };
}
