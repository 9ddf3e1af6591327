import type { Octokit } from "@octokit/rest";
import type { RepositoryId } from "../../data/run-request.ts";
import type { AppAccess, TokenSource } from "../../github/access.ts";
import { type Check, checksWith, fault, ok, skipped, type Verdict, warning } from "../findings.ts";
import { askGithub } from "./ask.ts";
import type { Manifest, RegisteredApp } from "./check-app.ts";

export interface RepositoryName {
  owner: string;
  name: string;
}

/** GitHub as the app asks it, and as the bearer of an installation's tokens does. */
export interface GithubAccess extends AppAccess {
  withTokens(tokens: TokenSource): Octokit;
}

export interface RepositoryParts {
  repository: RepositoryName;
  github: GithubAccess;
  manifest: Manifest;
  /** reads a repository's settings as a run would */
  readSettings: (repository: RepositoryId) => Promise<SettingsOfRepository>;
}

export interface SettingsOfRepository {
  label: string;
  /** a branch name as the bot would choose it in this repository */
  branch: string;
  faults: readonly { file: string; line: number; message: string }[];
}

/** The checks of one repository. The others need the first: that the app can reach it. */
export function repositoryChecks(app: Promise<RegisteredApp | undefined>, parts: RepositoryParts): readonly Check[] {
  const { repository, readSettings } = parts;
  const reached = app.then((one) => one && checkAccess(one, parts));
  const access = reached.then((one) => one?.access);
  const withAccess = checksWith(access);
  const withSettings = checksWith(
    access.then(async (one) => one && { ...one, ...(await readSettings({ ...repository, installationId: one.id })) }),
  );
  const place = { owner: repository.owner, repo: repository.name };
  return [
    checksWith(reached, "It needs an app that GitHub knows.")("repository", ({ verdict }) => verdict),
    withAccess("default branch", ({ github }) => checkDefaultBranch(github, place)),
    withSettings("repository settings", (read) => checkSettingsFile(read)),
    withSettings("label", ({ github, label }) => checkLabel(github, place, label)),
    withSettings("branch rules", ({ github, branch }) => checkBranchRules(github, place, branch)),
  ];
}

/** The app's access to one repository. */
interface Access {
  /** of the installation */
  id: number;
  /** asks with the installation's token */
  github: Octokit;
}

/** Checks that the app is installed on the repository and gets a token with the permissions it needs. */
async function checkAccess(
  app: RegisteredApp,
  { github, repository, manifest: { permissions } }: RepositoryParts,
): Promise<{ verdict: Verdict; access?: Access | undefined }> {
  const { owner, name } = repository;
  const installed = await askGithub("find the app's installation", () =>
    github.client.rest.apps.getRepoInstallation({ owner, repo: name }),
  );
  if ("refusal" in installed) {
    if (installed.status !== 404) return { verdict: fault(installed.refusal, "Try again later.") };
    const text = `The app is not installed on ${owner}/${name}, or there is no such repository.`;
    return { verdict: fault(text, `Install it, or select the repository: ${app.installUrl}`) };
  }
  const { id } = installed.data;
  const open = async (reach: { permissions?: Manifest["permissions"] }) => {
    const tokens = github.tokensFor({ installationId: id, repository, ...reach });
    const granted = await askGithub("give a token", async () => ({ data: await tokens() }));
    return "refusal" in granted ? granted : { id, github: github.withTokens(tokens) };
  };
  const full = await open({ permissions });
  if ("github" in full) {
    const text = `The app is installed on ${owner}/${name} and gets a token with every permission it needs.`;
    return { verdict: ok(text), access: full };
  }
  const text = `There is no token with the permissions that the bot needs. ${full.refusal}`;
  const remedy = `Grant the missing permissions at ${app.settingsUrl}/permissions, then accept them where the app is installed.`;
  const less = await open({});
  return { verdict: fault(text, remedy), access: "github" in less ? less : undefined };
}

type Place = Readonly<Record<"owner" | "repo", string>>;

