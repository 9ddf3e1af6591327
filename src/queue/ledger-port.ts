import type { MemoryScope } from "../run/evolution-memory.ts";

/** What costs can be summed by. */
export const COST_GROUPS = ["repo", "org", "month", "person", "model"] as const;

export type CostGroup = (typeof COST_GROUPS)[number];

/** What the runs of one repository, month, … cost together. */
export interface CostLine {
  /** of the repository, the month (`2026-11`), …; "" for what was forgotten */
  name: string;
  runs: number;
  calls: number;
  tokens: number;
  /** US dollars */
  money: number;
  /** pull requests that they opened, and how many were merged; absent by model */
  opened?: number | undefined;
  merged?: number | undefined;
}

/** Medians of what is known; absent where nothing is. */
export interface LedgerMedians {
  /** US dollars */
  runCost?: number | undefined;
  /** US dollars, with all later work on the pull request */
  mergedCost?: number | undefined;
  /** milliseconds */
  runTime?: number | undefined;
  /** milliseconds from the request to the pull request */
  timeToPull?: number | undefined;
  /** milliseconds from the pull request to its merge */
  timeToMerge?: number | undefined;
  rounds?: number | undefined;
  reviewComments?: number | undefined;
  /** lines that people changed on the branch before they merged it */
  linesAfter?: number | undefined;
}

/** What became of all runs in the ledger. */
export interface LedgerStats {
  /** ended runs by their outcome, most frequent first */
  outcomes: readonly { outcome: string; runs: number; money: number }[];
  /** runs that have begun and not ended, with the US dollars that are set aside for them */
  running: { runs: number; setAside: number };
  pulls: {
    open: number;
    /** and not reverted */
    merged: number;
    reverted: number;
    closed: number;
  };
  proofs: { proved: number; unproved: number };
  /** merged pull requests whose later lines are known */
  linesKnown: number;
  medians: LedgerMedians;
}

/** What runs cost and what became of them, longer than their details are kept. */
export interface Ledger {
  /** The dearest first; months in their order. */
  costs(by: CostGroup): Promise<readonly CostLine[]>;
  stats(): Promise<LedgerStats>;
  /**
   * Empties names, people, numbers and ids of the entries within `scope`; figures stay. `after month`: those of this
   * month keep them until it is over, since limits of the month count by them. Gives the number of entries.
   */
  forget(scope: MemoryScope, when: "now" | "after month"): Promise<number>;
  /** Empties the login of a person. Gives the number of entries. */
  forgetPerson(login: string): Promise<number>;
  /** Empties the entries whose time to be forgotten has come: their run has ended, or the month is over. */
  emptyForgotten(): Promise<void>;
}
