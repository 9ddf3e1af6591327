import { MagisError } from "../../model/error.ts";
import type { ModelPrice } from "../../model/prices.ts";
import { listed } from "../../search/patterns.ts";
import {
  buildCommandConfig,
  buildConfig,
  COMMAND_VARIABLES,
  type CommandConfig,
  type Config,
  databaseConfig,
  githubAddresses,
} from "./config.ts";
import { findUnpricedModels, type InspectedConfig, inspectTexts } from "./inspect-config.ts";
import type { EnvFile } from "./own-env-file.ts";
import { describeFault, environmentSchema, findMissing } from "./schema.ts";
import { collectTexts, readPrivateKey } from "./sources.ts";

/** Variables by their names. */
export type Environment = Readonly<Record<string, string | undefined>>;

/** The variables of this process, which nothing else reads: whoever starts something hands them in. */
export function processEnvironment(): Environment {
  return process.env;
}

/**
 * The configuration from `environment`, and from `envFile` (`.env`) for what that does not hold. An empty
 * variable counts as not set. `knownPrices`: of the models that are known, US dollars per million tokens.
 * `tell` hears of variables that look like ours and are none.
 * Throws CONFIGURATION_INVALID with every fault at once, one sentence a line, none of them holding a value of a secret.
 */
export function readConfig(
  knownPrices: Readonly<Record<string, ModelPrice>>,
  envFile: EnvFile | undefined,
  environment: Environment,
  tell: (sentence: string) => void = () => undefined,
): Config {
  const { texts, passedOver, unknown } = collectTexts(envFile, environment);
  for (const sentence of unknown) tell(sentence);
  const parsed = environmentSchema.safeParse(texts);
  const privateKey = readPrivateKey(texts.PRIVATE_KEY, texts.PRIVATE_KEY_PATH);
  const faults = [
    // Never drop an operator's own limit or address silently.
    ...passedOver,
    ...(parsed.error?.issues.map((issue) => describeFault(String(issue.path[0]), issue.message)) ?? []),
    ...findMissing(texts).map((name) => describeFault(name, "is missing.")),
    "fault" in privateKey ? privateKey.fault : undefined,
    ...findUnpricedModels(texts, knownPrices),
  ].filter((one) => one !== undefined);
  if (!parsed.success || "fault" in privateKey || faults.length > 0) {
    throw new MagisError("CONFIGURATION_INVALID", faults.join("\n"), { faults });
  }
  return buildConfig(parsed.data, privateKey.key, knownPrices);
}

/**
 * The database's part of the configuration, for commands: no other variable need be set. Sources and `tell` as in
 * `readCommandConfig`.
 * Throws CONFIGURATION_INVALID with every fault of these variables.
 */
export function readDatabaseConfig(
  envFile: EnvFile | undefined,
  environment: Environment,
  tell: (sentence: string) => void = () => undefined,
): Config["database"] {
  const names = { DATABASE_URL: true, MAGIS_DATA_DIR: true } as const;
  const texts = textsFor(names, { envFile, environment, tell });
  const { data, error } = environmentSchema.pick(names).safeParse(texts);
  if (data) return databaseConfig(data);
  const faults = error.issues.map((issue) => describeFault(String(issue.path[0]), issue.message));
  throw new MagisError("CONFIGURATION_INVALID", faults.join("\n"), { faults });
}

/** Whether somebody has said where the bot's database is: the environment, or the operator's own file. */
export function namesDatabase(envFile: EnvFile | undefined, environment: Environment): boolean {
  const { DATABASE_URL: url, MAGIS_DATA_DIR: dataDir } = collectTexts(envFile, environment).texts;
  return dataDir !== undefined || url !== undefined;
}

/**
 * What commands need that do the agents' work without an app and without a database. `chosen`: values of variables that
 * the command line gives in their place. Other sources as in `readConfig`, but what does not count of the file is
 * told to `tell` and no fault: it may be the file of somebody else's repository.
 * Throws CONFIGURATION_INVALID with every fault of these variables.
 */
