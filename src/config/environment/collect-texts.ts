import { environmentSchema } from "./environment-schema.ts";
import { readEnvFile } from "./read-env-file.ts";

/**
 * Every variable of the schema as text, from `environment`, else from `envFile`. An empty one counts as not set.
 * Throws CONFIGURATION_INVALID when the file cannot be read.
 */
export function collectTexts(
  envFile: string | undefined,
  environment: Readonly<Record<string, string | undefined>>,
): Readonly<Record<string, string | undefined>> {
  const given = { ...(envFile === undefined ? {} : readEnvFile(envFile)), ...environment };
  return Object.fromEntries(
    Object.keys(environmentSchema.shape).map((name) => [name, given[name]?.trim() === "" ? undefined : given[name]]),
  );
}
