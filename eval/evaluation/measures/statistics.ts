/** What a logistic regression on one figure says. */
export interface Regression {
  /** how much the log-odds of the outcome change when the figure grows by one */
  coefficient: number;
  /** standard error of the coefficient */
  error: number;
  /** of the Wald test: how likely so strong a relation is by chance alone */
  p: number;
}

/** A figure of one instance, and whether the instance had the outcome. */
export interface Observation {
  figure: number;
  outcome: boolean;
}

const MOST_STEPS = 50;

const CLOSE = 1e-10;

/**
 * Logistic regression of an outcome on one figure, by maximum likelihood (Newton's method). Undefined where there is no
 * maximum: all outcomes are alike, all figures are, or the figure tells the outcomes apart without exception.
 * It is our own because the packages of npm give coefficients without standard errors.
 */
export function logisticRegression(observations: readonly Observation[]): Regression | undefined {
  const of = (outcome: boolean) => observations.filter((one) => one.outcome === outcome).map(({ figure }) => figure);
  const [yes, no] = [of(true), of(false)];
  if (yes.length === 0 || no.length === 0) return undefined;
  if (Math.max(...no) <= Math.min(...yes) || Math.max(...yes) <= Math.min(...no)) return undefined;
  // With figures of mean 0 and deviation 1 the steps are of a sound size.
  const figures = observations.map(({ figure }) => figure);
  const mean = figures.reduce((sum, one) => sum + one, 0) / figures.length;
  const deviation = Math.sqrt(figures.reduce((sum, one) => sum + (one - mean) ** 2, 0) / figures.length);
  const points = observations.map(({ figure, outcome }) => ({ x: (figure - mean) / deviation, y: Number(outcome) }));
  let [intercept, slope] = [0, 0];
  for (let step = 0; step < MOST_STEPS; step++) {
    const { a, b, c, determinant, ...gradient } = curvature(points, intercept, slope);
    const moved = (a * gradient.slope - b * gradient.intercept) / determinant;
    intercept += (c * gradient.intercept - b * gradient.slope) / determinant;
    slope += moved;
    if (Math.abs(moved) < CLOSE) break;
  }
  const { a, determinant } = curvature(points, intercept, slope);
  const error = Math.sqrt(a / determinant);
  return { coefficient: slope / deviation, error: error / deviation, p: twoSided(slope / error) };
}

/** Gradient of the log-likelihood, and the matrix [[a, b], [b, c]] of its negative second derivatives. */
function curvature(points: readonly { x: number; y: number }[], intercept: number, slope: number) {
  const sums = { a: 0, b: 0, c: 0, intercept: 0, slope: 0 };
  for (const { x, y } of points) {
    const chance = 1 / (1 + Math.exp(-(intercept + slope * x)));
    const weight = chance * (1 - chance);
    sums.a += weight;
    sums.b += weight * x;
    sums.c += weight * x * x;
    sums.intercept += y - chance;
    sums.slope += (y - chance) * x;
  }
  return { ...sums, determinant: sums.a * sums.c - sums.b ** 2 };
}

/** The share of a normal distribution that lies further out than `z`, on both sides (Abramowitz and Stegun, 7.1.26). */
function twoSided(z: number): number {
  const x = Math.abs(z) / Math.SQRT2;
  const t = 1 / (1 + 0.3275911 * x);
  const terms = [0.254829592, -0.284496736, 1.421413741, -1.453152027, 1.061405429];
  const sum = terms.reduceRight((rest, term) => (rest + term) * t, 0);
  return sum * Math.exp(-(x ** 2));
}

export interface Estimate {
  /** how many it is made from */
  from: number;
  total: number;
  /** the total is within these with about 95 % */
  least: number;
  most: number;
}

/** Instances that an estimate is made from. */
export const ESTIMATED_FROM = 10;

/** What `count` instances come to, from what the first ten did; undefined before there are ten. */
export function estimateFor(count: number, figures: readonly number[]): Estimate | undefined {
  const first = figures.slice(0, ESTIMATED_FROM);
  if (first.length < ESTIMATED_FROM) return undefined;
  const mean = first.reduce((sum, one) => sum + one, 0) / first.length;
  const variance = first.reduce((sum, one) => sum + (one - mean) ** 2, 0) / (first.length - 1);
  const around = 2 * Math.sqrt(variance / first.length);
  return {
    from: first.length,
    total: mean * count,
    least: Math.max(0, mean - around) * count,
    most: (mean + around) * count,
  };
}
