import { isMagisError } from "../../data/error.ts";
import type { ModelPrice } from "../../data/prices.ts";
import { settingsIn } from "../../data/setting-definitions/all-settings.ts";
import { buildConfig, type Config } from "./config.ts";
import type { EnvFile } from "./own-env-file.ts";
import { describeFault, environmentSchema, findMissing } from "./schema.ts";
import { collectTexts, readPrivateKey } from "./sources.ts";

type Variable = keyof typeof environmentSchema.shape;

/** What belongs to an app. If none of it is set, no app is configured. */
export const APP_VARIABLES = ["APP_ID", "WEBHOOK_SECRET", "PRIVATE_KEY", "PRIVATE_KEY_PATH"] as const;

/** A configuration that may have faults. */
export interface InspectedConfig {
  /** whether anything of an app is set; if not, `faults` does not list its variables one by one */
  readonly hasApp: boolean;
  readonly faults: readonly string[];
  /** those `faults` about variables of the file that do not count */
  readonly leftOut: readonly string[];
  /** a sentence for each variable that looks like ours and is not */
  readonly unknown: readonly string[];
  /** a value that rests on a faulty variable is the default or a stand-in: ask `sound` first */
  readonly config: Config;
  /** whether all of these are set correctly */
  sound(...names: readonly Variable[]): boolean;
  /** whether nothing is set */
  missing(name: Variable): boolean;
  /** the file of the private key, if it comes from one */
  readonly keyFile?: string;
  /** the private key's text as set, if it comes from a variable */
  readonly keyText?: string;
}

/** Stand-ins for required values without a default; never used, since callers ask `sound` first. */
const STAND_INS: Readonly<Partial<Record<string, string>>> = Object.fromEntries(
  settingsIn("environment").flatMap(([, { environment, required }]) => {
    return required ? [[environment.variable, environment.example ?? "1"]] : [];
  }),
);

/** Reads each variable by itself, so that a fault in one leaves the others readable. Never throws. */
export function inspectTexts(
  knownPrices: Readonly<Record<string, ModelPrice>>,
  envFile: EnvFile | undefined,
  environment: Readonly<Record<string, string | undefined>>,
): InspectedConfig {
  const { texts, passedOver, unknown, fault } = textsOf(envFile, environment);
  const issues = environmentSchema.safeParse(texts).error?.issues ?? [];
  const faulty = new Set(issues.map(({ path }) => String(path[0])));
  const key = readPrivateKey(texts.PRIVATE_KEY, texts.PRIVATE_KEY_PATH);
  if ("fault" in key) faulty.add("PRIVATE_KEY");
  const missing = findMissing(texts);
  for (const name of missing) faulty.add(name);
  const replaced = Object.fromEntries([...faulty].map((name) => [name, STAND_INS[name]]));
  const values = environmentSchema.parse({ ...texts, ...replaced });
  const hasApp = APP_VARIABLES.some((name) => texts[name] !== undefined);
  const isReported = (name: string) => hasApp || !APP_VARIABLES.some((one) => one === name);
  return {
    hasApp,
    leftOut: passedOver,
    faults: [
      fault,
      ...passedOver,
      ...issues
        .filter(({ path }) => isReported(String(path[0])))
        .map(({ path, message }) => describeFault(String(path[0]), message)),
      ...missing.filter(isReported).map((name) => describeFault(name, "is missing.")),
      "fault" in key && hasApp ? key.fault : undefined,
      ...findUnpricedModels(texts, knownPrices),
    ].filter((one) => one !== undefined),
    unknown,
    config: buildConfig(values, "key" in key ? key.key : "", knownPrices),
    sound: (...names) => names.every((name) => !faulty.has(name)),
    missing: (name) => texts[name] === undefined,
    keyFile: texts.PRIVATE_KEY === undefined ? texts.PRIVATE_KEY_PATH : undefined,
    keyText: texts.PRIVATE_KEY,
  };
}

function textsOf(envFile: EnvFile | undefined, environment: Readonly<Record<string, string | undefined>>) {
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
export function findUnpricedModels(
  texts: Readonly<Record<string, string | undefined>>,
  knownPrices: Readonly<Record<string, ModelPrice>>,
): readonly string[] {
  const prices = environmentSchema.shape.MAGIS_PRICES.safeParse(texts.MAGIS_PRICES);
  if (!prices.success) return [];
  return MODEL_VARIABLES.flatMap((name) => {
    const model = environmentSchema.shape[name].safeParse(texts[name]);
    if (!model.success || prices.data?.has(model.data) || Object.hasOwn(knownPrices, model.data)) return [];
    return `${name} names ${model.data}, whose price is not known: add ${model.data}=input/output to MAGIS_PRICES, in US dollars per million tokens.`;
  });
}
