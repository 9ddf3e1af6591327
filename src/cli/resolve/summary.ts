import type { Plan, Task } from "../../model/plan.ts";
import type { RunResult } from "../../model/run-state.ts";
import { formatSpend, NO_SPEND } from "../../model/spend.ts";
import type { QaComment, TaskOutcome } from "../../model/work.ts";
import type { RunReport } from "../../ports/runs.ts";
import { endOfRun } from "../../report/end-of-run.ts";
import type { ExitCode } from "../cli-command.ts";
import { terminalText } from "../terminal-text.ts";
import type { ResolveAnswer } from "./args.ts";

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

/** What `--json` prints: one object with everything that a program may want to know of the end. */
export function answerJson({ result, report, patch, title, description, notes }: ResolveAnswer): string {
  const { judged, tasks, outcomes, openComments } = readRecord(report);
  const { kind, ...details } = result;
  const object = {
    ...{ kind, exitCode: exitCodeOf(result), id: report.id, repository: report.repository },
    ...(report.number !== undefined && { number: report.number }),
    ...{ issue: report.title, ...details },
    ...(title !== undefined && { title }),
    ...(description !== undefined && { description }),
    patch: Buffer.from(patch).toString("utf8"),
    tasks: tasks.map((task) => {
      const outcome = outcomes.find(({ taskId }) => taskId === task.id);
      const { id, path, action, title: what, description: words } = task;
      const told = { id, path, action, title: what, description: words };
      if (!outcome) return { ...told, status: "waiting" };
      const rounds = outcome.attempts.filter(({ rejected }) => rejected === undefined).length;
      return { ...told, status: outcome.status, rounds, summary: outcome.summary };
    }),
    openComments: openComments.map(({ taskId, path, line, body }) => ({ taskId, path, ...(line && { line }), body })),
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
  "budget-reached": 4,
  cancelled: 130,
};

/** The exit code that tells how a run ended. */
export const exitCodeOf = ({ kind }: Pick<RunResult, "kind">): ExitCode => CODES[kind];

/** A file that was looked at, as the record keeps it. */
interface Judged {
  readonly path: string;
  readonly score: number;
  readonly reasons: readonly string[];
  readonly relevant: boolean;
  readonly reason: string;
}

/** The parts of a run's record that its end is told by; of a run of this very process, so that their form is known. */
function readRecord({ record }: Pick<RunReport, "record">): {
  readonly judged: readonly Judged[];
  readonly tasks: readonly Task[];
  readonly outcomes: readonly TaskOutcome[];
  readonly openComments: readonly QaComment[];
} {
  const { candidates, plan, work } = record as {
    readonly candidates?: { readonly judged: readonly Judged[] };
    readonly plan?: Plan;
    readonly work?: { readonly outcomes: readonly TaskOutcome[] };
  };
  const outcomes = work?.outcomes ?? [];
  const openComments = outcomes.flatMap(({ comments }) => comments).filter(({ status }) => status === "open");
  return { judged: candidates?.judged ?? [], tasks: plan?.tasks ?? [], outcomes, openComments };
}
