import { hasChange, type TaskOutcome, wasReviewed } from "../data/work.ts";
import { plain, webLink } from "../text/compose-markdown.ts";
import { counted, ended } from "../text/counted.ts";
import { openCommentsWords } from "./end-of-run.ts";

/** The app's check run on one of its own commits. */
export interface CommitReport {
  /** the commit's occasion, e.g. `For #7` */
  what: string;
  /** absent while the work goes on */
  end?: CommitEnd;
  pullRequest?: { number: number; url: string };
  /** address of the run's page on the dashboard */
  page?: string | undefined;
}

/** What is known of a commit in the end, and from whom. */
export type CommitEnd = { failed: string } | { outcomes: readonly TaskOutcome[]; openComments: number } | MergeEnd;

/** A merge of the base: agents resolved so many conflicts, and so many files were taken as they are on the base. */
interface MergeEnd {
  resolved: number;
  taken: number;
}

/** The parts of a check run, as in the host's port. */
export interface CheckRunText {
  name: string;
  status: "in_progress" | "completed";
  conclusion?: "success" | "neutral";
  title: string;
  summary: string;
  /** where its details are */
  page?: string | undefined;
}

/** The check run's name on every commit of the app. */
export const CHECK_NAME = "MAGIS";

/**
 * The app's check run on its own commit: the verdict of its QA Engineers, nothing else. Success means that they
 * reviewed the whole change and have no objections. Otherwise it is neutral, which blocks nobody.
 */
export function checkReport({ what, end, pullRequest, page }: CommitReport): CheckRunText {
  if (end === undefined)
    return {
      name: CHECK_NAME,
      status: "in_progress",
      title: `${what}: in progress`,
      summary: "MAGIS is still at work.",
      page,
    };
  const { approved = false, title, summary } = verdictOf(end);
  const rest = pullRequest && `${webLink(`Pull request #${pullRequest.number}`, pullRequest.url)} tells the rest.`;
  return {
    name: CHECK_NAME,
    status: "completed",
    page,
    conclusion: approved ? "success" : "neutral",
    title: `${what}: ${title}`,
    summary: [summary, rest].filter((part) => part).join(" "),
  };
}

interface Verdict {
  approved?: boolean;
  title: string;
  summary: string;
}

function verdictOf(end: CommitEnd): Verdict {
  if ("failed" in end) return { title: "not finished", summary: ended(plain(end.failed)) };
  if ("resolved" in end) return mergeVerdict(end);
  const { outcomes, openComments } = end;
  const faults = faultsOf(openComments, outcomes);
  return {
    approved: faults.length === 0,
    title: faults.join(", ") || "reviewed, no open comment",
    summary: outcomes.some(wasReviewed)
      ? "This is what MAGIS's QA Engineers found by reading the change. They run nothing."
      : "No QA Engineer of MAGIS has read this change.",
  };
}

/** Nobody gives a verdict on the whole of a merge, so it is never a success. */
function mergeVerdict({ resolved, taken }: MergeEnd): Verdict {
  if (resolved > 0) {
    const conflicts = counted(resolved, "conflict");
    const each = resolved === 1 ? "at it" : "at each";
    return {
      title: `${conflicts} resolved, for you to review`,
      summary: `A Developer of MAGIS resolved ${conflicts}, and a QA Engineer looked ${each}. They run nothing.`,
    };
  }
  if (taken > 0) {
    const files = counted(taken, "generated file");
    return {
      title: `${files} to generate again`,
      summary: `Both sides had changed ${files}; this merge took the base's version. Nobody looked at it.`,
    };
  }
  return {
    title: "merged without a conflict",
    summary: "The two sides changed different lines, so nobody needed to look at this merge.",
  };
}

function faultsOf(open: number, outcomes: readonly TaskOutcome[]): string[] {
  const failed = outcomes.filter(({ status }) => status === "failed").length;
  const changed = outcomes.filter(hasChange);
  const seen = changed.filter(wasReviewed).length;
  const faults = [
    open > 0 && openCommentsWords(open),
    failed > 0 && `${counted(failed, "task")} failed`,
    seen === 0 && "not reviewed",
    seen > 0 && seen < changed.length && "not all of it was reviewed",
  ];
  return faults.filter((part) => part !== false);
}
