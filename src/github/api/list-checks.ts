import type { Check } from "../../ports/check-api.ts";
import { attempt } from "./attempt.ts";
import type { GithubRepository } from "./github-repository.ts";
import { listStatuses } from "./list-statuses.ts";
import { toCheck } from "./to-check.ts";

/** Which of several checks with one name counts: it has finished when all have, and passed when none failed. */
const WEIGHT: Readonly<Record<Check["state"], number>> = { pending: 3, failed: 2, passed: 1, neutral: 0 };

/**
 * The latest check runs and commit statuses of a commit. Where several have one name, such as a job that runs for
 * the push and for the pull request, the worst stands for all, as on the pull request's page. A check of the app
 * itself is never taken together with another's.
 */
export function listChecks(repository: GithubRepository, commit: string): Promise<readonly Check[]> {
  const { client, appId, owner, repo } = repository;
  return attempt(`read the checks of ${commit}`, async () => {
    const query = { owner, repo, ref: commit, filter: "latest", per_page: 100 } as const;
    const runs = await client.paginate(client.rest.checks.listForRef, query);
    const worst = new Map<string, Check>();
    for (const check of [...runs.map((run) => toCheck(run, appId)), ...(await listStatuses(repository, commit))]) {
      const key = `${check.byApp} ${check.name}`;
      const known = worst.get(key);
      if (known === undefined || WEIGHT[check.state] > WEIGHT[known.state]) worst.set(key, check);
    }
    return [...worst.values()];
  });
}
