import type { FileSettings, RunValues } from "./setting-definitions/all-settings.ts";
import type { Budget } from "./spend.ts";

export type Ablation = "qa" | "hints" | "meeting" | "memory" | "tools" | "map";

/** What is decided about a run: by the repository's maintainers, and where they say nothing by the bot's. */
export interface RunSettings extends RunValues {
  /** parts that are left out, to see what they are worth */
  readonly ablate: readonly Ablation[];
}

type Some<T> = { readonly [Key in keyof T]?: T[Key] extends readonly unknown[] ? T[Key] : Partial<T[Key]> };

/** What was decided for one run by whoever asked for it: it holds over the repository's own file. */
export interface Chosen extends Some<RepositorySettings>, Partial<Pick<RunSettings, "profile" | "ablate">> {}

/** What one repository has decided, complete: its file over the organisation's over the operator's and the defaults. */
export interface RepositorySettings extends FileSettings {}

/** Complete settings of a repository. */
export type Settings = RepositorySettings;

/** What the operator of the bot allows, and what holds where a repository says nothing. */
export interface OperatorLimits {
  /** names of the models that may be named: those with a price */
  readonly models: readonly string[];
  /** the most that a run may use, and what it may use when no file says less */
  readonly budget: Budget;
  /** in place of the settings' own defaults */
  readonly defaults: Some<Omit<Settings, "budget">>;
}
