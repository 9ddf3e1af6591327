import { DEFAULT_PRICES } from "../../data/prices.ts";
import type { Config } from "../../settings/environment/config.ts";
import { describeFault, environmentSchema } from "../../settings/environment/schema.ts";

export type Provider = Config["model"]["provider"];

/** The model providers, each with a note on what it needs. */
const NOTES: Readonly<Record<Provider, { readonly title: string; readonly note: string }>> = {
  anthropic: { title: "Anthropic's API", note: "" },
  openai: {
    title: "An endpoint that speaks OpenAI's chat completions",
    note: "npm install openai@6, beside magis",
  },
  bedrock: {
    title: "Amazon Bedrock",
    note: "npm install @anthropic-ai/bedrock-sdk, beside magis; with this machine's AWS credentials",
  },
  vertex: {
    title: "Google Vertex AI",
    note: "npm install @anthropic-ai/vertex-sdk, beside magis; with this machine's Google credentials",
  },
};

export const PROVIDERS = Object.entries(NOTES).map(([name, shown]) => ({ name, ...shown }));

const isProvider = (name: string): name is Provider => Object.hasOwn(NOTES, name);

type Variables = Readonly<Record<string, string>>;

/** Variables, or a sentence about the form's fault, which does not quote the input. */
export type FormResult = { readonly variables: Variables } | { readonly fault: string };

/** Reads the models from the last form, as variables. */
export function readModels(form: URLSearchParams): FormResult {
  const text = (name: string) => form.get(name)?.trim() ?? "";
  const provider = text("provider") || "anthropic";
  if (!isProvider(provider)) return { fault: "Choose where the models are." };
  const key = text("key");
  if (provider === "anthropic") return checked({ ANTHROPIC_API_KEY: key });
  const url = text("base-url");
  const strong = { name: text("model"), price: text("price") };
  const small = text("small-model") === "" ? strong : { name: text("small-model"), price: text("small-price") };
  if (strong.name === "") return { fault: "Name the model." };
  const prices = new Map([strong, small].map(({ name, price }) => [name, price]));
  const unknown = [...prices].find(([name, price]) => price === "" && !Object.hasOwn(DEFAULT_PRICES, name));
  if (unknown) return { fault: "Give each model's price, such as 2/8. Without one, the bot cannot keep to a budget." };
  const given = [...prices].flatMap(([name, price]) => (price === "" ? [] : [`${name}=${price}`]));
  const variables = {
    MAGIS_PROVIDER: provider,
    MAGIS_MODEL_STRONG: strong.name,
    MAGIS_MODEL_FAST: small.name,
    MAGIS_PRICES: given.join(","),
  };
  if (provider !== "openai") return checked(variables);
  if (key === "" && url === "") return { fault: "OpenAI asks for a key." };
  // An endpoint that needs no key accepts any.
  return checked({ ...variables, OPENAI_API_KEY: key || "none", OPENAI_BASE_URL: url });
}

/** The variables that have a value, each checked by its schema. */
function checked(variables: Variables): FormResult {
  const given = Object.entries(variables).filter(([, value]) => value !== "");
  for (const [name, value] of given) {
    const shape = environmentSchema.shape[name as keyof typeof environmentSchema.shape];
    const issue = shape.safeParse(value).error?.issues[0];
    if (issue) return { fault: describeFault(name, issue.message) };
  }
  return { variables: Object.fromEntries(given) };
}
