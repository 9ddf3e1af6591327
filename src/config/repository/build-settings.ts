import type { z } from "zod";
import type { OperatorLimits, Settings } from "../../model/settings.ts";
import type { settingsSchema } from "./settings-schema.ts";

/** Fills in what the files leave to the operator, and groups the keys under the program's names. */
export function buildSettings(keys: z.output<typeof settingsSchema>, { budget, defaults }: OperatorLimits): Settings {
  const fast = keys.effort.fast ?? defaults.effort.fast;
  const strong = keys.effort.strong ?? defaults.effort.strong;
  return {
    label: keys.label ?? defaults.label,
    ...(keys["base-branch"] && { baseBranch: keys["base-branch"] }),
    draft: keys.draft ?? defaults.draft,
    approval: keys.approval,
    models: {
      fast: keys.models.fast ?? defaults.models.fast,
      strong: keys.models.strong ?? defaults.models.strong,
    },
    effort: { ...(fast && { fast }), ...(strong && { strong }) },
    candidates: keys.candidates ?? defaults.candidates,
    reviewRounds: keys["review-rounds"] ?? defaults.reviewRounds,
    budget: {
      money: keys.budget.money ?? budget.money,
      tokens: keys.budget.tokens ?? budget.tokens,
      minutes: keys.budget.minutes ?? budget.minutes,
    },
    ignore: keys.ignore,
    protect: keys.protect,
    unprotect: keys.unprotect,
    branch: keys.branch,
    commit: keys.commit,
    signOff: keys["sign-off"],
    allowedBots: keys["allowed-bots"] ?? defaults.allowedBots,
    ciRounds: keys["ci-rounds"],
    language: keys.language,
    instructions: keys.instructions,
  };
}
