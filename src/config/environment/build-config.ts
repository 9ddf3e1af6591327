import { resolve } from "node:path";
import type { z } from "zod";
import type { Config } from "./config.ts";
import type { environmentSchema } from "./schema.ts";
import type { ModelPrice } from "./shapes.ts";

type Values = z.output<typeof environmentSchema>;

/** Groups checked values by their consumer. Pure, but for the data directory, which is made absolute. */
export function buildConfig(
  values: Values,
  privateKey: string,
  knownPrices: Readonly<Record<string, ModelPrice>>,
): Config {
  return {
    ...workConfig(values, knownPrices),
    github: {
      appId: values.APP_ID,
      privateKey,
      webhookSecret: values.WEBHOOK_SECRET,
      ...githubAddresses(values),
    },
    server: { host: values.HOST, port: values.PORT, webhookPath: values.WEBHOOK_PATH },
    log: { level: values.LOG_LEVEL },
    engine: { concurrency: values.MAGIS_CONCURRENCY, retentionDays: values.MAGIS_RETENTION_DAYS },
    database: databaseConfig(values),
    trigger: { label: values.MAGIS_LABEL, allowedBots: values.MAGIS_ALLOWED_BOTS },
  };
}

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

type WorkValues = Pick<z.output<typeof environmentSchema>, keyof typeof WORK_VARIABLES>;

/** The part of the configuration that the agents' work needs: it names no app and no database. */
export function workConfig(
  values: WorkValues,
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

/** Where the database is; the data directory is made absolute. */
export function databaseConfig(
  values: Pick<z.output<typeof environmentSchema>, "DATABASE_URL" | "MAGIS_DATA_DIR">,
): Config["database"] {
  return { dataDir: resolve(values.MAGIS_DATA_DIR), ...(values.DATABASE_URL && { url: values.DATABASE_URL }) };
}

/** Where GitHub is: github.com, or the GitHub Enterprise Server that was named. */
export function githubAddresses({
  GHE_HOST: host,
  GHE_PROTOCOL: protocol,
}: Pick<z.output<typeof environmentSchema>, "GHE_HOST" | "GHE_PROTOCOL">): Pick<Config["github"], "apiUrl" | "webUrl"> {
  const enterprise = host === undefined ? undefined : `${protocol}://${host}`;
  return {
    apiUrl: enterprise ? `${enterprise}/api/v3` : "https://api.github.com",
    webUrl: enterprise ?? "https://github.com",
  };
}
