import type { TokenUsage } from "../../model/spend.ts";
import type { ModelPrice } from "./model-price.ts";

const MILLION = 1_000_000;

/** What `usage` costs at `price`, in US dollars. */
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
