import type { CostEstimate } from "./estimate-cost.ts";
import type { PlanNode, Speech, Task } from "./task.ts";

/** A plan as it is put before a person who is to approve it. */
export interface ProposedPlan {
  readonly tasks: readonly Pick<Task, "id" | "path" | "action" | "title" | "description">[];
  readonly order: PlanNode;
  readonly meeting: readonly Speech[];
  readonly estimate: CostEstimate;
  /** the commit that it was made for, 40 hex digits, and its branch */
  readonly base: { readonly branch: string; readonly commit: string };
}
