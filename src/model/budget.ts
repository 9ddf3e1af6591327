/** The limits of one run, shared by all its agents. */
export interface Budget {
  /** US dollars */
  readonly money: number;
  /** input, cached and output tokens together */
  readonly tokens: number;
  /** minutes of work */
  readonly minutes: number;
}

export type BudgetLimit = keyof Budget;
