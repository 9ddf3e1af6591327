import { z } from "zod";

/**
 * A URL with one of `protocols` (`http:`, …), given back as it was written, without a slash at its end. A host is not
 * asked for: PostgreSQL's own addresses may name a socket instead, and `http:` without one is no URL.
 */
export function address(...protocols: readonly string[]) {
  const rule = `must be a whole address that begins with ${protocols.map((protocol) => `${protocol}//`).join(" or ")}.`;
  return fromText(rule, (text) => {
    const known = protocols.some((protocol) => text.startsWith(`${protocol}//`));
    return known && URL.canParse(text) ? text.replace(/\/+$/, "") : undefined;
  });
}

/**
 * The shape of a variable whose text is read by `parse`; undefined from it is a fault said as `rule`, a sentence
 * without its subject (the variable's name is put before it). The value is not repeated in the message: people
 * paste keys into the wrong line.
 */
export function fromText<T>(rule: string, parse: (text: string) => T | undefined) {
  return z.string({ error: "is missing." }).transform((text, context): T => {
    const value = parse(text.trim());
    if (value !== undefined) return value;
    context.addIssue({ code: "custom", message: rule });
    return z.NEVER;
  });
}

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

/** One of a few words, in any case. */
export function oneOf<const T extends string>(...words: readonly [T, ...T[]]) {
  return fromText(`must be one of ${words.join(", ")}.`, (text) => words.find((word) => word === text.toLowerCase()));
}

/** A decimal number above zero and not above `max`; `unit` is said in the fault. */
export function positiveNumber(unit: string, max: number) {
  return fromText(`must be a number of ${unit} above 0 and not above ${max}.`, (text) => {
    const value = /^\d{1,15}(\.\d{1,15})?$/.test(text) ? Number(text) : Number.NaN;
    return value > 0 && value <= max ? value : undefined;
  });
}

/** `true` or `false`, in any case. */
export function truth() {
  return fromText("must be true or false.", (text) => {
    const word = text.toLowerCase();
    return word === "true" || word === "false" ? word === "true" : undefined;
  });
}

/** A whole number from `min` to `max`, in decimal digits only. */
export function wholeNumber(min: number, max: number) {
  return fromText(`must be a whole number from ${min} to ${max}.`, (text) => {
    const value = /^\d{1,15}$/.test(text) ? Number(text) : Number.NaN;
    return value >= min && value <= max ? value : undefined;
  });
}
