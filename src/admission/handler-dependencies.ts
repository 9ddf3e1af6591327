import type { RepositoryId } from "../model/repository-id.ts";
import type { RunRequest } from "../model/run-request.ts";
import type { RunDependencies } from "../workflow/run/open-run-tools.ts";
import type { SettingsReader } from "./create-settings-reader.ts";

/** What all deliveries and runs of a process are dealt with. */
export interface HandlerDependencies extends RunDependencies {
  /** the label and the bots that the operator has chosen, where a repository says nothing */
  readonly label: string;
  readonly allowedBots: readonly string[];
  readonly readSettings: SettingsReader;
  /** the runs of an issue or a pull request that work or wait for their turn, on any machine */
  unfinished(repository: RepositoryId, issue: number): Promise<readonly RunRequest[]>;
}
