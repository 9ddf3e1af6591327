import type { TokenUsage } from "../../model/spend.ts";

/** What one or more attempts at a call have used. */
export interface CallCost {
  readonly usage: TokenUsage;
  /** US dollars */
  readonly money: number;
}
