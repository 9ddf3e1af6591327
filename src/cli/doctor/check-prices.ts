import type { Finding } from "./finding.ts";
import { findingsOf } from "./findings-of.ts";

const { ok, fault } = findingsOf("model prices");

/** US dollars per million tokens. */
export interface PricePair {
  readonly input: number;
  readonly output: number;
}

/** Whether each model has a price, without which the budget in money could not be kept. */
export async function checkPrices(
  models: readonly string[],
  prices: Readonly<Record<string, PricePair>>,
): Promise<Finding> {
  const names = [...new Set(models)];
  const unknown = names.filter((name) => !Object.hasOwn(prices, name));
  if (unknown.length > 0) {
    return fault(
      `The price of ${unknown.join(" and ")} is not known.`,
      `Add ${unknown.map((name) => `${name}=input/output`).join(",")} to MAGIS_PRICES.`,
    );
  }
  const told = names.map((name) => `${name} $${prices[name]?.input} in, $${prices[name]?.output} out`);
  return ok(`Per million tokens: ${told.join("; ")}.`);
}
