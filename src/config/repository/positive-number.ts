import { z } from "zod";

/** A number above zero, perhaps with decimals; `unit` is said in the fault. */
export function positiveNumber(unit: string) {
  const error = `must be a number of ${unit} above 0.`;
  return z.number({ error }).positive({ error });
}
