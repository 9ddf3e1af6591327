import type { InspectedConfig } from "../../config/environment/inspect-texts.ts";
import type { Ask } from "./ask.ts";
import type { RepositoryName } from "./check-repository.ts";
import type { Manifest } from "./manifest.ts";

/** What the checks of GitHub are made of. */
export interface GithubParts {
  readonly inspected: InspectedConfig;
  readonly ask: Ask;
  readonly manifest: Manifest;
  readonly repository?: RepositoryName;
}
