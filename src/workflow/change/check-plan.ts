import type { PlanNode, Task } from "../../model/task.ts";
import { taskIds } from "./task-ids.ts";

type Paths = ReadonlyMap<string, string>;

/**
 * What is wrong with an order of tasks, in words that the Manager can act on; undefined when each task is there
 * exactly once and no two that write the same file could run at the same time.
 */
export function checkPlan(order: PlanNode, tasks: readonly Pick<Task, "id" | "path">[]): string | undefined {
  const paths: Paths = new Map(tasks.map(({ id, path }) => [id, path]));
  const written = taskIds(order);
  const faults: string[] = [];
  const unknown = unique(written.filter((id) => !paths.has(id)));
  if (unknown.length > 0) faults.push(`There is no task ${list(unknown)}.`);
  const repeated = unique(written.filter((id, index) => written.indexOf(id) !== index && paths.has(id)));
  if (repeated.length > 0) faults.push(`Run more than once: ${list(repeated)}.`);
  const missing = [...paths.keys()].filter((id) => !written.includes(id));
  if (missing.length > 0) faults.push(`Missing: ${list(missing)}.`);
  if (faults.length > 0) return `${faults.join(" ")} Run each task exactly once: ${list([...paths.keys()])}.`;
  const clash = clashIn(order, paths);
  if (clash === undefined) return undefined;
  const [one, other] = clash;
  return `Tasks ${one} and ${other} both change ${paths.get(one)} and must not run concurrently: put one after the other.`;
}

/** The first two tasks in different branches of one `concurrently` that write the same file. */
function clashIn(node: PlanNode, paths: Paths): [string, string] | undefined {
  if ("run" in node) return undefined;
  const branches = "sequence" in node ? node.sequence : node.concurrently;
  if ("concurrently" in node) {
    const writers = new Map<string | undefined, { id: string; branch: PlanNode }>();
    for (const branch of branches) {
      for (const id of taskIds(branch)) {
        const writer = writers.get(paths.get(id));
        if (writer !== undefined && writer.branch !== branch) return [writer.id, id];
        writers.set(paths.get(id), { id, branch });
      }
    }
  }
  for (const branch of branches) {
    const clash = clashIn(branch, paths);
    if (clash !== undefined) return clash;
  }
  return undefined;
}

function unique(ids: readonly string[]): string[] {
  return [...new Set(ids)];
}

function list(ids: readonly string[]): string {
  return ids.slice(0, 20).join(", ") + (ids.length > 20 ? ", …" : "");
}
