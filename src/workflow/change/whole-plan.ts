import type { Plan } from "../../model/task.ts";
import type { Work } from "../run/coding.ts";

/** The plan with the tasks that were added while it was carried out. */
export function wholePlan<P extends Plan>(plan: P, { added = [] }: Pick<Work, "added">): P {
  return added.length === 0 ? plan : { ...plan, tasks: [...plan.tasks, ...added] };
}
