import { NO_SPEND } from "../../model/spend.ts";
import { exitCodeOf } from "./exit-code-of.ts";
import { readRecord } from "./read-record.ts";
import type { ResolveAnswer } from "./resolve-args.ts";

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
