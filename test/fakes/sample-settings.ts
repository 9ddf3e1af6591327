import type { RunSettings } from "../../src/model/settings.ts";

/** What holds for a run when nobody has decided otherwise, in the paper's form: `profile: "paper"` is the product's own. */
export function sampleSettings(changes: Partial<RunSettings> = {}): RunSettings {
  return {
    ...{ candidates: 10, reviewRounds: 3, ciRounds: 3, draft: true, profile: "paper", ablate: [] },
    ...{ branch: "magis/issue-{issue}-{slug}", commit: "{type}: {title}", signOff: false },
    ...changes,
  };
}
