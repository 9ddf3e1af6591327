import { isMagisError } from "../../model/magis-error.ts";
import { buildConfig } from "./build-config.ts";
import { collectTexts } from "./collect-texts.ts";
import type { Config } from "./config-config.ts";
import { describeFault } from "./describe-fault.ts";
import { environmentSchema } from "./environment-schema.ts";
import { findUnpricedModels } from "./find-unpriced-models.ts";
import type { ModelPrice } from "./model-prices.ts";
import { readPrivateKey } from "./read-private-key.ts";

type Variable = keyof typeof environmentSchema.shape;

/** A configuration that may have faults. */
export interface InspectedConfig {
  readonly faults: readonly string[];
  /** a value that rests on a faulty variable is the default or a stand-in: ask `sound` first */
  readonly config: Config;
  /** whether all of these are set as they should be */
  sound(...names: readonly Variable[]): boolean;
  /** the file of the private key, where it is read from one */
  readonly keyFile?: string;
  /** the private key's text as it is set, where it is */
  readonly keyText?: string;
}

/** What must be there and has no default; never used, since `sound` is asked first. */
const STAND_INS: Readonly<Partial<Record<string, string>>> = {
  ...{ APP_ID: "1", WEBHOOK_SECRET: "unset", ANTHROPIC_API_KEY: "unset" },
};

/** Reads each variable by itself, so that a fault in one leaves the others readable. Throws nothing. */
export function inspectTexts(
  knownPrices: Readonly<Record<string, ModelPrice>>,
  envFile: string | undefined,
  environment: Readonly<Record<string, string | undefined>>,
): InspectedConfig {
  const { texts, fault } = textsOf(envFile, environment);
  const issues = environmentSchema.safeParse(texts).error?.issues ?? [];
  const faulty = new Set(issues.map(({ path }) => String(path[0])));
  const key = readPrivateKey(texts.PRIVATE_KEY, texts.PRIVATE_KEY_PATH);
  if ("fault" in key) faulty.add("PRIVATE_KEY");
  const replaced = Object.fromEntries([...faulty].map((name) => [name, STAND_INS[name]]));
  const values = environmentSchema.parse({ ...texts, ...replaced });
  return {
    faults: [
      ...(fault === undefined ? [] : [fault]),
      ...issues.map(({ path, message }) => describeFault(String(path[0]), message)),
      ...("fault" in key ? [key.fault] : []),
      ...findUnpricedModels(texts, knownPrices),
    ],
    config: buildConfig(values, "key" in key ? key.key : "", knownPrices),
    sound: (...names) => names.every((name) => !faulty.has(name)),
    ...(texts.PRIVATE_KEY === undefined && texts.PRIVATE_KEY_PATH !== undefined && { keyFile: texts.PRIVATE_KEY_PATH }),
    ...(texts.PRIVATE_KEY !== undefined && { keyText: texts.PRIVATE_KEY }),
  };
}

function textsOf(envFile: string | undefined, environment: Readonly<Record<string, string | undefined>>) {
  try {
    return { texts: collectTexts(envFile, environment), fault: undefined };
  } catch (error) {
    if (!isMagisError(error)) throw error;
    return { texts: collectTexts(undefined, environment), fault: error.message };
  }
}
