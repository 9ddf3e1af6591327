import type { TryModel } from "../cli/doctor/list-checks.ts";
import type { Config } from "../config/environment/config.ts";
import { MagisError } from "../model/error.ts";
import { effortsAfter } from "../model/settings.ts";
import type { LanguageModel } from "../ports/language-model.ts";
import type { Log } from "../ports/log.ts";

/** the longest silence of a model before and during an answer */
const MODEL_SILENCE_MS = 10 * 60_000;

/**
 * The language model of the chosen provider. What speaks to it is loaded here, and only when it was chosen: a command that
 * asks no model loads no provider's package. Does no I/O besides.
 * Throws CONFIGURATION_INVALID when the provider's package is not installed, or a model has no price.
 */
export async function openModel(
  config: Config["model"],
  log: Pick<Log, "warn"> & { debug(data: object, message: string): void },
  timeoutMs: number = MODEL_SILENCE_MS,
): Promise<LanguageModel> {
  const { models, prices, provider } = config;
  const shared = { models, prices, effort: effortsAfter(config.effort), timeoutMs, log };
  if (provider === "openai") {
    const { createOpenAiModel } = await loadPackage("openai", () => import("../adapters/openai/openai-model.ts"));
    return createOpenAiModel({ ...shared, ...config.openai });
  }
  const { clientOptions, createAnthropicModel } = await import("../adapters/anthropic/anthropic-model.ts");
  switch (provider) {
    case "anthropic": {
      const { apiKey, baseUrl } = config;
      return createAnthropicModel({ ...shared, ...(apiKey && { apiKey }), ...(baseUrl && { baseUrl }) });
    }
    case "bedrock": {
      const name = "@anthropic-ai/bedrock-sdk";
      const { AnthropicBedrock } = await loadPackage(name, () => import("@anthropic-ai/bedrock-sdk"));
      return createAnthropicModel({ ...shared, client: () => new AnthropicBedrock(clientOptions(timeoutMs)) });
    }
    case "vertex": {
      const name = "@anthropic-ai/vertex-sdk";
      const { AnthropicVertex } = await loadPackage(name, () => import("@anthropic-ai/vertex-sdk"));
      return createAnthropicModel({ ...shared, client: () => new AnthropicVertex(clientOptions(timeoutMs)) });
    }
  }
}

/** Enough for a model that thinks before it says a word. */
const TRIAL_TOKENS = 200;

const QUIET = { debug: () => undefined, warn: () => undefined };

/** Makes one tiny call of a model as a run would; it is refused before anything is asked where the model has no price. */
export function tryModel(config: Config["model"], signal: AbortSignal): TryModel {
  return async (name) => {
    const model = await openModel({ ...config, models: { fast: name, strong: name }, effort: {} }, QUIET);
    const parts = [{ text: "Answer with the word ok." }];
    const asked = { promptId: "doctor", tier: "fast", maxTokens: TRIAL_TOKENS } as const;
    return model.complete({ ...asked, system: "", parts, earlier: [] }, signal);
  };
}

/** What `load` gives. Throws CONFIGURATION_INVALID, with what to install, where the package `name` is not there. */
export async function loadPackage<Module>(name: string, load: () => Promise<Module>): Promise<Module> {
  try {
    return await load();
  } catch (error) {
    const code = error instanceof Error && "code" in error ? error.code : undefined;
    if (code !== "ERR_MODULE_NOT_FOUND" && code !== "MODULE_NOT_FOUND") throw error;
    throw new MagisError(
      "CONFIGURATION_INVALID",
      `MAGIS_PROVIDER asks for the package ${name}, which is not installed: npm install ${name}, beside magis.`,
      {},
      error,
    );
  }
}
