import type { PhaseState } from "../model/run-state.ts";
import { formatMoney, formatSpend, type Spend } from "../model/spend.ts";
import type { TaskOutcome } from "../model/work.ts";
import { codeSpan, plain } from "../text/compose-markdown.ts";

/** What the app's check run says about one commit of its own. */
export interface CommitReport {
  /** how the commit came about, e.g. `Resolves #7` */
  readonly what: string;
  /** none while the work goes on */
  readonly end?: { readonly openComments: number } | { readonly failed: string };
  /** the phases of the run; none for a run that only follows up on a pull request */
  readonly phases: readonly PhaseState[];
  readonly outcomes: readonly TaskOutcome[];
  readonly spend: Spend;
  /** what a command that was run has said of the change, a sentence */
  readonly checked?: string;
  /** what the repository's checks have shown, in Markdown */
  readonly proof?: string;
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

const TASK_WORDS = {
  approved: "approved by QA",
  open: "QA comments are open",
  unchanged: "not changed",
  failed: "**failed**, not changed",
} as const;

/**
 * The app's check run on a commit of its own. It never says more than is known: success means that the QA Engineers have
 * nothing against the change, and the text says that nothing was run; with open comments or failed tasks it is neutral,
 * so that it stands in nobody's way.
 */
export function checkReport(report: CommitReport): CheckRunText {
  const { what, end, spend } = report;
  const summary = summaryOf(report);
  if (end === undefined) return { name: CHECK_NAME, status: "in_progress", title: `${what}: at work`, summary };
  const ended = { name: CHECK_NAME, status: "completed", summary } as const;
  if ("failed" in end) return { ...ended, conclusion: "neutral", title: `${what}: not finished` };
  const failed = report.outcomes.filter(({ status }) => status === "failed").length;
  const open = end.openComments;
  const said = [
    open > 0 && (open === 1 ? "one QA comment is open" : `${open} QA comments are open`),
    failed > 0 && (failed === 1 ? "one task failed" : `${failed} tasks failed`),
  ].filter((part) => part);
  return {
    ...ended,
    conclusion: said.length === 0 ? "success" : "neutral",
    title: `${what}: ${said.join(", ") || "approved by QA"} · ${formatMoney(spend.money)}`,
  };
}

function summaryOf({ end, phases, outcomes, spend, checked, proof, pullRequest }: CommitReport): string {
  const changes = outcomes.map(
    ({ path, status, summary }) => `| ${codeSpan(path)} | ${TASK_WORDS[status]} | ${plain(summary)} |`,
  );
  return [
    end && "failed" in end && plain(end.failed),
    phases.length > 0 && phases.map((phase) => phaseLine(phase, end !== undefined && !("failed" in end))).join("\n"),
    changes.length > 0 && ["| file | state | what changed |", "| --- | --- | --- |", ...changes].join("\n"),
    `**Duration and cost:** ${formatSpend(spend)}.`,
    proof,
    checked
      ? `${plain(checked)} Whatever else this check says, MAGIS's QA Engineers found by reading.`
      : "No test, build or linter was run by MAGIS: this check says only what its QA Engineers found by reading.",
    pullRequest && `[Pull request #${pullRequest.number}](${pullRequest.url}) has the review threads and the details.`,
  ]
    .filter((part) => part)
    .join("\n\n");
}

/** The phase that writes the report is still under way when it says that all is done. */
function phaseLine({ name, status, detail }: PhaseState, ended: boolean): string {
  const done = status === "done" || (ended && status === "working");
  return `- [${done ? "x" : " "}] **${name}**${detail ? `: ${plain(detail)}` : ""}`;
}
