import { type TaskOutcome, wasReviewed } from "../model/work.ts";
import { plain, webLink } from "../text/compose-markdown.ts";

/** What the app's check run says about one commit of its own. */
export interface CommitReport {
  /** how the commit came about, e.g. `For #7` */
  readonly what: string;
  /** none while the work goes on */
  readonly end?: { readonly openComments: number } | { readonly failed: string };
  readonly outcomes: readonly TaskOutcome[];
  readonly pullRequest?: { readonly number: number; readonly url: string };
}

/** The parts of a check run, as the host's port takes them. */
export interface CheckRunText {
  readonly name: string;
  readonly status: "in_progress" | "completed";
  readonly conclusion?: "success" | "neutral";
  readonly title: string;
  readonly summary: string;
}

/** Of the check run, on every commit that the app makes. */
export const CHECK_NAME = "MAGIS";

/**
 * The app's check run on a commit of its own: the word of its QA Engineers and nothing else. It never says more than is
 * known: success means that they have reviewed all of the change and have nothing against it; else it is neutral, so that
 * it stands in nobody's way.
 */
export function checkReport({ what, end, outcomes, pullRequest }: CommitReport): CheckRunText {
  if (end === undefined)
    return {
      name: CHECK_NAME,
      status: "in_progress",
      title: `${what}: in progress`,
      summary: "MAGIS is still at work.",
    };
  const ended = { name: CHECK_NAME, status: "completed" } as const;
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
