import type { QaComment } from "../../model/qa-comment.ts";
import type { Plan, Task } from "../../model/task.ts";
import type { TaskOutcome } from "../../model/task-outcome.ts";
import type { RunReport } from "../../ports/run-report.ts";

/** A file that was looked at, as the record keeps it. */
interface Judged {
  readonly path: string;
  readonly score: number;
  readonly reasons: readonly string[];
  readonly relevant: boolean;
  readonly reason: string;
}

/** The parts of a run's record that its end is told by; of a run of this very process, so that their form is known. */
export function readRecord({ record }: Pick<RunReport, "record">): {
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
