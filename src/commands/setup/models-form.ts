import { DEFAULT_PRICES } from "../../data/prices.ts";
import { BOT_SETTINGS } from "../../data/setting-definitions/bot-settings.ts";
import type { Config } from "../../settings/environment/config.ts";
import { describeFault, environmentSchema } from "../../settings/environment/schema.ts";

export type Provider = Config["model"]["provider"];

type Variable = keyof typeof environmentSchema.shape;

/** How the last form shows a provider, the package to install, and the credentials: a key, or those of a cloud. */
type ShownProvider = { title: string; install?: string } & (
  | { key: Variable; address?: Variable; cloud?: never }
  | { cloud: string; key?: never; address?: never }
);

/** The providers; the page and what is saved follow from them. The default models are those of the default one. */
export const PROVIDERS: Readonly<Record<Provider, ShownProvider>> = {
  anthropic: { title: "Anthropic's API", key: "ANTHROPIC_API_KEY" },
  openai: {
    title: "An endpoint that speaks OpenAI's chat completions",
    install: "npm install openai@6, beside magis",
    key: "OPENAI_API_KEY",
    address: "OPENAI_BASE_URL",
  },
  bedrock: { title: "Amazon Bedrock", install: "npm install @anthropic-ai/bedrock-sdk, beside magis", cloud: "AWS" },
  vertex: { title: "Google Vertex AI", install: "npm install @anthropic-ai/vertex-sdk, beside magis", cloud: "Google" },
};

export const DEFAULT_PROVIDER = BOT_SETTINGS.provider.default;

const isProvider = (name: string): name is Provider => Object.hasOwn(PROVIDERS, name);

/** Whether the models' credentials come from this machine, which a file may not choose. */
export const usesMachine = ({ MAGIS_PROVIDER: name = "" }: Variables) => isProvider(name) && "cloud" in PROVIDERS[name];

type Variables = Readonly<Record<string, string>>;

/** Variables, or a sentence about the form's fault, which does not quote the input. */
export type FormResult = { variables: Variables } | { fault: string };

/** Reads the models from the last form, as variables. A bot that `starts` needs the key at once. */
export function readModels(form: URLSearchParams, starts: boolean): FormResult {
  const text = (name: string) => form.get(name)?.trim() ?? "";
  const provider = text("provider") || DEFAULT_PROVIDER;
  if (!isProvider(provider)) return { fault: "Choose where the models are." };
  const { key = "", address = "" } = PROVIDERS[provider];
  const url = address && text("base-url");
  // An endpoint that needs no key accepts any.
  const secret = key && (text("key") || (url && "none"));
  if (key && !secret && (starts || provider !== DEFAULT_PROVIDER))
    return { fault: "Enter the key: without one the bot cannot start." };
  const credentials = { [key]: secret, [address]: url };
  if (provider === DEFAULT_PROVIDER) return checked(credentials);
  const strong = { name: text("model"), price: text("price") };
  const small = text("small-model") === "" ? strong : { name: text("small-model"), price: text("small-price") };
  if (strong.name === "") return { fault: "Name the model." };
  const prices = new Map([strong, small].map(({ name, price }) => [name, price]));
  const unknown = [...prices].find(([name, price]) => price === "" && !Object.hasOwn(DEFAULT_PRICES, name));
  if (unknown) return { fault: "Give each model's price, such as 2/8. Without one, the bot cannot keep to a budget." };
  const given = [...prices].flatMap(([name, price]) => (price === "" ? [] : [`${name}=${price}`]));
  return checked({
    ...credentials,
    MAGIS_PROVIDER: provider,
    MAGIS_MODEL_STRONG: strong.name,
    MAGIS_MODEL_FAST: small.name,
    MAGIS_PRICES: given.join(","),
  });
}

/** The variables that have a value, each checked by its schema. */
function checked(variables: Variables): FormResult {
  const given = Object.entries(variables).filter(([, value]) => value !== "");
  for (const [name, value] of given) {
    const shape = environmentSchema.shape[name as Variable];
    const issue = shape.safeParse(value).error?.issues[0];
    if (issue) return { fault: describeFault(name, issue.message) };
  }
  return { variables: Object.fromEntries(given) };
}
