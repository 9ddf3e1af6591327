import type { Check } from "../../ports/check-api.ts";
import type { GithubRepository } from "./github-repository.ts";

const PAGE = 100;
const STATES: Readonly<Record<string, Check["state"]>> = {
  success: "passed",
  failure: "failed",
  error: "failed",
  pending: "pending",
};

/** The latest commit status of each context; none is the app's, which makes check runs only. Throws as the client does. */
export async function listStatuses(repository: GithubRepository, commit: string): Promise<readonly Check[]> {
  const { client, owner, repo } = repository;
  const checks: Check[] = [];
  for (let page = 1; ; page++) {
    // The client's own paging does not know that this answer is a list.
    const query = { owner, repo, ref: commit, per_page: PAGE, page };
    const { statuses } = (await client.rest.repos.getCombinedStatusForRef(query)).data;
    for (const { context, state, description, target_url } of statuses) {
      const told = { summary: description ?? "", url: target_url ?? "" };
      checks.push({ name: context, state: STATES[state] ?? "pending", byApp: false, ...told });
    }
    if (statuses.length < PAGE) return checks;
  }
}
