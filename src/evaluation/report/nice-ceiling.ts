/** The smallest of 1, 2, 2.5, 5 and 10 times a power of ten that is not below `value`: where an axis ends. 1 for 0. */
export function niceCeiling(value: number): number {
  if (value <= 0) return 1;
  const power = 10 ** Math.floor(Math.log10(value));
  return ([1, 2, 2.5, 5].find((factor) => factor * power >= value) ?? 10) * power;
}
