import type { z } from "zod";
import type { Config } from "./config.ts";
import { databaseConfig } from "./database-config.ts";
import type { environmentSchema } from "./environment-schema.ts";
import type { ModelPrice } from "./shapes/model-prices.ts";

type Values = z.output<typeof environmentSchema>;

/** Groups checked values by their consumer. Pure, but for the data directory, which is made absolute. */
export function buildConfig(
  values: Values,
  privateKey: string,
  knownPrices: Readonly<Record<string, ModelPrice>>,
): Config {
  const enterprise = values.GHE_HOST === undefined ? undefined : `${values.GHE_PROTOCOL}://${values.GHE_HOST}`;
  return {
    github: {
      appId: values.APP_ID,
      privateKey,
      webhookSecret: values.WEBHOOK_SECRET,
      apiUrl: enterprise ? `${enterprise}/api/v3` : "https://api.github.com",
      webUrl: enterprise ?? "https://github.com",
    },
    server: { host: values.HOST, port: values.PORT, webhookPath: values.WEBHOOK_PATH },
    log: { level: values.LOG_LEVEL },
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
    engine: { concurrency: values.MAGIS_CONCURRENCY, retentionDays: values.MAGIS_RETENTION_DAYS },
    database: databaseConfig(values),
    trigger: { label: values.MAGIS_LABEL, allowedBots: values.MAGIS_ALLOWED_BOTS },
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
