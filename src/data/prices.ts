import type { TokenUsage } from "./spend.ts";

/** US dollars per million tokens. By default a cache write costs 1.25 and a cache read 0.1 of `input`. */
export interface ModelPrice {
  input: number;
  output: number;
  cacheWrite?: number;
  cacheRead?: number;
}

/** The month of the prices below. */
export const PRICES_OF = "2026-11";

/**
 * US dollars per million tokens by model, as published in the month of `PRICES_OF`
 * (https://platform.claude.com/docs/en/about-claude/pricing). Names and prices age: the configuration overrides them
 * and adds other providers' models, whose prices depend on region and contract.
 */
export const DEFAULT_PRICES: Readonly<Record<string, ModelPrice>> = {
  "claude-opus-5-5": { input: 4, output: 20 },
  "claude-sonnet-5-5": { input: 2, output: 10 },
  "claude-haiku-5-5": { input: 0.1, output: 0.5 },
  "claude-fable-5-1": { input: 10, output: 50 },
};

const MILLION = 1_000_000;

/** The cost of `usage` in US dollars. */
export function priceOfUsage(usage: TokenUsage, price: ModelPrice): number {
  const cacheWrite = price.cacheWrite ?? price.input * 1.25;
  const cacheRead = price.cacheRead ?? price.input * 0.1;
  const sum =
    usage.input * price.input +
    usage.cacheWrite * cacheWrite +
    usage.cacheRead * cacheRead +
    usage.output * price.output;
  return sum / MILLION;
}
