import type { BudgetLimit } from "./budget.ts";
import type { ProposedPlan } from "./proposed-plan.ts";

/** How a run ended. Expected ends are values; an unexpected one becomes `failed` in one place. */
export type RunResult =
  | {
      readonly kind: "published";
      readonly pullRequest: PullRequestLink;
      /** QA comments that were still open after the last round */
      readonly openThreads: number;
    }
  | { readonly kind: "nothing-to-change"; readonly reason: string }
  | { readonly kind: "gave-up"; readonly reason: string }
  | {
      readonly kind: "budget-reached";
      readonly limit: BudgetLimit;
      readonly phase: PhaseName;
      /** what was finished before the limit, as a patch for `git apply`; empty when nothing was */
      readonly patch: string;
      readonly finished: readonly string[];
      readonly unfinished: readonly string[];
    }
  /** the plan is made; nothing is written to the repository before a person approves it */
  | {
      readonly kind: "awaiting-approval";
      readonly plan: ProposedPlan;
      /** why a plan that was approved is shown again, in a sentence */
      readonly renewed?: string;
    }
  /** what was asked for is made and published nowhere: a plan, or a patch with the QA comments that stayed open */
  | { readonly kind: "dry-run"; readonly made: "plan" | "patch"; readonly openComments: number }
  /** a person ended it; `undone` says what had been published and was taken back */
  | { readonly kind: "cancelled"; readonly by: string; readonly undone: readonly string[] }
  | { readonly kind: "refused"; readonly reason: string }
  | { readonly kind: "failed"; readonly message: string; readonly code: string };

export interface PullRequestLink {
  readonly number: number;
  readonly url: string;
}

/** The phases of a run, in their order. */
export const PHASES = ["locate", "plan", "code", "publish"] as const;
export type PhaseName = (typeof PHASES)[number];
