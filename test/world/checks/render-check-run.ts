import type { CheckRun, Fields, RepositoryState, WorldState } from "../state.ts";
import { pullsAt } from "./pulls-at.ts";
import { renderApp } from "./render-app.ts";

/** A check run in GitHub's REST form. */
export async function renderCheckRun(state: WorldState, repo: RepositoryState, run: CheckRun): Promise<Fields> {
  const { id, sha, suite, annotations, output, ...shown } = run;
  const url = `${state.url}/repos/${repo.owner}/${repo.name}/check-runs/${id}`;
  return {
    ...shown,
    id,
    node_id: `CR_${id}`,
    head_sha: sha,
    url,
    html_url: `${state.url}/${repo.owner}/${repo.name}/runs/${id}`,
    output: { ...output, annotations_count: annotations.length, annotations_url: `${url}/annotations` },
    check_suite: { id: suite.id },
    app: await renderApp(state, repo, suite.app),
    pull_requests: await pullsAt(state, repo, sha),
  };
}
