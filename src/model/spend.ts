/** Tokens of one or more calls, as the model's provider counts them. Thinking is part of `output`. */
export interface TokenUsage {
  readonly input: number;
  readonly cacheWrite: number;
  readonly cacheRead: number;
  readonly output: number;
}

/** What a run has used so far. Failed calls count too. */
export interface Spend {
  readonly calls: number;
  readonly tokens: number;
  /** US dollars */
  readonly money: number;
  /** milliseconds of work, from the first phase's start, summed over restarts */
  readonly elapsed: number;
}

export const NO_SPEND: Spend = { calls: 0, tokens: 0, money: 0, elapsed: 0 };
