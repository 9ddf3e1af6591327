/** A figure over several instances; undefined ones are left out. */
export interface Summary {
  /** how many instances have it */
  readonly count: number;
  readonly min: number;
  readonly max: number;
  readonly mean: number;
  readonly median: number;
  readonly total: number;
}

/** Count, min, max, mean, median and total of the numbers that are there; undefined when none is. */
export function summarise(numbers: readonly (number | undefined)[]): Summary | undefined {
  const sorted = numbers.filter((number) => number !== undefined).sort((a, b) => a - b);
  const [min, max] = [sorted[0], sorted.at(-1)];
  if (min === undefined || max === undefined) return undefined;
  const total = sorted.reduce((sum, number) => sum + number, 0);
  const [low, high] = [sorted[(sorted.length - 1) >> 1] ?? 0, sorted[sorted.length >> 1] ?? 0];
  return { count: sorted.length, min, max, mean: total / sorted.length, median: (low + high) / 2, total };
}
