import type { z } from "zod";
import type { Config } from "./config-config.ts";
import type { environmentSchema } from "./environment-schema.ts";
import type { ModelPrice } from "./model-prices.ts";

/** The variables that the agents' work needs, in the bot and on the command line. */
export const WORK_VARIABLES = {
  ANTHROPIC_API_KEY: true,
  ANTHROPIC_BASE_URL: true,
  MAGIS_DRAFT: true,
  MAGIS_MODEL_FAST: true,
  MAGIS_MODEL_STRONG: true,
  MAGIS_EFFORT_FAST: true,
  MAGIS_EFFORT_STRONG: true,
  MAGIS_PRICES: true,
  MAGIS_BUDGET_MONEY: true,
  MAGIS_BUDGET_TOKENS: true,
  MAGIS_BUDGET_MINUTES: true,
  MAGIS_CANDIDATES: true,
  MAGIS_REVIEW_ROUNDS: true,
  MAGIS_CI_ROUNDS: true,
  MAGIS_PROFILE: true,
  MAGIS_CLONE_LIMIT_MB: true,
} as const;

type Values = Pick<z.output<typeof environmentSchema>, keyof typeof WORK_VARIABLES>;

/** The part of the configuration that the agents' work needs: it names no app and no database. */
export function workConfig(
  values: Values,
  knownPrices: Readonly<Record<string, ModelPrice>>,
): Pick<Config, "model" | "budget" | "agents" | "clone" | "pullRequest"> {
  return {
    model: {
      apiKey: values.ANTHROPIC_API_KEY,
      ...(values.ANTHROPIC_BASE_URL && { baseUrl: values.ANTHROPIC_BASE_URL }),
      models: { fast: values.MAGIS_MODEL_FAST, strong: values.MAGIS_MODEL_STRONG },
      effort: {
        ...(values.MAGIS_EFFORT_FAST && { fast: values.MAGIS_EFFORT_FAST }),
        ...(values.MAGIS_EFFORT_STRONG && { strong: values.MAGIS_EFFORT_STRONG }),
      },
      prices: { ...knownPrices, ...Object.fromEntries(values.MAGIS_PRICES) },
    },
    budget: {
      money: values.MAGIS_BUDGET_MONEY,
      tokens: values.MAGIS_BUDGET_TOKENS,
      minutes: values.MAGIS_BUDGET_MINUTES,
    },
    agents: {
      candidates: values.MAGIS_CANDIDATES,
      reviewRounds: values.MAGIS_REVIEW_ROUNDS,
      ciRounds: values.MAGIS_CI_ROUNDS,
      profile: values.MAGIS_PROFILE,
    },
    clone: { maxUnpackedBytes: values.MAGIS_CLONE_LIMIT_MB * 1024 * 1024 },
    pullRequest: { draft: values.MAGIS_DRAFT },
  };
}
