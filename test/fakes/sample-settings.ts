import { environmentSchema } from "../../src/config/environment/schema.ts";
import { settingsSchema } from "../../src/config/repository/schema.ts";
import type { RunSettings } from "../../src/model/settings.ts";

const AGENTS = {
  MAGIS_CANDIDATES: true,
  MAGIS_REVIEW_ROUNDS: true,
  MAGIS_CI_ROUNDS: true,
  MAGIS_DRAFT: true,
  MAGIS_PROFILE: true,
} as const;

/** What holds for a run when nobody has decided otherwise: the product's own defaults, and `changes`. */
export function sampleSettings(changes: Partial<RunSettings> = {}): RunSettings {
  const values = environmentSchema.pick(AGENTS).parse({});
  const { branch, commit, "sign-off": signOff } = settingsSchema.parse({});
  return {
    ...{ candidates: values.MAGIS_CANDIDATES, reviewRounds: values.MAGIS_REVIEW_ROUNDS },
    ...{ ciRounds: values.MAGIS_CI_ROUNDS, draft: values.MAGIS_DRAFT, profile: values.MAGIS_PROFILE, ablate: [] },
    ...{ branch, commit, signOff },
    ...changes,
  };
}

/** The paper's form, call by call. */
export const PAPER = { profile: "paper" } as const;
