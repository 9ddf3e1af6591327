import type { HostPullRequest } from "../ports/pull-request-api.ts";
import { OWN_BRANCH } from "./own-branch.ts";

/** The mark of the run at the beginning of a body; its id names the issue. */
const RUN = /^\s*<!-- magis:run \S+#(\d{1,12})@\S+ -->/;

/** The issue that a pull request of the app resolves: by its run's mark, or by its branch where a person took that away. */
export function issueOfPull({ body, branch }: Pick<HostPullRequest, "body" | "branch">): number | undefined {
  const issue = (RUN.exec(body) ?? OWN_BRANCH.exec(branch))?.[1];
  return issue === undefined ? undefined : Number(issue);
}
