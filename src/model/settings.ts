import type { Budget } from "./budget.ts";
import type { RepositorySettings } from "./repository-settings.ts";

/** Complete settings of a repository. */
export type Settings = RepositorySettings;

/** What the operator of the bot allows, and what holds where a repository says nothing. */
export interface OperatorLimits {
  /** names of the models that may be named: those with a price */
  readonly models: readonly string[];
  /** the most that a run may use, and what it may use when no file says less */
  readonly budget: Budget;
  readonly defaults: Pick<
    Settings,
    "label" | "draft" | "models" | "effort" | "candidates" | "reviewRounds" | "allowedBots"
  >;
}
