import type { FileSettings, RunValues } from "./setting-definitions/all-settings.ts";
import type { Budget } from "./spend.ts";

export type Ablation = "qa" | "hints" | "meeting" | "memory" | "tools" | "map" | "lines";

/** What is decided about a run: by the repository's maintainers, and where they say nothing by the bot's. */
export interface RunSettings extends RunValues {
  /** parts that are left out, to see what they are worth */
  readonly ablate: readonly Ablation[];
}

/** In the order of what they cost. */
const EFFORTS = ["low", "medium", "high", "xhigh", "max"] as const;

type Effort = (typeof EFFORTS)[number];

/** No red check is worth more than this. */
const HIGHEST_RAISED = EFFORTS.indexOf("high");

/**
 * The effort of the strong model after so many red checks of ours: what is set, or with `auto` one step below the default
 * (medium), and one step more for each, up to high. Undefined where nothing is set: then nothing is sent, since
 * not every model takes it.
 */
function effortAfter(set: Effort | "auto" | undefined, reds = 0): Effort | undefined {
  if (set === undefined) return undefined;
  const first = set === "auto" ? 0 : EFFORTS.indexOf(set);
  return EFFORTS[Math.max(first, Math.min(first + reds, HIGHEST_RAISED))];
}

/** The efforts of both tiers, as requests are sent with them. */
export function effortsAfter(
  { fast, strong }: { readonly fast?: Effort; readonly strong?: Effort | "auto" } = {},
  reds = 0,
): { readonly fast?: Effort; readonly strong?: Effort } {
  const risen = effortAfter(strong, reds);
  return { ...(fast && { fast }), ...(risen && { strong: risen }) };
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
