import { z } from "zod";
import { isMagisError } from "../../model/error.ts";
import { type ModelPrice, PRICES_OF } from "../../model/prices.ts";
import type { TokenUsage } from "../../model/spend.ts";
import { type Finding, findingsOf } from "../findings.ts";
import { type Ask, type Question, type Reply, replyText, type Silence } from "./ask.ts";

/** The model's provider: an endpoint that speaks the Anthropic API. */
export interface ModelAccess {
  readonly ask: Ask;
  /** without `/v1` and without a slash at the end */
  readonly baseUrl: string;
  readonly apiKey: string;
}

const VERSION = "2023-06-01";

/** Asks the provider: GET without a body, else POST. `path` begins with `/v1/`. */
async function askModel({ ask, baseUrl, apiKey }: ModelAccess, path: string, body?: object): Promise<Reply | Silence> {
  const headers = { "x-api-key": apiKey, "anthropic-version": VERSION };
  const question: Question =
    body === undefined
      ? { headers }
      : { method: "POST", headers: { ...headers, "content-type": "application/json" }, body: JSON.stringify(body) };
  return ask(`${baseUrl}${path}`, question);
}

/**
 * Whether the provider takes the key and has the model, by requests that cost nothing: the models endpoint, and where a
 * gateway has none, the counting of tokens. `magis` stands before a command's name.
 * See https://platform.claude.com/docs/en/api/models/retrieve
 */
export async function checkModel(
  access: ModelAccess,
  variable: string,
  model: string,
  magis: string,
): Promise<Finding> {
  const { ok, warning, fault } = findingsOf(`model of ${variable}`);
  const reply = await askModel(access, `/v1/models/${encodeURIComponent(model)}`);
  if ("silence" in reply) {
    return fault(`${access.baseUrl} ${reply.silence}.`, "Check the network, the proxy and ANTHROPIC_BASE_URL.");
  }
  if (reply.status === 200 && reply.data !== undefined) return ok(`The key is accepted and ${model} is there.`);
  if (reply.status === 401) return fault(`The key is refused: the provider ${replyText(reply)}.`, KEY);
  const question = { model, messages: [{ role: "user", content: "ok" }] };
  const counted = await askModel(access, "/v1/messages/count_tokens", question);
  if ("status" in counted) {
    if (counted.status === 200 && counted.data !== undefined) return ok(`The key is accepted and ${model} is there.`);
    if (counted.status === 401) return fault(`The key is refused: the provider ${replyText(counted)}.`, KEY);
    if (counted.status === 403) {
      return fault(`The key may not use ${model}: the provider ${replyText(counted)}.`, "Check the key's workspace.");
    }
  }
  if (reply.status === 404 && (await hasModels(access))) {
    return fault(`There is no model ${model}.`, `Set ${variable} to a model that the provider has.`);
  }
  return warning(
    `Whether ${model} is there cannot be told without a call that costs: ${access.baseUrl} ${replyText(reply)}.`,
    `${magis} doctor --call makes one tiny call.`,
  );
}

const KEY = "Check that ANTHROPIC_API_KEY is complete, still valid, and one for ANTHROPIC_BASE_URL.";

/** Whether the models endpoint is there at all: then its 404 meant the model. */
async function hasModels(access: ModelAccess): Promise<boolean> {
  const list = await askModel(access, "/v1/models?limit=1");
  return "status" in list && list.status === 200 && list.data !== undefined;
}

const MAX_TOKENS = 16;

const shape = z.object({ usage: z.object({ input_tokens: z.number(), output_tokens: z.number() }) });

/** One tiny call that is paid for, and what it cost; `price` is absent where none is known. */
export async function checkModelCall(
  access: ModelAccess,
  model: string,
  price: ModelPrice | undefined,
): Promise<Finding> {
  const { ok, fault } = findingsOf(`call of ${model}`);
  const messages = [{ role: "user", content: "Answer with the word ok." }];
  const reply = await askModel(access, "/v1/messages", { model, max_tokens: MAX_TOKENS, messages });
  const { data } = shape.safeParse("data" in reply ? reply.data : undefined);
  if ("silence" in reply || reply.status !== 200 || !data) {
    return fault(
      `The provider ${replyText(reply)}.`,
      "Check ANTHROPIC_API_KEY, the model's name and the account's credit.",
    );
  }
  const { input_tokens: input, output_tokens: output } = data.usage;
  const tokens = `${input} tokens in, ${output} out`;
  if (price === undefined) return ok(`It answered: ${tokens}.`);
  const money = (input * price.input + output * price.output) / 1e6;
  return ok(`It answered: ${tokens}, $${money.toFixed(6)}.`);
}

/** The same by `tryModel`, which makes the call as a run would. */
export async function checkCall(
  model: string,
  tryModel: (name: string) => Promise<{ readonly usage: TokenUsage; readonly money: number }>,
): Promise<Finding> {
  const { ok, fault } = findingsOf(`call of ${model}`);
  try {
    const { usage, money } = await tryModel(model);
    const input = usage.input + usage.cacheRead + usage.cacheWrite;
    return ok(`It answered: ${input} tokens in, ${usage.output} out, $${money.toFixed(6)}.`);
  } catch (error) {
    if (!isMagisError(error)) throw error;
    return fault(error.message, "Check MAGIS_PROVIDER, its credentials and region or address, and the model's name.");
  }
}

const { ok, fault } = findingsOf("model prices");

/** Whether each model has a price, without which the budget in money could not be kept. */
export async function checkPrices(
  models: readonly string[],
  prices: Readonly<Record<string, ModelPrice>>,
): Promise<Finding> {
  const names = [...new Set(models)];
  const unknown = names.filter((name) => !Object.hasOwn(prices, name));
  if (unknown.length > 0) {
    return fault(
      `The price of ${unknown.join(" and ")} is not known (list of ${PRICES_OF}).`,
      `Add ${unknown.map((name) => `${name}=input/output`).join(",")} to MAGIS_PRICES.`,
    );
  }
  const told = names.map((name) => `${name} $${prices[name]?.input} in, $${prices[name]?.output} out`);
  return ok(`Per million tokens: ${told.join("; ")}.`);
}
