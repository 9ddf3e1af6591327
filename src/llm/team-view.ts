import type { Task } from "../model/task.ts";

/** What every member of the team sees of the others: values of the `team` partial. */
export interface TeamView {
  readonly tasks: readonly Task[];
  /** the meeting's summary, or "" */
  readonly agreed: string;
  /** diffs of the tasks that are finished */
  readonly finished: readonly string[];
}
