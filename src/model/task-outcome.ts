import type { Attempt, QaComment } from "./qa-comment.ts";
import type { RoleDescription } from "./task.ts";

/** What came of one task (Algorithm 3). */
export interface TaskOutcome {
  readonly taskId: string;
  readonly path: string;
  /** approved; open comments left after n_max rounds; the Developer changed nothing; no usable change came out */
  readonly status: "approved" | "open" | "unchanged" | "failed";
  readonly qaEngineer: RoleDescription;
  readonly attempts: readonly Attempt[];
  readonly comments: readonly QaComment[];
  /** what changed, in the Developer's words */
  readonly summary: string;
  /** the Developer's answers by the ids of the task's `threads` */
  readonly replies?: Readonly<Record<string, string>>;
}
