import type { Fields, RepositoryState, WorldState } from "../state.ts";
import { reactionSummary } from "./reaction-summary.ts";

/** Emulate's issue with the mark of a pull request and the reactions. */
export function completeIssue(state: WorldState, repo: RepositoryState, issue: Fields & { number: number }): Fields {
  const { number } = issue;
  const at = `${state.url}/repos/${repo.owner}/${repo.name}`;
  const page = `${state.url}/${repo.owner}/${repo.name}/pull/${number}`;
  const mark = {
    url: `${at}/pulls/${number}`,
    html_url: page,
    diff_url: `${page}.diff`,
    patch_url: `${page}.patch`,
    merged_at: null,
  };
  const parent = repo.parents.get(number);
  const children = [...repo.parents.values()].filter((one) => one === number).length;
  const completed = {
    ...issue,
    reactions: reactionSummary(repo, `issues/${number}`, `${at}/issues/${number}`),
    sub_issues_summary: { total: children, completed: 0, percent_completed: 0 },
    parent_issue_url: parent === undefined ? null : `${at}/issues/${parent}`,
  };
  return repo.pulls.has(number) ? { ...completed, pull_request: mark, html_url: page } : completed;
}
