import type { RunSettings } from "../../src/workflow/run-tools.ts";

/** What holds for a run when nobody has decided otherwise. */
export function sampleSettings(changes: Partial<RunSettings> = {}): RunSettings {
  return {
    ...{ candidates: 10, reviewRounds: 3, ciRounds: 3, draft: true, profile: "lean", ablate: [] },
    ...{ branch: "magis/issue-{issue}-{slug}", commit: "{type}: {title}", signOff: false },
    ...changes,
  };
}
