import type { LimitUse } from "../data/limits.ts";
import type { RepositoryId } from "../data/run-request.ts";
import type { RunReport, RunSummary } from "../run/runs.ts";

/**
 * The repositories that somebody may see. A repository belongs to one installation of the app: once somebody else has
 * the name, the runs of before are not theirs.
 */
export type Visible = "all" | readonly RepositoryId[];

/** The stored runs that somebody may see. */
export interface VisibleRuns {
  /** Those that are queued, work or wait, in the order in which they came. */
  unfinished(most: number): Promise<readonly RunSummary[]>;
  /** The latest requested that `wanted` leaves, newest first. */
  latest(most: number, wanted?: WantedRuns): Promise<readonly RunSummary[]>;
  /** Undefined when there is no such run, or none that they may see. */
  report(runId: string): Promise<RunReport | undefined>;
}

/** Which runs somebody looks for; an absent field leaves all. Names are compared as GitHub does, without case. */
export interface WantedRuns {
  /** a part of the title or body, as it was when the run was asked for */
  words?: string | undefined;
  /** a part of `owner/name` */
  repository?: string | undefined;
  /** the login of whoever asked */
  person?: string | undefined;
  /** the `kind` of the result */
  end?: string | undefined;
}

/** US dollars of runs that began in a period. */
export interface Spending {
  /** by ended runs */
  spent: number;
  /** for runs that have not ended */
  setAside: number;
}

/** What the bot did in one repository. */
export interface RepositoryFigures {
  /** `owner/name` */
  name: string;
  /** ended ones */
  runs: number;
  unfinished: number;
  /** US dollars, of all time and of this month (UTC) */
  money: number;
  moneyThisMonth: number;
  opened: number;
  merged: number;
}

/** What became of the pull requests of one repository that were decided in one month (UTC): the bot's and people's. */
export interface AcceptanceRow {
  /** `owner/name` */
  name: string;
  /** `2026-11` */
  month: string;
  merged: number;
  decided: number;
  peoplesMerged: number;
  peoplesDecided: number;
}

export const SPANS = ["day", "week", "month"] as const;

export type Span = (typeof SPANS)[number];

/** What happened in one day, week or month (UTC). */
export interface TrendSlot {
  /** its first day, `2026-11-23` */
  from: string;
  /** runs that ended in it, by outcome */
  runs: readonly { outcome: string; runs: number; money: number }[];
  /** pull requests that people decided on in it */
  merged: number;
  closed: number;
  /** median milliseconds from the request to the pull request; absent when none was opened */
  timeToPull?: number | undefined;
}

/** The ledger of the runs that somebody may see. */
export interface VisibleFigures {
  spending(): Promise<Readonly<Record<"day" | "month", Spending>>>;
  /**
   * How much of the limits of organisations, repositories and people is used this month, the fullest first. Leaves out
   * limits that also count runs of other repositories.
   */
  limits(): Promise<readonly LimitUse[]>;
  /** Those with the latest runs first. */
  repositories(most: number): Promise<readonly RepositoryFigures[]>;
  /** Months with pull requests of the bot, the newest first. */
  acceptance(most: number): Promise<readonly AcceptanceRow[]>;
  /** The last `count` days, weeks or months, oldest first, without gaps. */
  trend(span: Span, count: number): Promise<readonly TrendSlot[]>;
}

export interface VisibleParts {
  runs: VisibleRuns;
  figures: VisibleFigures;
}
