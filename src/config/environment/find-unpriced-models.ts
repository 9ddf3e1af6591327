import { environmentSchema } from "./environment-schema.ts";
import type { ModelPrice } from "./model-prices.ts";

const MODEL_VARIABLES = ["MAGIS_MODEL_FAST", "MAGIS_MODEL_STRONG"] as const;

/**
 * A sentence for each configured model without a price: a budget in money needs one. Each variable is read by itself,
 * so that a fault in another does not hide this one; a variable that is itself at fault is left to the schema.
 */
export function findUnpricedModels(
  texts: Readonly<Record<string, string | undefined>>,
  knownPrices: Readonly<Record<string, ModelPrice>>,
): readonly string[] {
  const prices = environmentSchema.shape.MAGIS_PRICES.safeParse(texts.MAGIS_PRICES);
  if (!prices.success) return [];
  return MODEL_VARIABLES.flatMap((name) => {
    const model = environmentSchema.shape[name].safeParse(texts[name]);
    if (!model.success || prices.data.has(model.data) || Object.hasOwn(knownPrices, model.data)) return [];
    return `${name} names ${model.data}, whose price is not known: add ${model.data}=input/output to MAGIS_PRICES, in US dollars per million tokens.`;
  });
}
