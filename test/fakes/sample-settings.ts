import { DEFAULT_RUN_VALUES } from "../../src/data/setting-definitions/all-settings.ts";
import type { RunSettings } from "../../src/data/settings.ts";

/** The product's default settings, with `changes`. */
export function sampleSettings(changes: Partial<RunSettings> = {}): RunSettings {
  return { ...DEFAULT_RUN_VALUES, ablate: [], ...changes };
}

/** The paper's profile, which asks call by call. */
export const PAPER = { profile: "paper" } as const;
