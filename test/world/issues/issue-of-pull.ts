import { listed } from "../../../src/search/patterns.ts";
import { renderPull } from "../pulls/render-pull.ts";
import type { Fields, RepositoryState, WorldState } from "../state.ts";
import { completeIssue } from "./complete-issue.ts";

const SHARED = listed(
  "^",
  `id node_id number title user labels state locked active_lock_reason assignee assignees milestone comments
  created_at updated_at closed_at body author_association draft`,
  "$",
);

/** A pull request in the form of the issues API: on GitHub, unlike in emulate, it is an issue too. */
export async function issueOfPull(state: WorldState, repo: RepositoryState, number: number): Promise<Fields> {
  const row = await renderPull(state, repo, number);
  const at = `${state.url}/repos/${repo.owner}/${repo.name}`;
  const url = `${at}/issues/${number}`;
  const shared = Object.fromEntries(Object.entries(row).filter(([name]) => SHARED.test(name)));
  return completeIssue(state, repo, {
    ...shared,
    number,
    url,
    repository_url: at,
    labels_url: `${url}/labels{/name}`,
    comments_url: `${url}/comments`,
    events_url: `${url}/events`,
    timeline_url: `${url}/timeline`,
    html_url: row.html_url,
    state_reason: null,
    closed_by: null,
    performed_via_github_app: null,
  });
}
