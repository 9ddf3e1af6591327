import { listed } from "../../../src/text/patterns.ts";
import { renderPull } from "../pulls/render-pull.ts";
import type { Fields, RepositoryState, WorldState } from "../state.ts";

/** Emulate's issue with the mark of a pull request and the reactions. */
export function completeIssue(state: WorldState, repo: RepositoryState, issue: Fields & { number: number }): Fields {
  const { number } = issue;
  const subject = `issues/${number}`;
  const completed = {
    ...issue,
    reactions: reactionSummary(repo, subject, `${state.url}/repos/${repo.owner}/${repo.name}/${subject}`),
  };
  if (!repo.pulls.has(number)) return completed;
  const page = `${state.url}/${repo.owner}/${repo.name}/pull/${number}`;
  return { ...completed, html_url: page, pull_request: { html_url: page, merged_at: null } };
}

const SHARED = listed(
  "^",
  `id node_id number title user labels state locked active_lock_reason assignee assignees milestone comments
  created_at updated_at closed_at body author_association draft`,
  "$",
);

/** A pull request in the form of the issues API: on GitHub, unlike in emulate, it is an issue too. */
export async function issueOfPull(state: WorldState, repo: RepositoryState, number: number): Promise<Fields> {
  const row = await renderPull(state, repo, number);
  const shared = Object.fromEntries(Object.entries(row).filter(([name]) => SHARED.test(name)));
  return completeIssue(state, repo, { ...shared, number });
}

const CONTENTS = ["+1", "-1", "laugh", "hooray", "confused", "heart", "rocket", "eyes"];

/** The counts of reactions to an issue or comment. `subject` is its path below the repository. */
export function reactionSummary(repo: RepositoryState, subject: string, url: string): Record<string, string | number> {
  const mine = repo.reactions.filter((one) => one.subject === subject);
  const counts = CONTENTS.map((content) => [content, mine.filter(({ row }) => row.content === content).length]);
  return { url: `${url}/reactions`, total_count: mine.length, ...Object.fromEntries(counts) };
}

/** Every comment on a repository's issues and pull requests, which emulate does not list. */
export async function allIssueComments(
  state: WorldState,
  repo: RepositoryState,
): Promise<(Fields & { node_id: string })[]> {
  const found: (Fields & { node_id: string })[] = [];
  for (let number = 1; ; number++) {
    const path = `/repos/${repo.owner}/${repo.name}/issues/${number}/comments?per_page=100`;
    const { status, body } = await state.emulate.ask("GET", path);
    if (status !== 200) return found;
    found.push(...(body as (Fields & { node_id: string })[]));
  }
}
