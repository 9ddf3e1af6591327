import { resolve } from "node:path";
import type { ModelPrice } from "../../model/prices.ts";
import { type CommandVariable, settingsIn } from "../../model/setting-definitions/all-settings.ts";
import { growTree } from "../../model/setting-definitions/definition.ts";
import type { CommandConfig, Config } from "./config.ts";
import type { EnvironmentValues } from "./schema.ts";

type Prices = Readonly<Record<string, ModelPrice>>;

const OF_COMMANDS = settingsIn("environment").filter(([, { environment }]) => environment.commands);

/** The variables that commands need which do the agents' work. */
export const COMMAND_VARIABLES = Object.fromEntries(
  OF_COMMANDS.map(([, { environment }]) => [environment.variable, true]),
) as Record<CommandVariable, true>;

/** Puts checked values in their places. Pure, but for the data directory, which is made absolute. */
export function buildConfig(values: EnvironmentValues, privateKey: string, knownPrices: Prices): Config {
  const placed = placeValues(values, settingsIn("environment")) as Config;
  return {
    ...placed,
    ...madeOfSeveral(values, placed, knownPrices),
    github: { ...placed.github, privateKey, ...githubAddresses(values) },
    database: databaseConfig(values),
  };
}

/** The part of the configuration that the agents' work needs: it names no app and no database. */
export function buildCommandConfig(
  values: Pick<EnvironmentValues, CommandVariable>,
  knownPrices: Prices,
): CommandConfig {
  const placed = placeValues(values, OF_COMMANDS) as Config;
  const { GITHUB_TOKEN: token } = values;
  return {
    ...placed,
    ...madeOfSeveral(values, placed, knownPrices),
    github: { ...githubAddresses(values), ...(token && { token }) },
  };
}

function placeValues(values: Readonly<Record<string, unknown>>, definitions: readonly (typeof OF_COMMANDS)[number][]) {
  return growTree(
    definitions.flatMap(([, { environment }]) => {
      const { place, variable } = environment;
      return place === undefined ? [] : [[place, values[variable]] as const];
    }),
  );
}

function madeOfSeveral(
  values: Pick<EnvironmentValues, "MAGIS_PRICES" | "MAGIS_CLONE_LIMIT_MB">,
  { model }: Pick<Config, "model">,
  knownPrices: Prices,
): Pick<Config, "model" | "clone"> {
  return {
    model: { ...model, prices: { ...knownPrices, ...Object.fromEntries(values.MAGIS_PRICES ?? []) } },
    clone: { maxUnpackedBytes: values.MAGIS_CLONE_LIMIT_MB * 1024 * 1024 },
  };
}

/** Where the database is; the data directory is made absolute. */
export function databaseConfig(values: Pick<EnvironmentValues, "DATABASE_URL" | "MAGIS_DATA_DIR">): Config["database"] {
  return { dataDir: resolve(values.MAGIS_DATA_DIR), ...(values.DATABASE_URL && { url: values.DATABASE_URL }) };
}

/** Where GitHub is: github.com, or the GitHub Enterprise Server that was named. */
export function githubAddresses({
  GHE_HOST: host,
  GHE_PROTOCOL: protocol,
}: Pick<EnvironmentValues, "GHE_HOST" | "GHE_PROTOCOL">): Pick<Config["github"], "apiUrl" | "webUrl"> {
  const enterprise = host === undefined ? undefined : `${protocol}://${host}`;
  return {
    apiUrl: enterprise ? `${enterprise}/api/v3` : "https://api.github.com",
    webUrl: enterprise ?? "https://github.com",
  };
}
