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

/** Calls of one form of the workflow: of a task once and in a round, of the team in a round and at the end. */
interface Form {
  readonly once: number;
  readonly aRound: number;
  readonly team: number;
  readonly atEnd: number;
}

const FORMS: Readonly<Record<"lean" | "paper", Form>> = {
  /** each Developer's change, and one review */
  lean: { once: 0, aRound: 1, team: 1, atEnd: 0 },
  /** P8 once; in each round P9, P10 and P11 at least; the words of the pull request */
  paper: { once: 1, aRound: 3, team: 0, atEnd: 1 },
};

/**
 * The cost of `tasks` tasks of up to `rounds` rounds of review, without look-ups: the calls that Algorithm 3 makes for a
 * task with one place to change, at the mean cost of the calls that the run has made (`spend`).
 */
export function estimateCost(
  spend: Pick<Spend, "calls" | "money">,
  { tasks, rounds, profile }: { readonly tasks: number; readonly rounds: number; readonly profile: "lean" | "paper" },
): CostEstimate {
  const perCall = spend.calls === 0 ? 0 : spend.money / spend.calls;
  const { once, aRound, team, atEnd } = FORMS[profile];
  const most = Math.max(1, rounds);
  const calls = [once + aRound, once + aRound * most] as const;
  const cost = (each: number, reviews: number) => perCall * (each * tasks + team * reviews + atEnd);
  return { least: cost(calls[0], 1), most: cost(calls[1], most), perCall, calls, tasks };
}
