import { type TaskOutcome, wasReviewed } from "../model/work.ts";
import { plain, webLink } from "../text/compose-markdown.ts";

/** The app's check run on one of its own commits. */
export interface CommitReport {
  /** the commit's occasion, e.g. `For #7` */
  readonly what: string;
  /** absent while the work goes on */
  readonly end?: { readonly openComments: number } | { readonly failed: string };
  readonly outcomes: readonly TaskOutcome[];
  readonly pullRequest?: { readonly number: number; readonly url: string };
  /** address of the run's page on the dashboard */
  readonly page?: string | undefined;
}

/** The parts of a check run, as in the host's port. */
export interface CheckRunText {
  readonly name: string;
  readonly status: "in_progress" | "completed";
  readonly conclusion?: "success" | "neutral";
  readonly title: string;
  readonly summary: string;
  /** where its details are */
  readonly page?: string | undefined;
}

/** The check run's name on every commit of the app. */
export const CHECK_NAME = "MAGIS";

/**
 * The app's check run on its own commit: the verdict of its QA Engineers, nothing else. Success means that they
 * reviewed the whole change and have no objections. Otherwise it is neutral, which blocks nobody.
 */
export function checkReport({ what, end, outcomes, pullRequest, page }: CommitReport): CheckRunText {
  if (end === undefined)
    return {
      name: CHECK_NAME,
      status: "in_progress",
      title: `${what}: in progress`,
      summary: "MAGIS is still at work.",
      page,
    };
  const ended = { name: CHECK_NAME, status: "completed", page } as const;
  if ("failed" in end)
    return { ...ended, conclusion: "neutral", title: `${what}: not finished`, summary: plain(end.failed) };
  const faults = faultsOf(end.openComments, outcomes);
  const summary = [
    outcomes.some(wasReviewed)
      ? "This is what MAGIS's QA Engineers found by reading the change. They run nothing: see the other checks."
      : "No QA Engineer of MAGIS has read this change.",
    pullRequest && `${webLink(`Pull request #${pullRequest.number}`, pullRequest.url)} tells the rest.`,
  ];
  return {
    ...ended,
    conclusion: faults.length === 0 ? "success" : "neutral",
    title: `${what}: ${faults.join(", ") || "reviewed, no open comment"}`,
    summary: summary.filter((part) => part).join(" "),
  };
}

function faultsOf(open: number, outcomes: readonly TaskOutcome[]): string[] {
  const failed = outcomes.filter(({ status }) => status === "failed").length;
  const changed = outcomes.filter(({ status }) => status === "approved" || status === "open");
  const unseen = changed.filter((outcome) => !wasReviewed(outcome)).length;
  const faults = [
    open > 0 && (open === 1 ? "one review comment is open" : `${open} review comments are open`),
    failed > 0 && (failed === 1 ? "one task failed" : `${failed} tasks failed`),
    unseen > 0 && (unseen === changed.length ? "not reviewed" : "not all of it was reviewed"),
  ];
  return faults.filter((part) => part !== false);
}
