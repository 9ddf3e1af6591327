import { z } from "zod";
import { type Api, replyText } from "./ask.ts";
import type { RepositoryName } from "./check-repository.ts";
import { type Finding, findingsOf } from "./findings.ts";

const branchRules = findingsOf("branch rules");

const shape = z.array(z.object({ type: z.string() }));

/** Rules that keep the bot from making its branch or committing to it. */
const HINDRANCES: Readonly<Record<string, string>> = {
  creation: "branches cannot be created",
  update: "branches cannot be updated",
  pull_request: "changes need a pull request already on the bot's branch",
  required_status_checks: "commits need passed checks before they are on the bot's branch",
  required_deployments: "commits need a deployment before they are on the bot's branch",
  merge_queue: "changes need the merge queue",
};

/** Rules that a commit or branch of the bot may or may not meet. */
const DOUBTS: Readonly<Record<string, string>> = {
  required_signatures: "commits must be signed",
  branch_name_pattern: "branch names must have a certain form",
  commit_message_pattern: "commit messages must have a certain form",
  commit_author_email_pattern: "commit authors must have a certain address",
  committer_email_pattern: "committers must have a certain address",
  file_path_restriction: "some files cannot be changed",
  max_file_size: "files have a largest size",
};

/**
 * Whether rules for branches hold for one of the bot's own, e.g. `magis/issue-1-…`. Branch protection of the older kind
 * is not told to an app without administration rights.
 * See https://docs.github.com/en/rest/repos/rules#get-rules-for-a-branch
 */
export async function checkBranchRules(api: Api, { owner, name }: RepositoryName, branch: string): Promise<Finding> {
  const reply = await api.get(`/repos/${owner}/${name}/rules/branches/${encodeURI(branch)}`);
  const { data } = shape.safeParse("data" in reply ? reply.data : undefined);
  if ("silence" in reply || reply.status !== 200 || !data) {
    return branchRules.skipped(`The rules for ${branch} cannot be read: GitHub ${replyText(reply)}.`);
  }
  const told = (sentences: Readonly<Record<string, string>>) => [
    ...new Set(data.flatMap(({ type }) => (sentences[type] === undefined ? [] : [sentences[type]]))),
  ];
  const page = "the repository's settings, Rules";
  const hindrances = told(HINDRANCES);
  if (hindrances.length > 0) {
    return branchRules.fault(
      `On ${branch}: ${hindrances.join("; ")}.`,
      `Except the bot's branches, or let the app bypass: ${page}.`,
    );
  }
  const doubts = told(DOUBTS);
  if (doubts.length === 0) return branchRules.ok(`No rule keeps the bot from its own branches (${branch}).`);
  return branchRules.warning(
    `On ${branch}: ${doubts.join("; ")}.`,
    `See whether the bot meets this, or let the app bypass: ${page}.`,
  );
}

const continuousIntegration = findingsOf("continuous integration");

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
    if ("silence" in reply || reply.status !== 403) return [continuousIntegration.warning(text, "Try again later.")];
    return [continuousIntegration.fault(text, `Grant the app the permission ${permission}.`)];
  });
  return troubles.length > 0 ? troubles : continuousIntegration.ok("Checks, statuses and Actions can be read.");
}
