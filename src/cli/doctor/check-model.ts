import { askModel, type ModelAccess } from "./ask-model.ts";
import type { Finding } from "./finding.ts";
import { findingsOf } from "./findings-of.ts";
import { replyText } from "./reply-text.ts";

/**
 * Whether the provider takes the key and has the model, by requests that cost nothing: the models endpoint, and where a
 * gateway has none, the counting of tokens.
 * See https://platform.claude.com/docs/en/api/models/retrieve
 */
export async function checkModel(access: ModelAccess, variable: string, model: string): Promise<Finding> {
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
    "magis doctor --call makes one tiny call.",
  );
}

const KEY = "Check that ANTHROPIC_API_KEY is complete, still valid, and one for ANTHROPIC_BASE_URL.";

/** Whether the models endpoint is there at all: then its 404 meant the model. */
async function hasModels(access: ModelAccess): Promise<boolean> {
  const list = await askModel(access, "/v1/models?limit=1");
  return "status" in list && list.status === 200 && list.data !== undefined;
}
