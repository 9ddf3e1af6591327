import { z } from "zod";
import type { RepositoryId } from "../../data/run-request.ts";
import { type Check, checksWith, fault, ok, skipped, type Verdict, warning } from "../findings.ts";
import type { Api, GithubAccess } from "./ask.ts";
import type { Manifest, RegisteredApp } from "./check-app.ts";

export interface RepositoryName {
  readonly owner: string;
  readonly name: string;
}

export interface RepositoryParts {
  readonly repository: RepositoryName;
  readonly github: GithubAccess;
  readonly manifest: Manifest;
  /** reads a repository's settings as a run would */
  readonly readSettings: (repository: RepositoryId) => Promise<SettingsOfRepository>;
}

export interface SettingsOfRepository {
  readonly label: string;
  /** a branch name as the bot would choose it in this repository */
  readonly branch: string;
  readonly faults?: readonly { readonly file: string; readonly line: number; readonly message: string }[] | undefined;
}

/** The checks of one repository. The others need the first: that the app can reach it. */
export function repositoryChecks(app: Promise<RegisteredApp | undefined>, parts: RepositoryParts): readonly Check[] {
  const { repository, github, manifest, readSettings } = parts;
  const reached = app.then((one) => one && checkAccess(github, one, repository, manifest));
  const access = reached.then((one) => one?.access);
  const withAccess = checksWith(access);
  const withSettings = checksWith(
    access.then(async (one) => one && { ...one, ...(await readSettings({ ...repository, installationId: one.id })) }),
  );
  return [
    checksWith(reached, "It needs an app that GitHub knows.")("repository", async ({ verdict }) => verdict),
    withAccess("default branch", ({ api }) => checkDefaultBranch(api, repository)),
    withSettings("repository settings", async (read) => checkSettingsFile(read)),
    withSettings("label", ({ api, label }) => checkLabel(api, repository, label)),
    withSettings("branch rules", ({ api, branch }) => checkBranchRules(api, repository, branch)),
  ];
}

/** The app's access to one repository. */
interface Access {
  /** of the installation */
  readonly id: number;
  /** asked with the installation's token */
  readonly api: Api;
}

/** Checks that the app is installed on the repository and gets a token with the permissions it needs. */
async function checkAccess(
  { app: api, withToken }: GithubAccess,
  app: RegisteredApp,
  { owner, name }: RepositoryName,
  { permissions }: Manifest,
): Promise<{ readonly verdict: Verdict; readonly access?: Access | undefined }> {
  const installed = await api.read(`/repos/${owner}/${name}/installation`, z.object({ id: z.number() }));
  if ("refusal" in installed) {
    if (installed.status !== 404) return { verdict: fault(`${installed.refusal}.`, "Try again later.") };
    const text = `The app is not installed on ${owner}/${name}, or there is no such repository.`;
    return { verdict: fault(text, `Install it, or select the repository: ${app.installUrl}`) };
  }
  const { id } = installed.data;
  const repositories = [name];
  const full = await api.grant(id, { repositories, permissions });
  if ("data" in full) {
    const text = `The app is installed on ${owner}/${name} and gets a token with every permission it needs.`;
    return { verdict: ok(text), access: { id, api: withToken(full.data.token) } };
  }
  const text = `No token with the permissions that the bot needs: ${full.refusal}.`;
  const remedy = `Grant the missing permissions at ${app.settingsUrl}/permissions, then accept them where the app is installed.`;
  const less = await api.grant(id, { repositories });
  return {
    verdict: fault(text, remedy),
    access: "data" in less ? { id, api: withToken(less.data.token) } : undefined,
  };
}

/** A branch's name in the path of an address: encodeURI leaves `#` and `?`, which end the path. */
const pathOf = (branch: string) => branch.split("/").map(encodeURIComponent).join("/");

const repositoryShape = z.object({
  default_branch: z.string(),
  archived: z.boolean().default(false),
  has_issues: z.boolean().default(true),
});

