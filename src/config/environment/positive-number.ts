import { fromText } from "./from-text.ts";

/** A decimal number above zero and not above `max`; `unit` is said in the fault. */
export function positiveNumber(unit: string, max: number) {
  return fromText(`must be a number of ${unit} above 0 and not above ${max}.`, (text) => {
    const value = /^\d{1,15}(\.\d{1,15})?$/.test(text) ? Number(text) : Number.NaN;
    return value > 0 && value <= max ? value : undefined;
  });
}
