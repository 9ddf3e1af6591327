import { fromText } from "./from-text.ts";

/** A whole number from `min` to `max`, in decimal digits only. */
export function wholeNumber(min: number, max: number) {
  return fromText(`must be a whole number from ${min} to ${max}.`, (text) => {
    const value = /^\d{1,15}$/.test(text) ? Number(text) : Number.NaN;
    return value >= min && value <= max ? value : undefined;
  });
}
