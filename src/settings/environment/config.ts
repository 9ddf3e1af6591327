import { resolve } from "node:path";
import { DEFAULT_PRICES, type ModelPrice } from "../../data/prices.ts";
import { type CommandVariable, type PlacedSettings, settingsIn } from "../../data/setting-definitions/all-settings.ts";
import { growTree, valueAt } from "../../data/setting-definitions/definition.ts";
import type { EnvironmentValues } from "./schema.ts";

interface GithubConfig {
  /** PKCS#8 PEM */
  privateKey: string;
  /** root of the REST API, e.g. `https://api.github.com` or `https://ghe.example.com/api/v3` */
  apiUrl: string;
  /** where people and git go, e.g. `https://github.com` */
  webUrl: string;
}

interface ModelConfig {
  /** at least those of the two models */
  prices: Readonly<Record<string, ModelPrice>>;
}

/**
 * The configuration, grouped by who uses it: each part of the program gets its own group only. A setting that names a
 * place goes there; what is made of several settings, or has another unit, is listed here.
 */
export type Config = PlacedSettings & {
  github: GithubConfig;
  model: ModelConfig;
  clone: { maxUnpackedBytes: number };
};

/** What a command that does the agents' work needs: no app, no server, no database. */
export interface CommandConfig extends Pick<Config, "model" | "budget" | "agents" | "clone" | "pullRequest" | "check"> {
  github: Pick<GithubConfig, "apiUrl" | "webUrl"> & { token?: string };
}

const OF_COMMANDS = settingsIn("environment").filter(([, { environment }]) => environment.commands);

/** The variables for commands that do the agents' work. */
export const COMMAND_VARIABLES = Object.fromEntries(
  OF_COMMANDS.map(([, { environment }]) => [environment.variable, true]),
) as Record<CommandVariable, true>;

/** Puts checked values in their places. Pure, except that the data directory becomes absolute. */
export function buildConfig(values: EnvironmentValues, privateKey: string): Config {
  const placed = placeValues(values, settingsIn("environment")) as Config;
  return {
    ...placed,
    ...madeOfSeveral(values, placed),
    github: { ...placed.github, privateKey, ...githubAddresses(values) },
    database: databaseConfig(values),
  };
}

/** The part that the agents' work needs; it names no app and no database. */
export function buildCommandConfig(values: Pick<EnvironmentValues, CommandVariable>): CommandConfig {
  const placed = placeValues(values, OF_COMMANDS) as Config;
  return {
    ...placed,
    ...madeOfSeveral(values, placed),
    github: { ...githubAddresses(values), token: values.GITHUB_TOKEN },
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
  { model }: Config,
): Pick<Config, "model" | "clone"> {
  return {
    model: { ...model, prices: { ...DEFAULT_PRICES, ...Object.fromEntries(values.MAGIS_PRICES ?? []) } },
    clone: { maxUnpackedBytes: values.MAGIS_CLONE_LIMIT_MB * 1024 * 1024 },
  };
}

/** The keys of all providers of models, to be hidden where an answer is quoted. */
export function modelKeys(config: Config): readonly string[] {
  return OF_COMMANDS.flatMap(([, { environment }]) => {
    const { place, secretFor } = environment;
    const key = secretFor && place !== undefined ? valueAt(config, place) : undefined;
    return typeof key === "string" ? [key] : [];
  });
}

/** Where the database is. The data directory becomes absolute. */
export function databaseConfig(values: Pick<EnvironmentValues, "DATABASE_URL" | "MAGIS_DATA_DIR">): Config["database"] {
  return { dataDir: resolve(values.MAGIS_DATA_DIR), url: values.DATABASE_URL };
}

/** Where GitHub is: github.com, or the configured GitHub Enterprise Server. */
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
