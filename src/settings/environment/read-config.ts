import { isMagisError, MagisError } from "../../data/error.ts";
import { DEFAULT_PRICES } from "../../data/prices.ts";
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
 * counts as not set. `tell` gets a sentence for each variable that looks like ours and is not. Throws
 * CONFIGURATION_INVALID with all faults at once, one sentence a line, without values of secrets.
 */
export function readConfig(
  envFile: EnvFile | undefined,
  environment: Environment,
  tell: (sentence: string) => void = () => undefined,
): Config {
  const { appFaults, faults, unknown, config } = inspectConfig(envFile, environment);
  for (const sentence of unknown) tell(sentence);
  const all = [...appFaults, ...faults];
  if (all.length > 0) throw new MagisError("CONFIGURATION_INVALID", all.join("\n"));
  return config;
}

type Variable = keyof typeof environmentSchema.shape;

/** What belongs to an app. If none of it is set, no app is configured. */
export const APP_VARIABLES = ["APP_ID", "WEBHOOK_SECRET", "PRIVATE_KEY", "PRIVATE_KEY_PATH"] as const;

/** A configuration that may have faults. */
export interface InspectedConfig {
  /** whether anything of an app is set */
  hasApp: boolean;
  /** those about the app's variables, which say little where no app is configured */
  appFaults: readonly string[];
  faults: readonly string[];
  /** those `faults` about variables of the file that do not count */
  leftOut: readonly string[];
  /** a sentence for each variable that looks like ours and is not */
  unknown: readonly string[];
  /** a value that rests on a faulty variable is the default or a stand-in: ask `sound` first */
  config: Config;
  /** whether all of these are set correctly */
  sound(...names: readonly Variable[]): boolean;
  /** whether nothing is set */
  missing(name: Variable): boolean;
  /** the file of the private key, if it comes from one */
  keyFile?: string;
  /** the private key's text as set, if it comes from a variable */
  keyText?: string;
}

/** Stand-ins for required values without a default; never used, since callers ask `sound` first. */
const STAND_INS: Readonly<Partial<Record<string, string>>> = Object.fromEntries(
  settingsIn("environment").flatMap(([, { environment, required }]) => {
    return required ? [[environment.variable, environment.example ?? "1"]] : [];
  }),
);

/**
 * Reads as much as possible: all faults, and the values that they do not touch, since each variable is read by itself.
 * Sources as in `readConfig`. Never throws.
 */
export function inspectConfig(envFile: EnvFile | undefined, environment: Environment): InspectedConfig {
  const { texts, passedOver, unknown, fault } = textsOf(envFile, environment);
  const issues = environmentSchema.safeParse(texts).error?.issues ?? [];
  const found = [
    ...issues.map(({ path, message }) => ({
      name: String(path[0]),
      sentence: describeFault(String(path[0]), message),
    })),
    ...findMissing(texts).map((name) => ({ name, sentence: describeFault(name, "is missing.") })),
  ];
  const key = readPrivateKey(texts.PRIVATE_KEY, texts.PRIVATE_KEY_PATH);
  if ("fault" in key) found.push({ name: "PRIVATE_KEY", sentence: key.fault });
  const faulty = new Set(found.map(({ name }) => name));
  const replaced = Object.fromEntries([...faulty].map((name) => [name, STAND_INS[name]]));
  const values = environmentSchema.parse({ ...texts, ...replaced });
  const isOfApp = ({ name }: { name: string }) => APP_VARIABLES.some((one) => one === name);
  return {
    hasApp: APP_VARIABLES.some((name) => texts[name] !== undefined),
    leftOut: passedOver,
    appFaults: found.filter(isOfApp).map(({ sentence }) => sentence),
    faults: [
      ...(fault === undefined ? [] : [fault]),
      // Never drop an operator's own limit or address silently.
      ...passedOver,
      ...found.filter((one) => !isOfApp(one)).map(({ sentence }) => sentence),
      ...findUnpricedModels(texts),
    ],
    unknown,
    config: buildConfig(values, "key" in key ? key.key : ""),
    sound: (...names) => names.every((name) => !faulty.has(name)),
    missing: (name) => texts[name] === undefined,
    keyFile: texts.PRIVATE_KEY === undefined ? texts.PRIVATE_KEY_PATH : undefined,
    keyText: texts.PRIVATE_KEY,
  };
}

function textsOf(envFile: EnvFile | undefined, environment: Environment) {
  try {
    return { ...collectTexts(envFile, environment), fault: undefined };
  } catch (error) {
    if (!isMagisError(error)) throw error;
    return { ...collectTexts(undefined, environment), fault: error.message };
  }
}

const MODEL_VARIABLES = ["MAGIS_MODEL_FAST", "MAGIS_MODEL_STRONG"] as const;

/**
 * A sentence for each configured model without a price, because a budget in money needs one. Reads each variable by
 * itself, so that a fault in another does not hide this one; a faulty variable is left to the schema.
 */
function findUnpricedModels(texts: Environment): readonly string[] {
  const prices = environmentSchema.shape.MAGIS_PRICES.safeParse(texts.MAGIS_PRICES);
  if (!prices.success) return [];
  return MODEL_VARIABLES.flatMap((name) => {
    const model = environmentSchema.shape[name].safeParse(texts[name]);
    if (!model.success || prices.data?.has(model.data) || Object.hasOwn(DEFAULT_PRICES, model.data)) return [];
    return `${name} names ${model.data}, whose price is not known: add ${model.data}=input/output to MAGIS_PRICES, in US dollars per million tokens.`;
  });
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
  throw new MagisError("CONFIGURATION_INVALID", faults.join("\n"));
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
    ...findUnpricedModels(texts),
  ];
  if (!data || faults.length > 0) throw new MagisError("CONFIGURATION_INVALID", byOption(faults.join("\n"), chosen));
  return buildCommandConfig(data);
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

/** The texts of the variables `names`, for a command. `tell` gets those that do not count, and unknown ones. */
function textsFor(
  names: Readonly<Record<string, true>>,
  from: {
    envFile: EnvFile | undefined;
    environment: Environment;
    tell: (sentence: string) => void;
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
