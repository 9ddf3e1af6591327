import type { FollowUp } from "./follow-up.ts";
import type { PhaseName, PullRequestLink, RunResult } from "./run-result.ts";
import type { Spend } from "./spend.ts";

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
  readonly pullRequest?: PullRequestLink;
  /** what was done on the pull request after it had been opened, oldest first */
  readonly followUps?: readonly FollowUp[];
  /** the sources of the feedback that the run is about to answer; of a run of kind `revise` */
  readonly batch?: readonly string[];
  readonly result?: RunResult;
}
