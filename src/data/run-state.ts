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
  name: PhaseName;
  status: PhaseStatus;
  detail?: string;
}

/** One task in the tracking comment. */
export interface TaskState {
  id: string;
  path: string;
  title: string;
  status: "waiting" | "working" | TaskStatus;
}

/** What the tracking comment says, true at the time of writing. */
export interface RunState {
  phases: readonly PhaseState[];
  tasks: readonly TaskState[];
  spend: Spend;
  /** how often the run was resumed after the process had stopped */
  resumed: number;
  /** what people should know about its start, in a sentence or two */
  note?: string;
  pullRequest?: PullRequestLink;
  /** later work on the pull request, oldest first */
  followUps?: readonly FollowUp[];
  /** for a run of kind `revise`: the sources of the feedback that it is about to answer */
  batch?: readonly string[];
  /** the tracking comment; `again`: a second one, after a person had deleted the first */
  comment?: { id: number; again: boolean };
  /** the run waits until a service answers again, and spends nothing meanwhile */
  waiting?: Waiting;
  /** it has pushed and looks from time to time whether the checks have ended; ISO 8601 */
  checks?: { since: string };
  /** since when it has been in its phase, or has ended; ISO 8601 */
  since?: string;
  /** not begun: its place when it came */
  queued?: Queued;
  result?: RunResult;
}

/** The place of a run that has not begun. */
export interface Queued {
  /** so many runs of its repository come first */
  ahead: number;
  /** none comes first, and a limit holds it back */
  held?: HeldBack | undefined;
}

/** What a run waits for. `writes`: GitHub's rate limit is reached. */
export interface Waiting {
  for: "host" | "writes" | "model" | "database";
  /** ISO 8601 */
  since: string;
  /** milliseconds in which a process was running and waiting */
  waited: number;
}

/** How a run ended. Expected ends are values; unexpected ones become `failed` in one place. */
export type RunResult =
  | {
      kind: "published";
      pullRequest: PullRequestLink;
      /** QA comments that were still open after the last round */
      openThreads: number;
      /** the result of the check command, in a sentence; absent: none was run */
      checked?: string;
      /** the proof by the repository's checks; absent: they were not asked */
      proof?: {
        proved: boolean;
        /** a sentence or two */
        said: string;
        /** the commit whose failed checks need a repair */
        failed?: string;
      };
      /** the change as a patch for `git apply`, when the pull request holds only its test */
      withheld?: string;
      /** a person took the pull request over before its checks ended */
      left?: Left;
    }
  | ({ kind: "nothing-to-change"; reason: string } & TakenBack)
  | ({ kind: "gave-up"; reason: string } & TakenBack)
  /** somebody has to answer questions first */
  | { kind: "asked"; questions: readonly string[]; reason: string }
  | ({
      kind: "budget-reached";
      limit: BudgetLimit;
      phase: PhaseName;
      /** the finished part as a patch for `git apply`; empty when there is none */
      patch: string;
      finished: readonly string[];
      unfinished: readonly string[];
    } & TakenBack)
  /** the plan waits for a person's approval; nothing is written to the repository before */
  | {
      kind: "awaiting-approval";
      plan: ProposedPlan;
      /** why an approved plan is shown again, in a sentence */
      renewed?: string;
    }
  /**
   * a plan or patch was made and not published; `openComments`: open QA comments, `check`: the check command's verdict
   */
  | {
      kind: "dry-run";
      made: "plan" | "patch";
      openComments: number;
      check?: "green" | "red" | "unknown";
    }
  /**
   * A person ended it; `undone` lists what was taken back. `because`: what happened to its issue or pull request; then
   * `by` may be "", when nobody knows who did it.
   */
  | {
      kind: "cancelled";
      by: string;
      undone: readonly string[];
      because?: StopReason;
    }
  /** `paid`: a cheap call had to find out */
  | { kind: "refused"; reason: string; paid?: true }
  | ({
      kind: "failed";
      message: string;
      code: string;
      /** its pull request with the whole change, which stays open */
      stays?: PullRequestLink;
    } & TakenBack);

/** What a person did to a pull request while a run was still working on it. */
export type Left = "pushed" | "closed" | "merged";

/** What an end without a publication took back, in words; absent when nothing was published. */
interface TakenBack {
  undone?: readonly string[];
}

/** Why an issue or pull request needs no more work. */
/** `shut-out`: the app can no longer see the repository. */
export type StopReason = "closed" | "merged" | "locked" | "transferred" | "deleted" | "shut-out";

/** An end that people do not know of yet: plain data, kept until it is reported. */
export type UnreportedEnd =
  | { kind: "ended"; result: RunResult; about?: unknown }
  | { kind: "cancelled"; by: string; because?: StopReason };

export interface PullRequestLink {
  number: number;
  url: string;
}

/** The phases of a run, in order. */
export const PHASES = ["locate", "plan", "code", "publish"] as const;

export type PhaseName = (typeof PHASES)[number];

/** One line about later work on a pull request: an answered review, repaired checks. */
export interface FollowUp {
  /** id of the run; a run has one line */
  run: string;
  /** its occasion, in words: `Review by ana: 3 threads` */
  what: string;
  /** its outcome, in words */
  outcome: string;
  /** review threads still unresolved after it */
  open: number;
  /** US dollars */
  money: number;
}
