import type { TokenUsage } from "../domain/spend/spend.ts";

/** What one or more attempts at a call have used. */
export interface CallCost {
  readonly usage: TokenUsage;
  /** US dollars */
  readonly money: number;
}