/** Checks that the base branch is readable, and that the repository accepts changes and issues. */
async function checkDefaultBranch(github: Octokit, place: Place): Promise<Verdict | readonly Verdict[]> {
  const answer = await askGithub("read the repository", () => github.rest.repos.get(place));
  if ("refusal" in answer) return fault(answer.refusal);
  const { default_branch: branch, archived, has_issues } = answer.data;
  const tip = await askGithub(`read ${branch}`, () => github.rest.git.getRef({ ...place, ref: `heads/${branch}` }));
  const faults: Verdict[] = [];
  if (archived) faults.push(fault("The repository is archived, so it cannot be changed.", "Unarchive it."));
  if (!has_issues) faults.push(fault("Issues are turned off.", "Turn them on in the repository's settings."));
  if ("refusal" in tip) {
    const isEmpty = tip.status === 409 || tip.status === 404;
    faults.push(
      isEmpty
        ? fault(`${branch} is not there: the repository is empty.`, "Push a first commit.")
        : fault(tip.refusal, "Grant the permission contents: write."),
    );
  }
  return faults.length > 0 ? faults : ok(`${branch} can be read.`);
}

/** Checks that the trigger label exists. A comment can start the bot without it. */
async function checkLabel(github: Octokit, place: Place, label: string): Promise<Verdict> {
  const answer = await askGithub("read the label", () => github.rest.issues.getLabel({ ...place, name: label }));
  if ("data" in answer) return ok(`"${label}" is there.`);
  if (answer.status !== 404) return skipped(answer.refusal);
  const quoted = `'${label.replaceAll("'", `'\\''`)}'`;
  return warning(`"${label}" is not there.`, `Run gh label create ${quoted} --repo ${place.owner}/${place.repo}`);
}

/** The faults of the repository's `.github/magis.yml` and of the file that it extends. */
function checkSettingsFile({ faults }: SettingsOfRepository): readonly Verdict[] {
  if (faults.length === 0) return [ok(".github/magis.yml is valid, or not there.")];
  return faults.map(({ file, line, message }) => fault(`${file}, line ${line}: ${message}`));
}

/** Rules that stop the bot from making its branch or committing to it. */
const HINDRANCES: Readonly<Record<string, string>> = {
  creation: "branches cannot be created",
  update: "branches cannot be updated",
  pull_request: "changes need a pull request already on the bot's branch",
  required_status_checks: "commits need passed checks before they are on the bot's branch",
  required_deployments: "commits need a deployment before they are on the bot's branch",
  merge_queue: "changes need the merge queue",
};

/** Rules that the bot's commits or branches may or may not meet: signatures, patterns, paths and sizes of files. */
const DOUBTFUL = /signatures|_pattern|file_path|max_file/;

/**
 * Checks the branch rules against a branch of the bot, e.g. `magis/issue-1-…`. Without administration rights an app
 * cannot see classic branch protection. See https://docs.github.com/en/rest/repos/rules#get-rules-for-a-branch
 */
async function checkBranchRules(github: Octokit, place: Place, branch: string): Promise<Verdict> {
  const answer = await askGithub(`read the rules for ${branch}`, () =>
    github.rest.repos.getBranchRules({ ...place, branch }),
  );
  if ("refusal" in answer) return skipped(answer.refusal);
  const types = [...new Set(answer.data.map(({ type }) => type))];
  const page = "the repository's settings, Rules";
  const hindrances = types.flatMap((type) => HINDRANCES[type] ?? []).join("; ");
  if (hindrances !== "") {
    return fault(`On ${branch}: ${hindrances}.`, `Exempt the bot's branches, or let the app bypass the rule: ${page}.`);
  }
  const doubts = types
    .filter((type) => DOUBTFUL.test(type))
    .join(", ")
    .replaceAll("_", " ");
  if (doubts === "") return ok(`No rule stops the bot from pushing its own branches (${branch}).`);
  return warning(
    `There are rules for ${branch}: ${doubts}.`,
    `Check that the bot can meet this, or let the app bypass it: ${page}.`,
  );
}
