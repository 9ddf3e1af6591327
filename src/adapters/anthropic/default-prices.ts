import type { ModelPrice } from "./model-price.ts";

/**
 * US dollars per million tokens, as Anthropic published them in November 2026
 * (https://platform.claude.com/docs/en/about-claude/pricing). Names and prices age: configuration overrides them.
 */
export const DEFAULT_PRICES: Readonly<Record<string, ModelPrice>> = {
  "claude-opus-5-5": { input: 4, output: 20 },
  "claude-sonnet-5-5": { input: 2, output: 10 },
  "claude-haiku-5-5": { input: 0.1, output: 0.5 },
  "claude-fable-5-1": { input: 10, output: 50 },
};