export function readCommandConfig(
  knownPrices: Readonly<Record<string, ModelPrice>>,
  chosen: Environment,
  envFile: EnvFile | undefined,
  environment: Environment,
  tell: (sentence: string) => void = () => undefined,
): CommandConfig {
  const texts = { ...textsFor(COMMAND_VARIABLES, { envFile, environment, tell }, chosen), ...chosen };
  const shape = environmentSchema.pick(COMMAND_VARIABLES);
  const { data, error } = shape.safeParse(texts);
  const faults = [
    ...(error?.issues.map((issue) => describeFault(String(issue.path[0]), issue.message)) ?? []),
    ...findMissing(texts).map((name) => describeFault(name, "is missing.")),
    ...findUnpricedModels(texts, knownPrices),
  ];
  if (!data || faults.length > 0) throw new MagisError("CONFIGURATION_INVALID", faults.join("\n"), { faults });
  return buildCommandConfig(data, knownPrices);
}

/**
 * Where GitHub is by the environment alone, e.g. `https://github.com`; undefined when that is at fault. A token that
 * another program gives goes nowhere else: a `.env` does not decide where.
 */
export function githubOfEnvironment(environment: Environment): string | undefined {
  const { texts } = collectTexts(undefined, environment);
  const { data } = environmentSchema.pick({ GHE_HOST: true, GHE_PROTOCOL: true }).safeParse(texts);
  return data && githubAddresses(data).webUrl;
}

/**
 * Where people and GitHub reach this server (MAGIS_URL), by the environment alone; undefined when that does not say.
 * The app's keys come there: a `.env` does not decide where. Throws CONFIGURATION_INVALID when it is no address.
 */
export function publicAddress(environment: Environment): string | undefined {
  const { texts } = collectTexts(undefined, environment);
  const { data, error } = environmentSchema.shape.MAGIS_URL.safeParse(texts.MAGIS_URL);
  if (!error) return data;
  throw new MagisError("CONFIGURATION_INVALID", describeFault("MAGIS_URL", error.issues[0]?.message ?? "is at fault."));
}

/** What `git rev-parse --local-env-vars` lists: set in hooks, for one. */
const LOCAL_TO_A_REPOSITORY = listed(
  "^GIT_",
  `DIR WORK_TREE IMPLICIT_WORK_TREE COMMON_DIR INDEX_FILE PREFIX CONFIG(_PARAMETERS|_COUNT)? GRAFT_FILE SHALLOW_FILE
  OBJECT_DIRECTORY ALTERNATE_OBJECT_DIRECTORIES REPLACE_REF_BASE`,
  "$",
);

/** The environment for git, without what would point it at another repository than the one it is told. */
export function gitEnvironment(environment: Environment): Environment {
  return Object.fromEntries(Object.entries(environment).filter(([name]) => !LOCAL_TO_A_REPOSITORY.test(name)));
}

/**
 * The configuration as far as it can be read, for `magis doctor`: every fault, and the values that are not touched by
 * them. Sources as in `readConfig`. Throws nothing.
 */
export function inspectConfig(
  knownPrices: Readonly<Record<string, ModelPrice>>,
  envFile: EnvFile | undefined,
  environment: Environment,
): InspectedConfig {
  return inspectTexts(knownPrices, envFile, environment);
}

/**
 * The texts for a command, which reads the variables `names`; `tell` hears of those that do not count, and of unknown
 * ones.
 */
function textsFor(
  names: Readonly<Record<string, true>>,
  from: {
    readonly envFile: EnvFile | undefined;
    readonly environment: Environment;
    readonly tell: (sentence: string) => void;
  },
  chosen: Environment = {},
): Environment {
  const { texts, passedOver, unknown } = collectTexts(from.envFile, from.environment);
  for (const sentence of unknown) from.tell(sentence);
  for (const sentence of passedOver) {
    const [name = ""] = sentence.split(" ");
    if (names[name] && chosen[name] === undefined) from.tell(sentence);
  }
  return texts;
}
