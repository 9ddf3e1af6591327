import { accountOf } from "../account-of.ts";
import type { Fields, RepositoryState, WorldState } from "../state.ts";
import { renderRepository } from "./render-repository.ts";

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
  const { installationId: id } = repo;
  void state.hooks.deliver(event, {
    ...payload,
    repository: await renderRepository(state, repo),
    sender: await accountOf(state, sender),
    installation: { id, node_id: Buffer.from(`23:IntegrationInstallation${id}`).toString("base64") },
  });
}
