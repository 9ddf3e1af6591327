import type { MemoryScope } from "../run/evolution-memory.ts";

/** What costs can be summed by. */
export const COST_GROUPS = ["repo", "org", "month", "person", "model"] as const;

export type CostGroup = (typeof COST_GROUPS)[number];

/** What the runs of one repository, month, … cost together. */
export interface CostLine {
  /** of the repository, the month (`2026-11`), …; "" for what was forgotten */
  readonly name: string;
  readonly runs: number;
  readonly calls: number;
  readonly tokens: number;
  /** US dollars */
  readonly money: number;
  /** pull requests that they opened, and how many were merged; absent by model */
  readonly opened?: number | undefined;
  readonly merged?: number | undefined;
}

/** Medians of what is known; absent where nothing is. */
export interface LedgerMedians {
  /** US dollars */
  readonly runCost?: number | undefined;
  /** US dollars, with all later work on the pull request */
  readonly mergedCost?: number | undefined;
  /** milliseconds */
  readonly runTime?: number | undefined;
  /** milliseconds from the request to the pull request */
  readonly timeToPull?: number | undefined;
  /** milliseconds from the pull request to its merge */
  readonly timeToMerge?: number | undefined;
  readonly rounds?: number | undefined;
  readonly reviewComments?: number | undefined;
  /** lines that people changed on the branch before they merged it */
  readonly linesAfter?: number | undefined;
}

/** What became of all runs in the ledger. */
export interface LedgerStats {
  /** ended runs by their outcome, most frequent first */
  readonly outcomes: readonly { readonly outcome: string; readonly runs: number; readonly money: number }[];
  /** runs that have begun and not ended, with the US dollars that are set aside for them */
  readonly running: { readonly runs: number; readonly setAside: number };
  readonly pulls: {
    readonly open: number;
    /** and not reverted */
    readonly merged: number;
    readonly reverted: number;
    readonly closed: number;
  };
  readonly proofs: { readonly proved: number; readonly unproved: number };
  /** merged pull requests whose later lines are known */
  readonly linesKnown: number;
  readonly medians: LedgerMedians;
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
