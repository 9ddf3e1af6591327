import { z } from "zod";
import type { InspectedConfig } from "../../config/environment/inspect-config.ts";
import type { RepositoryId } from "../../model/run-request.ts";
import { type Finding, findingsOf, runChecks } from "../findings.ts";
import { type Api, type Ask, createApi, replyText } from "./ask.ts";
import type { Manifest, RegisteredApp } from "./check-app.ts";
import {
  checkDefaultBranch,
  checkLabel,
  checkRepository,
  checkSettingsFile,
  type RepositoryName,
} from "./check-repository.ts";

export interface RepositoryParts extends GithubParts {
  readonly repository: RepositoryName;
  /** as the app */
  readonly api: Api;
  readonly app: RegisteredApp;
}

/** Everything that can be told of one repository: first whether the app reaches it, then the rest at once. */
export async function repositoryFindings(parts: RepositoryParts): Promise<readonly Finding[]> {
  const { ask, manifest, repository, api, app, inspected, readSettings } = parts;
  const { findings, access } = await checkRepository(api, app, repository, manifest);
  if (access === undefined) return findings;
  const own = createApi(ask, inspected.config.github.apiUrl, async () => access.token);
  const read = readSettings({ ...repository, installationId: access.installationId });
  const branch = checkDefaultBranch(own, repository);
  // What fails here is told by the checks that wait for it; until they do, it must not end the process.
  for (const one of [read, branch]) one.catch(() => undefined);
  const rest = await runChecks([
    { name: "default branch", run: async () => (await branch).findings },
    { name: "repository settings", run: async () => checkSettingsFile(await read) },
    { name: "label", run: async () => checkLabel(own, repository, (await read).label) },
    { name: "branch rules", run: async () => checkBranchRules(own, repository, (await read).branch) },
    {
      name: "continuous integration",
      run: async () => {
        const { branch: name } = await branch;
        return name === undefined ? [] : checkReadingChecks(own, repository, name);
      },
    },
  ]);
  return [...findings, ...rest];
}

/** What the checks of GitHub are made of. */
export interface GithubParts {
  readonly inspected: InspectedConfig;
  readonly ask: Ask;
  readonly manifest: Manifest;
  readonly repository?: RepositoryName;
  /** a repository's settings as a run would read them */
  readonly readSettings: (repository: RepositoryId) => Promise<SettingsOfRepository>;
}

export interface SettingsOfRepository {
  readonly label: string;
  /** one of the bot's own in this repository */
  readonly branch: string;
  readonly faults?: readonly { readonly file: string; readonly line: number; readonly message: string }[];
}

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
async function checkBranchRules(api: Api, { owner, name }: RepositoryName, branch: string): Promise<Finding> {
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
async function checkReadingChecks(
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
