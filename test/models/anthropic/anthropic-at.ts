import { DEFAULT_PRICES } from "../../../src/data/prices.ts";
import { createAnthropicClient, createAnthropicModel } from "../../../src/models/anthropic/anthropic-model.ts";
import type { LanguageModel } from "../../../src/models/language-model.ts";

const TEST_KEY = "sk-test-secret-key";

/** The adapter under test, pointed at `baseUrl`. */
export function anthropicAt(
  baseUrl: string,
  changes: Partial<Parameters<typeof createAnthropicModel>[0]> = {},
): LanguageModel {
  return createAnthropicModel({
    client: () => createAnthropicClient({ apiKey: TEST_KEY, baseUrl, timeoutMs: 20_000, foreignHeaders: [] }),
    secrets: [TEST_KEY],
    models: { fast: "claude-haiku-5-5", strong: "claude-opus-5-5" },
    prices: DEFAULT_PRICES,
    timeoutMs: 20_000,
    log: { debug: () => {}, warn: () => {} },
    ...changes,
  });
}
