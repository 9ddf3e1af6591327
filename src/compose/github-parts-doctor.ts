import type { Ask } from "../cli/doctor/ask.ts";
import type { RepositoryName } from "../cli/doctor/check-repository.ts";
import type { Manifest } from "../cli/doctor/manifest.ts";
import type { InspectedConfig } from "../config/environment/inspect-texts.ts";

/** What the checks of GitHub are made of. */
export interface GithubParts {
  readonly inspected: InspectedConfig;
  readonly ask: Ask;
  readonly manifest: Manifest;
  readonly repository?: RepositoryName;
}
