import { issueOfPull } from "../model/issue-of-pull.ts";
import type { GuardContext, Refusal } from "./guard.ts";

/** One open pull request an issue: a second one would compete with the first. The answer says which one it is. */
export async function refuseSecondPullRequest({ delivery, host }: GuardContext): Promise<Refusal | undefined> {
  const pulls = await host.findOwnPullRequests("magis/", "open");
  const open = pulls.find((pull) => issueOfPull(pull) === delivery.issue);
  if (!open) return undefined;
  const marker = `<!-- magis:open-pull-request:${open.number} -->`;
  const text = `There is an open pull request of mine for this issue: #${open.number}. Merge or close it first, then ask again.`;
  return { reason: `Pull request #${open.number} is open.`, comment: { marker, body: `${text}\n\n${marker}` } };
}
