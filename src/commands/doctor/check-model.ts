import type { TryModel } from "../../app/open-model.ts";
import { isMagisError } from "../../data/error.ts";
import { type ModelPrice, PRICES_OF } from "../../data/prices.ts";
import { fault, ok, type Verdict, warning } from "../findings.ts";
import { type Ask, replyText } from "./ask.ts";

/** The model's provider: any endpoint with the Anthropic API. */
export interface ModelAccess {
  ask: Ask;
  /** without `/v1` or a trailing slash */
  baseUrl: string;
  apiKey: string;
}

const VERSION = "2023-06-01";

/**
 * Checks that the provider accepts the key and offers the model, by a free request. `magis` precedes a command's name.
 * See https://platform.claude.com/docs/en/api/models/retrieve
 */
export async function checkModel(
  { ask, baseUrl, apiKey }: ModelAccess,
  variable: string,
  model: string,
  magis: string,
): Promise<Verdict> {
  const headers = { "x-api-key": apiKey, "anthropic-version": VERSION };
  const reply = await ask(`${baseUrl}/v1/models/${encodeURIComponent(model)}`, { headers });
  if ("silence" in reply) {
    return fault(`${baseUrl} ${reply.silence}.`, "Check the network, the proxy and ANTHROPIC_BASE_URL.");
  }
  const said = replyText(reply);
  if (reply.status === 200 && reply.data !== undefined) return ok(`The provider accepts the key and has ${model}.`);
  if (reply.status === 401) {
    const remedy = "Check that ANTHROPIC_API_KEY is complete, still valid, and one for ANTHROPIC_BASE_URL.";
    return fault(`The key is refused: the provider ${said}.`, remedy);
  }
  if (reply.status === 403) {
    return fault(`The key may not use ${model}: the provider ${said}.`, "Check the key's workspace.");
  }
  // A gateway without this endpoint also answers 404, but does not say that it lacks the model.
  if (reply.status === 404 && said.endsWith(`(model: ${model})`)) {
    return fault(`There is no model ${model}.`, `Set ${variable} to a model that the provider has.`);
  }
  return warning(
    `Only a paid call can tell whether ${model} exists: ${baseUrl} ${said}.`,
    `${magis} doctor --call makes one tiny call.`,
  );
}

/** Makes one tiny paid call and reports its cost. */
export async function checkCall(model: string, tryModel: TryModel): Promise<Verdict> {
  try {
    const { usage, money } = await tryModel(model);
    const input = usage.input + usage.cacheRead + usage.cacheWrite;
    return ok(`It answered: ${input} tokens in, ${usage.output} out, $${money.toFixed(6)}.`);
  } catch (error) {
    if (!isMagisError(error)) throw error;
    return fault(
      error.message,
      "Check the provider's key or credentials, region or address, the model's name and the account's credit.",
    );
  }
}

/** Checks that each model has a price: without one the budget in money cannot be kept. */
export function checkPrices(names: readonly string[], prices: Readonly<Record<string, ModelPrice>>): Verdict {
  const unknown = names.filter((name) => !Object.hasOwn(prices, name));
  if (unknown.length > 0) {
    return fault(
      `The price of ${unknown.join(" and ")} is not known (list of ${PRICES_OF}).`,
      `Add ${unknown.map((name) => `${name}=input/output`).join(",")} to MAGIS_PRICES.`,
    );
  }
  const known = names.map((name) => `${name} $${prices[name]?.input} in, $${prices[name]?.output} out`);
  return ok(`Per million tokens: ${known.join("; ")}.`);
}
