import { readRecord } from "../../data/read-record.ts";
import type { RunResult } from "../../data/run-state.ts";
import { formatSpend, NO_SPEND } from "../../data/spend.ts";
import type { QaComment, TaskOutcome } from "../../data/work.ts";
import { endOfRun } from "../../report/end-of-run.ts";
import type { RunReport } from "../../run/runs.ts";
import { terminalText } from "../../text/strip-escapes.ts";
import type { ExitCode } from "../cli-command.ts";
import type { ResolveAnswer } from "./args.ts";

const STATUS: Readonly<Record<string, string>> = {
  approved: "approved by QA",
  mended: "mended by QA, not reviewed since",
  open: "QA comments are open",
  unchanged: "no change needed",
  failed: "failed",
};

/** The end of a run for people: the plan, each task's verdict, QA's open comments, the cost. */
export function summary({ result, report, title, notes }: ResolveAnswer): string {
  const { tasks, outcomes, openComments } = endParts(report);
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
      return ["Cancelled.", ...result.undone.map((what) => `Taken back: ${what}.`)].join(" ");
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
  const word = (Object.hasOwn(STATUS, status) ? STATUS[status] : undefined) ?? status;
  const verdict = rounds > 1 ? `${word} after ${rounds} rounds` : word;
  return `     ${verdict}. ${what}`;
}

const commentLine = ({ path, line, body }: QaComment) =>
  `  ${path}${line === undefined ? "" : `:${line}`}: ${body.replaceAll("\n", "\n    ")}`;

/** The output of `--json`: one object with everything a program may want to know about the end. */
export function answerJson({ result, report, patch, title, description, notes }: ResolveAnswer): string {
  const { judged, tasks, outcomes, openComments } = endParts(report);
  const { kind, ...details } = result;
  const object = {
    kind,
    exitCode: exitCodeOf({ result, report }),
    id: report.id,
    repository: report.repository,
    number: report.number,
    issue: report.title,
    ...details,
    title,
    description,
    patch: Buffer.from(patch).toString("utf8"),
    tasks: tasks.map((task) => {
      const outcome = outcomes.find(({ taskId }) => taskId === task.id);
      const { id, path, action, title: what, description } = task;
      const shown = { id, path, action, title: what, description };
      if (!outcome) return { ...shown, status: "waiting" };
      const rounds = outcome.attempts.filter(({ rejected }) => rejected === undefined).length;
      return { ...shown, status: outcome.status, rounds, summary: outcome.summary };
    }),
    openComments: openComments.map(({ taskId, path, line, body }) => ({ taskId, path, line, body })),
    candidates: judged.map(({ path, score, reasons, relevant, reason }) => ({
      path,
      score,
      reasons,
      relevant,
      reason,
    })),
    spend: report.state?.spend ?? NO_SPEND,
    notes,
  };
  return `${JSON.stringify(object, undefined, 2)}\n`;
}

const CODES: Readonly<Record<RunResult["kind"], ExitCode>> = {
  published: 0,
  "dry-run": 0,
  "awaiting-approval": 0,
  failed: 1,
  refused: 1,
  "nothing-to-change": 3,
  "gave-up": 3,
  asked: 3,
  "budget-reached": 4,
  cancelled: 130,
};

/** Ends whose exit code depends on the check: 5 when it fails, 6 when it could prove nothing. */
const CHECKED: ReadonlySet<RunResult["kind"]> = new Set(["dry-run", "published", "refused"]);

/** The exit code for a run's end. */
export function exitCodeOf({ result, report }: Pick<ResolveAnswer, "result" | "report">): ExitCode {
  const { check } = readRecord(report.record);
  if (!check || !CHECKED.has(result.kind) || check.end === "green") return CODES[result.kind];
  return check.end === "red" ? 5 : 6;
}

/** The parts of a run's record that the summary needs. */
function endParts({ record }: RunReport) {
  const { candidates, plan, work } = readRecord(record);
  const outcomes = work?.outcomes ?? [];
  const openComments = outcomes.flatMap(({ comments }) => comments).filter(({ status }) => status === "open");
  const tasks = [...(plan?.tasks ?? []), ...(work?.added ?? [])];
  return { judged: candidates?.judged ?? [], tasks, outcomes, openComments };
}
