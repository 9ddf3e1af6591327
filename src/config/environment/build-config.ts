import type { z } from "zod";
import type { Config } from "./config-config.ts";
import { databaseConfig } from "./database-config.ts";
import type { environmentSchema } from "./environment-schema.ts";
import { githubAddresses } from "./github-addresses.ts";
import type { ModelPrice } from "./model-prices.ts";
import { workConfig } from "./work-config.ts";

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
