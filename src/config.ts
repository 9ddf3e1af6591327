import { buildConfig } from "./config/build-config.ts";
import { collectTexts } from "./config/collect-texts.ts";
import type { Config } from "./config/config.ts";
import { databaseConfig } from "./config/database-config.ts";
import { describeFault } from "./config/describe-fault.ts";
import { environmentSchema } from "./config/environment-schema.ts";
import { findUnpricedModels } from "./config/find-unpriced-models.ts";
import { readPrivateKey } from "./config/read-private-key.ts";
import type { ModelPrice } from "./config/shapes/model-prices.ts";
import { MagisError } from "./domain/magis-error.ts";

/**
 * The configuration from the environment, and from `envFile` (`.env`) for what the environment does not hold. An empty
 * variable counts as not set. `knownPrices`: of the models that are known, US dollars per million tokens.
 * The only reader of the process's environment.
 * Throws CONFIGURATION_INVALID with every fault at once, one sentence a line, none of them holding a value of a secret.
 */
export function readConfig(
  knownPrices: Readonly<Record<string, ModelPrice>>,
  envFile?: string,
  environment: Readonly<Record<string, string | undefined>> = process.env,
): Config {
  const texts = collectTexts(envFile, environment);
  const parsed = environmentSchema.safeParse(texts);
  const privateKey = readPrivateKey(texts.PRIVATE_KEY, texts.PRIVATE_KEY_PATH);
  const faults = [
    ...(parsed.error?.issues.map((issue) => describeFault(String(issue.path[0]), issue.message)) ?? []),
    ...("fault" in privateKey ? [privateKey.fault] : []),
    ...findUnpricedModels(texts, knownPrices),
  ];
  if (!parsed.success || "fault" in privateKey || faults.length > 0) {
    throw new MagisError("CONFIGURATION_INVALID", faults.join("\n"), { faults });
  }
  return buildConfig(parsed.data, privateKey.key, knownPrices);
}

/**
 * The database's part of the configuration, for commands: no other variable need be set. Sources as in `readConfig`.
 * Throws CONFIGURATION_INVALID with every fault of these variables.
 */
export function readDatabaseConfig(
  envFile?: string,
  environment: Readonly<Record<string, string | undefined>> = process.env,
): Config["database"] {
  const shape = environmentSchema.pick({ DATABASE_URL: true, MAGIS_DATA_DIR: true });
  const { data, error } = shape.safeParse(collectTexts(envFile, environment));
  if (data) return databaseConfig(data);
  const faults = error.issues.map((issue) => describeFault(String(issue.path[0]), issue.message));
  throw new MagisError("CONFIGURATION_INVALID", faults.join("\n"), { faults });
}
