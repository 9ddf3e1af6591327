import type { InspectedConfig } from "../../config/environment/inspect-config.ts";
import type { RepositoryId } from "../../model/run-request.ts";
import { type Api, type Ask, createApi } from "./ask.ts";
import type { Manifest, RegisteredApp } from "./check-app.ts";
import { checkBranchRules, checkReadingChecks } from "./check-branch-rules.ts";
import {
  checkDefaultBranch,
  checkLabel,
  checkRepository,
  checkSettingsFile,
  type RepositoryName,
} from "./check-repository.ts";
import { type Finding, runChecks } from "./findings.ts";

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
