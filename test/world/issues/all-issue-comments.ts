import type { Fields, RepositoryState, WorldState } from "../state.ts";

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
