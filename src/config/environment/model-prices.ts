import { fromText } from "./from-text.ts";

/** US dollars per million tokens. */
export interface ModelPrice {
  readonly input: number;
  readonly output: number;
}

/** Prices by model name: `model=input/output`, separated by commas. */
export function modelPrices() {
  const rule = "must be a list like model=4/20,other=0.1/0.5 (US dollars per million tokens, input/output).";
  return fromText(rule, (text) => {
    const prices = new Map<string, ModelPrice>();
    for (const entry of text.split(",").filter((part) => part.trim() !== "")) {
      const found = /^([^\s=,]+)\s*=\s*(\d+(?:\.\d+)?)\s*\/\s*(\d+(?:\.\d+)?)$/.exec(entry.trim());
      if (!found) return undefined;
      const [, model = "", input, output] = found;
      prices.set(model, { input: Number(input), output: Number(output) });
    }
    return prices;
  });
}
