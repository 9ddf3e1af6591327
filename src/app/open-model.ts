import { MagisError } from "../data/error.ts";
import type { Log } from "../data/log.ts";
import { effortsAfter } from "../data/settings.ts";
import type { TokenUsage } from "../data/spend.ts";
import type { AnthropicEndpoint } from "../models/anthropic/anthropic-model.ts";
import type { LanguageModel } from "../models/language-model.ts";
import { type CloudEnvironment, readCloudEnvironment } from "../settings/environment/cloud-environment.ts";
import type { Config } from "../settings/environment/config.ts";
import { processEnvironment } from "../settings/environment/read-config.ts";

/** The longest silence of a model, before and during an answer. */
const MODEL_SILENCE_MS = 10 * 60_000;

/**
 * The language model of the chosen provider. Loads only that provider's package, and commands that ask no model load
 * none. Sets every option of the client, so that its SDK reads nothing from the environment except a cloud's
 * credentials. Does no other I/O. Throws CONFIGURATION_INVALID when the provider's package is not installed, or a model
 * has no price.
 */
export async function openModel(
  config: Config["model"],
  log: Pick<Log, "warn"> & { debug(data: object, message: string): void },
  timeoutMs: number = MODEL_SILENCE_MS,
): Promise<LanguageModel> {
  const { models, prices, provider, apiKey = "", baseUrl } = config;
  const shared = { models, prices, effort: effortsAfter(config.effort), timeoutMs, log };
  if (provider === "openai") {
    const { createOpenAiModel } = await loadPackage("openai", () => import("../models/openai/openai-model.ts"));
    return createOpenAiModel({ ...shared, apiKey: "", ...config.openai });
  }
  const { createAnthropicModel, createAnthropicClient } = await import("../models/anthropic/anthropic-model.ts");
  const { bedrock, vertex, foreignHeaders } = readCloudEnvironment(processEnvironment());
  switch (provider) {
    case "anthropic": {
      const endpoint = { apiKey, baseUrl, timeoutMs, foreignHeaders };
      return createAnthropicModel({ ...shared, secrets: [apiKey], client: () => createAnthropicClient(endpoint) });
    }
    case "bedrock": {
      const client = await bedrockClient(bedrock, { timeoutMs, foreignHeaders });
      return createAnthropicModel({ ...shared, client });
    }
    case "vertex": {
      const client = await vertexClient(vertex, { timeoutMs, foreignHeaders });
      return createAnthropicModel({ ...shared, client });
    }
  }
}

type Shared = Pick<AnthropicEndpoint, "timeoutMs" | "foreignHeaders">;

async function bedrockClient({ region, baseUrl, token, keys }: CloudEnvironment["bedrock"], shared: Shared) {
  const { clientOptions } = await import("../models/anthropic/anthropic-model.ts");
  const name = "@anthropic-ai/bedrock-sdk";
  const { AnthropicBedrock } = await loadPackage(name, () => import("@anthropic-ai/bedrock-sdk"));
  const baseURL = baseUrl ?? `https://bedrock-runtime.${region}.amazonaws.com`;
  const options = {
    ...clientOptions({ ...shared, baseUrl: baseURL }),
    baseURL,
    awsRegion: region,
    apiKey: token ?? null,
    webhookKey: null,
  };
  if (keys === undefined) return () => new AnthropicBedrock(options);
  const { id, secret, session = null } = keys;
  return () => new AnthropicBedrock({ ...options, awsAccessKey: id, awsSecretKey: secret, awsSessionToken: session });
}

async function vertexClient({ region, projectId, baseUrl }: CloudEnvironment["vertex"], shared: Shared) {
  const { clientOptions } = await import("../models/anthropic/anthropic-model.ts");
  const name = "@anthropic-ai/vertex-sdk";
  const { AnthropicVertex } = await loadPackage(name, () => import("@anthropic-ai/vertex-sdk"));
  if (region === undefined) {
    const message = "CLOUD_ML_REGION is missing: set it to the region of Vertex AI, such as europe-west1 or global.";
    throw new MagisError("CONFIGURATION_INVALID", message);
  }
  const baseURL = baseUrl ?? vertexAddress(region);
  return () =>
    new AnthropicVertex({
      ...clientOptions({ ...shared, baseUrl: baseURL }),
      baseURL,
      region,
      projectId: projectId ?? null,
      webhookKey: null,
    });
}

/**
 * Vertex AI's address for a region.
 * @see https://cloud.google.com/vertex-ai/generative-ai/docs/learn/locations
 */
function vertexAddress(region: string): string {
  if (region === "global") return "https://aiplatform.googleapis.com/v1";
  if (region === "us" || region === "eu") return `https://aiplatform.${region}.rep.googleapis.com/v1`;
  return `https://${region}-aiplatform.googleapis.com/v1`;
}

/** Enough for a model that thinks before it answers. */
const TRIAL_TOKENS = 200;

const QUIET = { debug: () => undefined, warn: () => undefined };

/** Makes one tiny call to the model `name`, as a run would. Throws what a LanguageModel throws. */
export type TryModel = (name: string) => Promise<{ usage: TokenUsage; money: number }>;

/** Opens a model for each trial. Fails without a call when the model has no price. */
export function tryModel(config: Config["model"], signal: AbortSignal): TryModel {
  return async (name) => {
    const model = await openModel({ ...config, models: { fast: name, strong: name }, effort: {} }, QUIET);
    const parts = [{ text: "Answer with the word ok." }];
    const asked = { promptId: "doctor", tier: "fast", maxTokens: TRIAL_TOKENS } as const;
    return model.complete({ ...asked, system: "", parts, earlier: [] }, signal);
  };
}

/**
 * Gives `load`'s module. Throws CONFIGURATION_INVALID, naming what to install, when the packages `name` are missing;
 * `variable`: the setting that needs them.
 */
export async function loadPackage<Module>(
  name: string,
  load: () => Promise<Module>,
  variable = "MAGIS_PROVIDER",
): Promise<Module> {
  try {
    return await load();
  } catch (error) {
    const code = error instanceof Error && "code" in error ? error.code : undefined;
    if (code !== "ERR_MODULE_NOT_FOUND" && code !== "MODULE_NOT_FOUND") throw error;
    throw new MagisError(
      "CONFIGURATION_INVALID",
      `${variable} needs ${name}, which ${name.includes(" ") ? "are" : "is"} not installed: npm install ${name}, beside magis.`,
      {},
      error,
    );
  }
}
