import type { RepositorySettings } from "../../model/repository-settings.ts";
import type { Chosen } from "../../workflow/dry-run/local-job.ts";

/** A repository's settings with what was chosen for one run in their place. */
export function withChosen(settings: RepositorySettings, chosen: Chosen): RepositorySettings {
  const { profile: _profile, ablate: _ablate, budget, models, ...own } = chosen;
  return {
    ...settings,
    ...own,
    budget: { ...settings.budget, ...budget },
    models: { ...settings.models, ...models },
  };
}
