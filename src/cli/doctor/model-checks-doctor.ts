import type { InspectedConfig } from "../../config/environment/inspect-texts.ts";
import type { Ask } from "./ask.ts";
import { checkModel } from "./check-model.ts";
import { checkModelCall } from "./check-model-call.ts";
import { checkPrices } from "./check-prices.ts";
import { findingsOf } from "./findings-of.ts";
import type { Check } from "./run-checks.ts";

const ANTHROPIC = "https://api.anthropic.com";
const TIERS = [
  ["MAGIS_MODEL_FAST", "fast"],
  ["MAGIS_MODEL_STRONG", "strong"],
] as const;

/** The checks of the models: prices always, then what is asked of the provider, which costs only with `paid`. */
export function modelChecksDoctor(
  { config: { model }, sound }: InspectedConfig,
  ask: Ask,
  extent: "none" | "free" | "paid",
): readonly Check[] {
  const tiers = TIERS.filter(([variable]) => sound(variable));
  const names = tiers.map(([, tier]) => model.models[tier]);
  const prices: Check[] = sound("MAGIS_PRICES")
    ? [{ name: "model prices", run: () => checkPrices(names, model.prices) }]
    : [];
  if (extent === "none") return prices;
  if (!sound("ANTHROPIC_API_KEY", "ANTHROPIC_BASE_URL")) {
    const { skipped } = findingsOf("models");
    return [
      ...prices,
      { name: "models", run: async () => skipped("They need a key and an address that can be read.") },
    ];
  }
  const access = { ask, apiKey: model.apiKey, baseUrl: (model.baseUrl ?? ANTHROPIC).replace(/\/+$/, "") };
  const free = tiers.map(([variable, tier]) => ({
    name: `model of ${variable}`,
    run: () => checkModel(access, variable, model.models[tier]),
  }));
  const paid = [...new Set(names)].map((name) => ({
    name: `call of ${name}`,
    run: () => checkModelCall(access, name, Object.hasOwn(model.prices, name) ? model.prices[name] : undefined),
  }));
  return [...prices, ...free, ...(extent === "paid" ? paid : [])];
}
