import { createSettingsReader } from "../../admission/create-settings-reader.ts";
import { settingsSchema } from "../../config/repository/settings-schema.ts";
import { createOpenCodeHost } from "../../github/api/create-open-code-host.ts";
import { branchOf } from "../../model/branch-of.ts";
import { isMagisError } from "../../model/magis-error.ts";
import { checkBranchRules } from "./check-branch-rules.ts";
import { checkDefaultBranch } from "./check-default-branch.ts";
import { checkLabel } from "./check-label.ts";
import { checkReadingChecks } from "./check-reading-checks.ts";
import { checkRepository, type RepositoryName } from "./check-repository.ts";
import { checkSettingsFile } from "./check-settings-file.ts";
import { type Api, createApi } from "./create-api.ts";
import type { Finding } from "./finding.ts";
import type { GithubParts } from "./github-parts-doctor.ts";
import type { RegisteredApp } from "./registered-app.ts";
import { runChecks } from "./run-checks.ts";

export interface RepositoryParts extends GithubParts {
  readonly repository: RepositoryName;
  /** as the app */
  readonly api: Api;
  readonly app: RegisteredApp;
}

/** Everything that can be told of one repository: first whether the app reaches it, then the rest at once. */
export async function repositoryFindingsDoctor(parts: RepositoryParts): Promise<readonly Finding[]> {
  const { ask, manifest, repository, api, app, inspected } = parts;
  const { findings, access } = await checkRepository(api, app, repository, manifest);
  if (access === undefined) return findings;
  const own = createApi(ask, inspected.config.github.apiUrl, async () => access.token);
  const read = readSettings(parts, access.installationId);
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

interface ReadSettings {
  readonly label: string;
  /** one of the bot's own in this repository */
  readonly branch: string;
  readonly faults?: readonly { readonly file: string; readonly line: number; readonly message: string }[];
}

/** The repository's settings as a run would read them; where they have faults, the label and branch without them. */
async function readSettings({ inspected, repository }: RepositoryParts, installationId: number): Promise<ReadSettings> {
  const { github, budget, model, trigger, pullRequest, agents } = inspected.config;
  const log = { debug: () => undefined, warn: () => undefined };
  const id = { ...repository, installationId };
  const read = createSettingsReader({
    ...{ models: Object.keys(model.prices), budget },
    defaults: { ...trigger, ...pullRequest, ...model, ...agents },
  });
  try {
    const host = await createOpenCodeHost({ ...github, log, maxWaitSeconds: 1 })(id);
    const result = await read(id, host);
    const { label, branch } = "settings" in result ? result.settings : { ...defaults(), label: trigger.label };
    const sample = branchOf(branch, 1, "a title");
    return { label, branch: sample, ...("faults" in result && { faults: result.faults }) };
  } catch (error) {
    if (!isMagisError(error)) throw error;
    const fault = { file: ".github/magis.yml", line: 1, message: `it cannot be read: ${error.message}` };
    return { label: trigger.label, branch: branchOf(defaults().branch, 1, "a title"), faults: [fault] };
  }
}

function defaults() {
  return settingsSchema.parse({});
}
