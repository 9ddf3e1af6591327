import type { RepositoryName } from "./check-repository.ts";
import type { Api } from "./create-api.ts";
import type { Finding } from "./finding.ts";
import { findingsOf } from "./findings-of.ts";
import { replyText } from "./reply-text.ts";

const { ok, warning, fault } = findingsOf("continuous integration");
const READS = [
  ["checks", "commits/BRANCH/check-runs?per_page=1"],
  ["statuses", "commits/BRANCH/status?per_page=1"],
  ["actions", "actions/runs?per_page=1"],
] as const;

/** Whether the results of continuous integration can be read, which the bot repairs its pull requests by. */
export async function checkReadingChecks(
  api: Api,
  { owner, name }: RepositoryName,
  branch: string,
): Promise<Finding | readonly Finding[]> {
  const replies = await Promise.all(
    READS.map(async ([permission, path]) => ({
      permission,
      reply: await api.get(`/repos/${owner}/${name}/${path.replace("BRANCH", encodeURIComponent(branch))}`),
    })),
  );
  const troubles = replies.flatMap(({ permission, reply }) => {
    // 404: the repository has no Actions.
    if ("status" in reply && (reply.status === 200 || (permission === "actions" && reply.status === 404))) return [];
    const text = `${permission} cannot be read: GitHub ${replyText(reply)}.`;
    if ("silence" in reply || reply.status !== 403) return [warning(text, "Try again later.")];
    return [fault(text, `Grant the app the permission ${permission}.`)];
  });
  return troubles.length > 0 ? troubles : ok("Checks, statuses and Actions can be read.");
}
