import { readSettings } from "../config/repository/read-settings.ts";
import type { SettingsFault } from "../config/repository/settings-fault.ts";
import type { RepositoryId } from "../model/repository-id.ts";
import type { OperatorLimits, Settings } from "../model/settings.ts";
import type { CommitApi } from "../ports/commit-api.ts";

/** Reads what a repository has decided, from its default branch as it is now; or what is wrong with that. */
export type SettingsReader = (
  repository: RepositoryId,
  host: Pick<CommitApi, "readFile">,
) => Promise<{ readonly settings: Settings } | { readonly faults: readonly SettingsFault[] }>;

export function createSettingsReader(limits: OperatorLimits): SettingsReader {
  return ({ owner, name }, host) =>
    readSettings({
      owner,
      readRepositoryFile: (path) => host.readFile(name, path),
      readOwnerFile: (repository, path) => host.readFile(repository, path),
      limits,
    });
}
