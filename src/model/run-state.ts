import type { ProposedPlan } from "./plan.ts";
import { type BudgetLimit, NO_SPEND, type Spend } from "./spend.ts";

/** A state in which nothing has happened. */
export function initialState(): RunState {
  return { phases: PHASES.map((name) => ({ name, status: "waiting" })), tasks: [], spend: NO_SPEND, resumed: 0 };
}

export type PhaseStatus = "waiting" | "working" | "done" | "stopped";

/** One line of the tracking comment's check list. `detail` is a short sentence about what came out. */
export interface PhaseState {
  readonly name: PhaseName;
  readonly status: PhaseStatus;
  readonly detail?: string;
}

/** One task as the tracking comment shows it. */
export interface TaskState {
  readonly id: string;
  readonly path: string;
  readonly title: string;
  readonly status: "waiting" | "working" | "approved" | "open" | "unchanged" | "failed";
}

/** What the tracking comment says; everything in it is true at the time it is written. */
export interface RunState {
  readonly phases: readonly PhaseState[];
  readonly tasks: readonly TaskState[];
  readonly spend: Spend;
  /** how often the run was taken up again after the process had stopped */
  readonly resumed: number;
  /** what people should know of how it began, in a sentence or two */
  readonly note?: string;
  readonly pullRequest?: PullRequestLink;
  /** what was done on the pull request after it had been opened, oldest first */
  readonly followUps?: readonly FollowUp[];
  /** the sources of the feedback that the run is about to answer; of a run of kind `revise` */
  readonly batch?: readonly string[];
  /** the tracking comment; `again`: it was made once more, after a person had deleted it */
  readonly comment?: { readonly id: number; readonly again: boolean };
  /** it can do nothing before something outside answers again; nothing is spent meanwhile */
  readonly waiting?: Waiting;
  /** it has not begun, and had so many runs of its repository before it when it came */
  readonly queued?: { readonly ahead: number };
  readonly result?: RunResult;
}

/** What a run waits for. `writes`: the host takes no more of them for now. */
export interface Waiting {
  readonly for: "host" | "writes" | "model" | "database";
  /** ISO 8601 */
  readonly since: string;
  /** milliseconds, as far as processes were there to wait: clocks may be set meanwhile */
  readonly waited: number;
}

/** How a run ended. Expected ends are values; an unexpected one becomes `failed` in one place. */
export type RunResult =
  | {
      readonly kind: "published";
      readonly pullRequest: PullRequestLink;
      /** QA comments that were still open after the last round */
      readonly openThreads: number;
      /** what a command that was run has said of it, a sentence; absent: none was */
      readonly checked?: string;
      /** what the repository's checks said of it; absent: they were not asked */
      readonly proof?: {
        readonly proved: boolean;
        /** a sentence or two */
        readonly said: string;
        /** the commit whose checks failed and are to be repaired */
        readonly failed?: string;
      };
      /** only the test of the change is in the pull request: the change itself, as a patch for `git apply` */
      readonly withheld?: string;
      /** a person has taken the pull request over before its checks had ended */
      readonly left?: Left;
    }
  | ({ readonly kind: "nothing-to-change"; readonly reason: string } & TakenBack)
  | ({ readonly kind: "gave-up"; readonly reason: string } & TakenBack)
  /** what is to be done cannot be told before somebody has answered */
  | { readonly kind: "asked"; readonly questions: readonly string[]; readonly reason: string }
  | ({
      readonly kind: "budget-reached";
      readonly limit: BudgetLimit;
      readonly phase: PhaseName;
      /** what was finished before the limit, as a patch for `git apply`; empty when nothing was */
      readonly patch: string;
      readonly finished: readonly string[];
      readonly unfinished: readonly string[];
    } & TakenBack)
  /** the plan is made; nothing is written to the repository before a person approves it */
  | {
      readonly kind: "awaiting-approval";
      readonly plan: ProposedPlan;
      /** why a plan that was approved is shown again, in a sentence */
      readonly renewed?: string;
    }
  /** what was asked for is made and published nowhere: a plan, or a patch with the QA comments that stayed open; `check`: how a command found it */
  | {
      readonly kind: "dry-run";
      readonly made: "plan" | "patch";
      readonly openComments: number;
      readonly check?: "green" | "red" | "unknown";
    }
  /**
   * A person ended it; `undone` says what had been published and was taken back. `because`: by what was done to the issue
   * or pull request that it is about; `by` is "" where nobody has told who did that.
   */
  | {
      readonly kind: "cancelled";
      readonly by: string;
      readonly undone: readonly string[];
      readonly because?: StopReason;
    }
  | { readonly kind: "refused"; readonly reason: string }
  | ({
      readonly kind: "failed";
      readonly message: string;
      readonly code: string;
      /** its pull request, with the whole change, which is left open */
      readonly stays?: PullRequestLink;
    } & TakenBack);

/** What a person has done to a pull request that a run was not done with. */
export type Left = "pushed" | "closed" | "merged";

/** Of an end that leaves nothing published: what had been and was taken back, in words; absent: nothing had been. */
interface TakenBack {
  readonly undone?: readonly string[];
}

/** What was done to an issue or pull request that leaves nothing to be done there. */
export type StopReason = "closed" | "merged" | "locked" | "transferred" | "deleted";

/** An end that is owed to people: plain data, kept until it could be told. */
export type UnreportedEnd =
  | { readonly kind: "ended"; readonly result: RunResult; readonly about?: unknown }
  | { readonly kind: "cancelled"; readonly by: string; readonly because?: StopReason };

export interface PullRequestLink {
  readonly number: number;
  readonly url: string;
}

/** The phases of a run, in their order. */
export const PHASES = ["locate", "plan", "code", "publish"] as const;

export type PhaseName = (typeof PHASES)[number];

/** One line on a run that went on with a pull request: a review that was answered, checks that were repaired. */
export interface FollowUp {
  /** id of the run; a run has one line */
  readonly run: string;
  /** what it was, in plain words: `Review by ana: 3 threads` */
  readonly what: string;
  /** what came of it, in plain words */
  readonly outcome: string;
  /** review threads that were unresolved after it */
  readonly open: number;
  /** US dollars */
  readonly money: number;
}
