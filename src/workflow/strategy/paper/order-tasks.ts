import type { Manager } from "../../../llm/manager.ts";
import { isMagisError } from "../../../model/magis-error.ts";
import type { Plan, Task } from "../../../model/task.ts";
import { parsePlan } from "../../change/parse-plan.ts";
import { sequencePlan } from "../../change/sequence-plan.ts";

/**
 * P7: the main work plan as code, parsed and never evaluated. A wrong one goes back once with the reason; after that, and
 * when the model declines, the tasks run one after the other, and the plan says why. One task needs no plan.
 */
export async function orderTasks(deps: {
  readonly manager: Manager;
  readonly tasks: readonly Task[];
  readonly agreed: string;
}): Promise<Pick<Plan, "order" | "source" | "fallback">> {
  const { manager, tasks, agreed } = deps;
  const inSequence = { order: sequencePlan(tasks), source: tasks.map(({ id }) => `run("${id}");`).join("\n") };
  if (tasks.length < 2) return inSequence;
  const fault = (source: string) => {
    const parsed = parsePlan(source, tasks);
    return "reason" in parsed ? parsed.reason : undefined;
  };
  try {
    const source = await manager.writePlan({ tasks, agreed, finished: [] }, fault);
    const parsed = parsePlan(source, tasks);
    return "order" in parsed ? { order: parsed.order, source: source.trim() } : inSequence;
  } catch (error) {
    if (!isMagisError(error, "ANSWER_INVALID", "MODEL_REFUSED", "MODEL_CUT_OFF")) throw error;
    return { ...inSequence, fallback: error.message.split("\n")[0] ?? "" };
  }
}
