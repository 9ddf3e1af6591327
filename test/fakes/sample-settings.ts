import { DEFAULT_RUN_VALUES } from "../../src/model/setting-definitions/all-settings.ts";
import type { RunSettings } from "../../src/model/settings.ts";

/** What holds for a run when nobody has decided otherwise: the product's own defaults, and `changes`. */
export function sampleSettings(changes: Partial<RunSettings> = {}): RunSettings {
  return { ...DEFAULT_RUN_VALUES, ablate: [], ...changes };
}

/** The paper's form, call by call. */
export const PAPER = { profile: "paper" } as const;
