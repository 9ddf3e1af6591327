import { formatSpend } from "../../model/format-spend.ts";
import type { QaComment } from "../../model/qa-comment.ts";
import type { RunResult } from "../../model/run-result.ts";
import { NO_SPEND } from "../../model/spend.ts";
import type { TaskOutcome } from "../../model/task-outcome.ts";
import { endOfRun } from "../../report/end-of-run.ts";
import { terminalText } from "../terminal-text.ts";
import { readRecord } from "./read-record.ts";
import type { ResolveAnswer } from "./resolve-args.ts";

const STATUS: Readonly<Record<TaskOutcome["status"], string>> = {
  approved: "approved by QA",
  open: "QA comments are open",
  unchanged: "no change needed",
  failed: "failed",
};

/** The end of a run for people: the plan, each task's verdict, what QA left open, the cost. */
export function summary({ result, report, title, notes }: ResolveAnswer): string {
  const { tasks, outcomes, openComments } = readRecord(report);
  const lines = [
    "",
    endSentence(result),
    ...(title === undefined ? [] : [`Title: ${title}`]),
    ...(tasks.length > 0 ? ["", "Tasks:"] : []),
    ...tasks.flatMap(({ id, path, action, title: what }) => [
      `  ${id} ${action} ${path}: ${what}`,
      ...outcomes.filter(({ taskId }) => taskId === id).map(outcomeLine),
    ]),
    ...(openComments.length > 0 ? ["", "Open QA comments:", ...openComments.map(commentLine)] : []),
    ...(notes.length > 0 ? ["", ...notes] : []),
    "",
    `Cost: ${formatSpend(report.state?.spend ?? NO_SPEND)}.`,
  ];
  return terminalText(lines.join("\n"));
}

function endSentence(result: RunResult): string {
  switch (result.kind) {
    case "published":
      return `Pull request #${result.pullRequest.number} is open: ${result.pullRequest.url}`;
    case "cancelled":
      return ["Interrupted.", ...result.undone.map((what) => `Taken back: ${what}.`)].join(" ");
    case "failed":
      return result.message;
    case "refused":
      return result.reason;
    case "budget-reached":
      return [
        `The run used up its ${{ money: "money", tokens: "tokens", minutes: "time" }[result.limit]} in the phase ${result.phase}.`,
        result.patch === "" ? "No change was finished before that." : "The patch holds only what was finished.",
        ...result.unfinished.map((what) => `\n  Not finished: ${what}`),
      ].join(" ");
    default:
      return endOfRun(result);
  }
}

function outcomeLine({ status, attempts, summary: what }: TaskOutcome): string {
  const rounds = attempts.filter(({ rejected }) => rejected === undefined).length;
  const told = rounds > 1 ? `${STATUS[status]} after ${rounds} rounds` : STATUS[status];
  return `     ${told}. ${what}`;
}

const commentLine = ({ path, line, body }: QaComment) =>
  `  ${path}${line === undefined ? "" : `:${line}`}: ${body.replaceAll("\n", "\n    ")}`;
