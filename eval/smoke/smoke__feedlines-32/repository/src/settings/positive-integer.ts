/** `value` when it is a whole number above zero; throws with the setting's name otherwise. */
export function positiveInteger(name: string, value: unknown): number {
  if (typeof value !== "number" || !Number.isInteger(value) || value < 1) {
    throw new Error(`${name} must be a whole number above zero`);
  }
  return value;
}