/** Checks that the base branch is readable, and that the repository accepts changes and issues. */
async function checkDefaultBranch(api: Api, { owner, name }: RepositoryName): Promise<Verdict | readonly Verdict[]> {
  const answer = await api.read(`/repos/${owner}/${name}`, repositoryShape);
  if ("refusal" in answer) return fault(`${answer.refusal}.`);
  const { default_branch: branch, archived, has_issues } = answer.data;
  const tip = await api.read(`/repos/${owner}/${name}/git/ref/heads/${pathOf(branch)}`, z.unknown());
  const faults: Verdict[] = [];
  if (archived) faults.push(fault("The repository is archived, so it cannot be changed.", "Unarchive it."));
  if (!has_issues) faults.push(fault("Issues are turned off.", "Turn them on in the repository's settings."));
  if ("refusal" in tip) {
    const isEmpty = tip.status === 409 || tip.status === 404;
    faults.push(
      isEmpty
        ? fault(`${branch} is not there: the repository is empty.`, "Push a first commit.")
        : fault(`${branch} cannot be read: ${tip.refusal}.`, "Grant the permission contents: write."),
    );
  }
  return faults.length > 0 ? faults : ok(`${branch} can be read.`);
}

/** Checks that the trigger label exists. A comment can start the bot without it. */
async function checkLabel(api: Api, { owner, name }: RepositoryName, label: string): Promise<Verdict> {
  const answer = await api.read(`/repos/${owner}/${name}/labels/${encodeURIComponent(label)}`, z.unknown());
  if ("data" in answer) return ok(`"${label}" is there.`);
  if (answer.status !== 404) return skipped(`${answer.refusal}.`);
  const quoted = `'${label.replaceAll("'", `'\\''`)}'`;
  return warning(`"${label}" is not there.`, `Run gh label create ${quoted} --repo ${owner}/${name}`);
}

/** The faults of the repository's `.github/magis.yml` and of the file that it extends. */
function checkSettingsFile({ faults = [] }: SettingsOfRepository): readonly Verdict[] {
  if (faults.length === 0) return [ok(".github/magis.yml is valid, or not there.")];
  return faults.map(({ file, line, message }) => fault(`${file}, line ${line}: ${message}`));
}

const rulesShape = z.array(z.object({ type: z.string() }));

/** Rules that stop the bot from making its branch or committing to it. */
const HINDRANCES: Readonly<Record<string, string>> = {
  creation: "branches cannot be created",
  update: "branches cannot be updated",
  pull_request: "changes need a pull request already on the bot's branch",
  required_status_checks: "commits need passed checks before they are on the bot's branch",
  required_deployments: "commits need a deployment before they are on the bot's branch",
  merge_queue: "changes need the merge queue",
};

/** Rules that the bot's commits or branches may or may not meet. */
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
 * Checks the branch rules against a branch of the bot, e.g. `magis/issue-1-…`. Without administration rights an app
 * cannot see classic branch protection. See https://docs.github.com/en/rest/repos/rules#get-rules-for-a-branch
 */
async function checkBranchRules(api: Api, { owner, name }: RepositoryName, branch: string): Promise<Verdict> {
  const answer = await api.read(`/repos/${owner}/${name}/rules/branches/${pathOf(branch)}`, rulesShape);
  if ("refusal" in answer) return skipped(`The rules for ${branch} cannot be read: ${answer.refusal}.`);
  const wordsOf = (sentences: Readonly<Record<string, string>>) =>
    [...new Set(answer.data.flatMap(({ type }) => sentences[type] ?? []))].join("; ");
  const page = "the repository's settings, Rules";
  const hindrances = wordsOf(HINDRANCES);
  if (hindrances !== "") {
    return fault(`On ${branch}: ${hindrances}.`, `Exempt the bot's branches, or let the app bypass the rule: ${page}.`);
  }
  const doubts = wordsOf(DOUBTS);
  if (doubts === "") return ok(`No rule stops the bot from pushing its own branches (${branch}).`);
  return warning(`On ${branch}: ${doubts}.`, `Check that the bot can meet this, or let the app bypass it: ${page}.`);
}
