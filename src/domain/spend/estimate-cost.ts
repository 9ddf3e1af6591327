import type { Spend } from "./spend.ts";

/** What carrying a plan out may cost beyond what was spent already. */
export interface CostEstimate {
  /** US dollars when every task is approved at its first review, and when every round is used */
  readonly least: number;
  readonly most: number;
  /** mean cost of a call of the run so far, in US dollars */
  readonly perCall: number;
  /** calls for one task, from and to */
  readonly calls: readonly [number, number];
  readonly tasks: number;
}

/** P8 once; in each round P9, P10 and P11 at least. */
const CALLS_ONCE = 1;
const CALLS_A_ROUND = 3;
/** The words of the pull request. */
const CALLS_AT_END = 1;

/**
 * The cost of `tasks` tasks of up to `rounds` rounds of review: the calls that Algorithm 3 makes for a task with one
 * place to change, at the mean cost of the calls that the run has made (`spend`).
 */
export function estimateCost(spend: Pick<Spend, "calls" | "money">, tasks: number, rounds: number): CostEstimate {
  const perCall = spend.calls === 0 ? 0 : spend.money / spend.calls;
  const calls = [CALLS_ONCE + CALLS_A_ROUND, CALLS_ONCE + CALLS_A_ROUND * Math.max(1, rounds)] as const;
  const cost = (each: number) => perCall * (each * tasks + CALLS_AT_END);
  return { least: cost(calls[0]), most: cost(calls[1]), perCall, calls, tasks };
}
