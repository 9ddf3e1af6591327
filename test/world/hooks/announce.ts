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
  const { installationId: id } = repo;
  void state.hooks.deliver(event, {
    ...payload,
    repository: await renderRepository(state, repo),
    sender: await accountOf(state, sender),
    installation: { id, node_id: Buffer.from(`23:IntegrationInstallation${id}`).toString("base64") },
  });
}

/** A repository in GitHub's REST form: emulate's, with the full owner and git's data. */
export async function renderRepository(state: WorldState, repo: RepositoryState): Promise<Fields & { owner: Fields }> {
  const { body } = await state.emulate.ask("GET", `/repos/${repo.owner}/${repo.name}`);
  const { permissions: _mine, owner, ...rest } = body as Fields & { owner: Fields };
  const at = `${state.url}/users/${repo.owner}`;
  const links = {
    gravatar_id: "",
    followers_url: `${at}/followers`,
    following_url: `${at}/following{/other_user}`,
    gists_url: `${at}/gists{/gist_id}`,
    starred_url: `${at}/starred{/owner}{/repo}`,
    subscriptions_url: `${at}/subscriptions`,
    organizations_url: `${at}/orgs`,
    repos_url: `${at}/repos`,
    events_url: `${at}/events{/privacy}`,
    received_events_url: `${at}/received_events`,
    html_url: `${state.url}/${repo.owner}`,
    site_admin: false,
  };
  return {
    ...rest,
    owner: { ...links, ...owner },
    default_branch: repo.defaultBranch,
    web_commit_signoff_required: false,
    network_count: 0,
    subscribers_count: 0,
  };
}
