import type { HeldBack } from "./limits.ts";
import type { ProposedPlan } from "./plan.ts";
import { type BudgetLimit, NO_SPEND, type Spend } from "./spend.ts";
import type { TaskStatus } from "./work.ts";

/** The state of a run that has not begun. */
export function initialState(): RunState {
  return { phases: PHASES.map((name) => ({ name, status: "waiting" })), tasks: [], spend: NO_SPEND, resumed: 0 };
}

export type PhaseStatus = "waiting" | "working" | "done" | "stopped";

/** One line of the tracking comment's checklist. `detail` is a short sentence about the outcome. */
export interface PhaseState {
  readonly name: PhaseName;
  readonly status: PhaseStatus;
  readonly detail?: string;
}

/** One task in the tracking comment. */
export interface TaskState {
  readonly id: string;
  readonly path: string;
  readonly title: string;
  readonly status: "waiting" | "working" | TaskStatus;
}

/** What the tracking comment says, true at the time of writing. */
export interface RunState {
  readonly phases: readonly PhaseState[];
  readonly tasks: readonly TaskState[];
  readonly spend: Spend;
  /** how often the run was resumed after the process had stopped */
  readonly resumed: number;
  /** what people should know about its start, in a sentence or two */
  readonly note?: string;
  readonly pullRequest?: PullRequestLink;
  /** later work on the pull request, oldest first */
  readonly followUps?: readonly FollowUp[];
  /** for a run of kind `revise`: the sources of the feedback that it is about to answer */
  readonly batch?: readonly string[];
  /** the tracking comment; `again`: a second one, after a person had deleted the first */
  readonly comment?: { readonly id: number; readonly again: boolean };
  /** the run waits until a service answers again, and spends nothing meanwhile */
  readonly waiting?: Waiting;
  /** it has pushed and looks from time to time whether the checks have ended; ISO 8601 */
  readonly checks?: { readonly since: string };
  /** since when it has been in its phase, or has ended; ISO 8601 */
  readonly since?: string;
  /** not begun: its place when it came */
  readonly queued?: Queued;
  readonly result?: RunResult;
}

/** The place of a run that has not begun. */
export interface Queued {
  /** so many runs of its repository come first */
  readonly ahead: number;
  /** none comes first, and a limit holds it back */
  readonly held?: HeldBack | undefined;
}

/** What a run waits for. `writes`: GitHub's rate limit is reached. */
export interface Waiting {
  readonly for: "host" | "writes" | "model" | "database";
  /** ISO 8601 */
  readonly since: string;
  /** milliseconds in which a process was running and waiting */
  readonly waited: number;
}

/** How a run ended. Expected ends are values; unexpected ones become `failed` in one place. */
export type RunResult =
  | {
      readonly kind: "published";
      readonly pullRequest: PullRequestLink;
      /** QA comments that were still open after the last round */
      readonly openThreads: number;
      /** the result of the check command, in a sentence; absent: none was run */
      readonly checked?: string;
      /** the proof by the repository's checks; absent: they were not asked */
      readonly proof?: {
        readonly proved: boolean;
        /** a sentence or two */
        readonly said: string;
        /** the commit whose failed checks need a repair */
        readonly failed?: string;
      };
      /** the change as a patch for `git apply`, when the pull request holds only its test */
      readonly withheld?: string;
      /** a person took the pull request over before its checks ended */
      readonly left?: Left;
    }
  | ({ readonly kind: "nothing-to-change"; readonly reason: string } & TakenBack)
  | ({ readonly kind: "gave-up"; readonly reason: string } & TakenBack)
  /** somebody has to answer questions first */
  | { readonly kind: "asked"; readonly questions: readonly string[]; readonly reason: string }
  | ({
      readonly kind: "budget-reached";
      readonly limit: BudgetLimit;
      readonly phase: PhaseName;
      /** the finished part as a patch for `git apply`; empty when there is none */
      readonly patch: string;
      readonly finished: readonly string[];
      readonly unfinished: readonly string[];
    } & TakenBack)
  /** the plan waits for a person's approval; nothing is written to the repository before */
  | {
      readonly kind: "awaiting-approval";
      readonly plan: ProposedPlan;
      /** why an approved plan is shown again, in a sentence */
      readonly renewed?: string;
    }
  /**
   * a plan or patch was made and not published; `openComments`: open QA comments, `check`: the check command's verdict
   */
  | {
      readonly kind: "dry-run";
      readonly made: "plan" | "patch";
      readonly openComments: number;
      readonly check?: "green" | "red" | "unknown";
    }
  /**
   * A person ended it; `undone` lists what was taken back. `because`: what happened to its issue or pull request; then
   * `by` may be "", when nobody knows who did it.
   */
  | {
      readonly kind: "cancelled";
      readonly by: string;
      readonly undone: readonly string[];
      readonly because?: StopReason;
    }
  /** `paid`: a cheap call had to find out */
  | { readonly kind: "refused"; readonly reason: string; readonly paid?: true }
  | ({
      readonly kind: "failed";
      readonly message: string;
      readonly code: string;
      /** its pull request with the whole change, which stays open */
      readonly stays?: PullRequestLink;
    } & TakenBack);

/** What a person did to a pull request while a run was still working on it. */
export type Left = "pushed" | "closed" | "merged";

/** What an end without a publication took back, in words; absent when nothing was published. */
interface TakenBack {
  readonly undone?: readonly string[];
}

/** Why an issue or pull request needs no more work. */
/** `shut-out`: the app can no longer see the repository. */
export type StopReason = "closed" | "merged" | "locked" | "transferred" | "deleted" | "shut-out";

/** An end that people do not know of yet: plain data, kept until it is reported. */
export type UnreportedEnd =
  | { readonly kind: "ended"; readonly result: RunResult; readonly about?: unknown }
  | { readonly kind: "cancelled"; readonly by: string; readonly because?: StopReason };

export interface PullRequestLink {
  readonly number: number;
  readonly url: string;
}

/** The phases of a run, in order. */
export const PHASES = ["locate", "plan", "code", "publish"] as const;

export type PhaseName = (typeof PHASES)[number];

/** One line about later work on a pull request: an answered review, repaired checks. */
export interface FollowUp {
  /** id of the run; a run has one line */
  readonly run: string;
  /** its occasion, in words: `Review by ana: 3 threads` */
  readonly what: string;
  /** its outcome, in words */
  readonly outcome: string;
  /** review threads still unresolved after it */
  readonly open: number;
  /** US dollars */
  readonly money: number;
}
