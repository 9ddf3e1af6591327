import { MagisError } from "../../data/error.ts";
import type { ModelPrice } from "../../data/prices.ts";
import { settingsIn } from "../../data/setting-definitions/all-settings.ts";
import { listed } from "../../text/patterns.ts";
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

/** Variables by name. */
export type Environment = Readonly<Record<string, string | undefined>>;

/** The variables of this process. Nothing else reads them: whoever starts something hands them in. */
export function processEnvironment(): Environment {
  return process.env;
}

/**
 * Reads the configuration from `environment`, and from `envFile` (`.env`) what is missing there. An empty variable
 * counts as not set. `knownPrices`: US dollars per million tokens of known models. `tell` gets a sentence for each
 * variable that looks like ours and is not. Throws CONFIGURATION_INVALID with all faults at once, one sentence a line,
 * without values of secrets.
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
 * Reads the database's part of the configuration, for commands: no other variable has to be set. Sources and `tell` as
 * in `readCommandConfig`. Throws CONFIGURATION_INVALID with all faults of these variables.
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

/** Whether the environment or the operator's own file says where the bot's database is. */
export function namesDatabase(envFile: EnvFile | undefined, environment: Environment): boolean {
  const { DATABASE_URL: url, MAGIS_DATA_DIR: dataDir } = collectTexts(envFile, environment).texts;
  return dataDir !== undefined || url !== undefined;
}

/**
 * Reads what commands need that do the agents' work without an app and a database. `chosen`: variables that the command
 * line sets instead. Other sources as in `readConfig`, except that variables of the file that do not count go to `tell`
 * and are no fault: the file may belong to somebody else's repository. Throws CONFIGURATION_INVALID with all faults of
 * these variables.
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
  if (!data || faults.length > 0) throw new MagisError("CONFIGURATION_INVALID", byOption(faults.join("\n"), chosen));
  return buildCommandConfig(data, knownPrices);
}

/** A sentence that names the options which were given in place of the variables that they set. */
function byOption(sentence: string, chosen: Environment): string {
  const options = settingsIn("environment", "option").filter(([, { environment }]) => environment.variable in chosen);
  return options.reduce(
    (text, [, { environment, option }]) => text.replaceAll(environment.variable, `--${option.name}`),
    sentence,
  );
}

/**
 * GitHub's address by the environment alone, e.g. `https://github.com`; undefined if that is faulty. A token from
 * another program goes nowhere else, so a `.env` must not decide this.
 */
export function githubOfEnvironment(environment: Environment): string | undefined {
  const { texts } = collectTexts(undefined, environment);
  const { data } = environmentSchema.pick({ GHE_HOST: true, GHE_PROTOCOL: true }).safeParse(texts);
  return data && githubAddresses(data).webUrl;
}

/**
 * This server's public address (MAGIS_URL) by the environment alone; undefined when it is not set. The app's keys
 * arrive there, so a `.env` must not decide this. Throws CONFIGURATION_INVALID if it is no address.
 */
export function publicAddress(environment: Environment): string | undefined {
  const { texts } = collectTexts(undefined, environment);
  const { data, error } = environmentSchema.shape.MAGIS_URL.safeParse(texts.MAGIS_URL);
  if (!error) return data;
  throw new MagisError("CONFIGURATION_INVALID", describeFault("MAGIS_URL", error.issues[0]?.message ?? "is at fault."));
}

/** What `git rev-parse --local-env-vars` lists; hooks set them, for one. */
const LOCAL_TO_A_REPOSITORY = listed(
  "^GIT_",
  `DIR WORK_TREE IMPLICIT_WORK_TREE COMMON_DIR INDEX_FILE PREFIX CONFIG(_PARAMETERS|_COUNT)? GRAFT_FILE SHALLOW_FILE
  OBJECT_DIRECTORY ALTERNATE_OBJECT_DIRECTORIES REPLACE_REF_BASE`,
  "$",
);

/** The environment for git, without variables that would point it at another repository. */
export function gitEnvironment(environment: Environment): Environment {
  return Object.fromEntries(Object.entries(environment).filter(([name]) => !LOCAL_TO_A_REPOSITORY.test(name)));
}

/**
 * Reads as much as possible, for `magis doctor`: all faults, and the values that they do not touch. Sources as in
 * `readConfig`. Never throws.
 */
export function inspectConfig(
  knownPrices: Readonly<Record<string, ModelPrice>>,
  envFile: EnvFile | undefined,
  environment: Environment,
): InspectedConfig {
  return inspectTexts(knownPrices, envFile, environment);
}

/** The texts of the variables `names`, for a command. `tell` gets those that do not count, and unknown ones. */
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
