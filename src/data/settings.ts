import type { FileSettings, RunValues } from "./setting-definitions/all-settings.ts";
import { EFFORTS } from "./setting-definitions/run-settings.ts";
import type { Budget } from "./spend.ts";

export type Ablation = "qa" | "hints" | "meeting" | "memory" | "tools" | "map" | "lines";

/** A run's settings: the repository's, with the operator's where the repository sets none. */
export interface RunSettings extends RunValues {
  /** parts left out of an experiment, to measure their worth */
  ablate: readonly Ablation[];
}

export type Effort = (typeof EFFORTS)[number];

/** Failed checks raise the effort no higher than this. */
const HIGHEST_RAISED = EFFORTS.indexOf("high");

/**
 * The strong model's effort after `reds` failed checks: what is set, or for `auto` low (below the default, medium);
 * one step more for each failed check, up to high. Undefined when nothing is set: not every model accepts an effort.
 */
function effortAfter(set: Effort | "auto" | undefined, reds = 0): Effort | undefined {
  if (set === undefined) return undefined;
  const first = set === "auto" ? 0 : EFFORTS.indexOf(set);
  return EFFORTS[Math.max(first, Math.min(first + reds, HIGHEST_RAISED))];
}

/** The efforts of both tiers for a request to the models. */
export function effortsAfter(
  { fast, strong }: { fast?: Effort; strong?: Effort | "auto" } = {},
  reds = 0,
): { fast?: Effort; strong?: Effort } {
  return { fast, strong: effortAfter(strong, reds) };
}

type Some<T> = { readonly [Key in keyof T]?: T[Key] extends readonly unknown[] ? T[Key] : Partial<T[Key]> };

/** Settings chosen for one run by whoever started it: they override the repository's file. */
export interface Chosen extends Some<RepositorySettings>, Partial<Pick<RunSettings, "profile" | "ablate">> {}

/** One repository's complete settings: its file overrides the organisation's, the operator's and the defaults. */
export type RepositorySettings = FileSettings & {
  /** US dollars a month for all of the owner's repositories together; from `budget.month` of the extended file */
  ownersMonth?: number | undefined;
  /** globs of a request's `files:`: what may change fits these and `only` */
  alsoOnly?: readonly string[] | undefined;
};

export type Settings = RepositorySettings;

/** The operator's limits, and the defaults for repositories that set nothing. */
export interface OperatorLimits {
  /** the models that repositories may choose: those with a price */
  models: readonly string[];
  /** the most that a run may use, also when a file says nothing */
  budget: Budget;
  /** the most that a repository may ask for; absent where runs are not counted together */
  limits?: {
    repository?: number;
    /** what the file that a repository extends may allow all of the owner's together */
    organisation?: number;
    openPullRequests: number;
  };
  /** replace the settings' own defaults */
  defaults: Some<Omit<Settings, "budget">>;
}
