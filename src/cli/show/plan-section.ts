import type { PlanNode } from "../../model/plan.ts";
import { planShape, readPart, type ShownRun, type ShownTask, tasksShape } from "../../model/run-record.ts";
import type { Block, Section } from "./block.ts";

/** The Manager (Algorithm 2): the tasks and who is to do them, the kick-off meeting, the plan as code and as stages. */
export function planSection({ record }: ShownRun): Section {
  const frame = { id: "plan", title: "Manager: the plan" };
  const plan = readPart(planShape, record.plan);
  const defined = readPart(tasksShape, record.tasks);
  const tasks = plan.tasks.length > 0 ? plan.tasks : defined.assignments;
  if (record.plan === undefined && tasks.length === 0) {
    return { ...frame, body: [{ kind: "text", text: "No plan was made.", tone: "quiet" }] };
  }
  const words = [
    ["title", [plan.words?.type, plan.words?.title].filter((word) => word).join(": ")],
    ["problem", plan.words?.problem ?? ""],
    ["cause", plan.reason || defined.reason],
  ] as const;
  return {
    ...frame,
    body: [
      { kind: "facts", rows: words.filter(([, value]) => value !== "") },
      ...(tasks.length === 0
        ? [{ kind: "text", text: "No file has to change.", tone: "quiet" } as const]
        : tasks.map(task)),
      ...group(
        "Left alone",
        defined.refused.map(({ path, reason }) => ({ kind: "text", text: `${path}: ${reason}` })),
      ),
      ...meeting(plan),
      ...order(plan),
    ],
  };
}

function task({ id, path, action, title, description, developer, places }: ShownTask): Block {
  const seen = places.map(({ path: file, start, end }) => `${file}:${start}-${end}`).join(", ");
  const rows = [
    ["file", [action, path].filter((word) => word !== "").join(" ")],
    ["Developer", [developer?.title, developer?.description].filter((word) => word).join(": ")],
    ["is shown", seen],
  ] as const;
  return {
    ...{ kind: "group", title: [id, title].filter((word) => word !== "").join(": ") },
    body: [
      { kind: "facts", rows: rows.filter(([, value]) => value !== "") },
      { kind: "text", text: description },
    ],
  };
}

function meeting({
  meeting: speeches,
  agreed,
}: {
  meeting: { speaker: string; text: string }[];
  agreed: string;
}): Block[] {
  const said = speeches.map(({ speaker, text }): Block => ({ kind: "said", who: speaker, text }));
  const result: Block[] = agreed === "" ? [] : [{ kind: "said", who: "Agreed", text: agreed }];
  return group(said.length > 0 ? "Kick-off meeting" : "Agreed on", [...said, ...result]);
}

function order(plan: { order?: unknown; source: string; fallback: string }): Block[] {
  const stages = isPlanNode(plan.order) ? planStages(plan.order) : [];
  const lines = stages.map((ids, at) => `stage ${at + 1}: ${ids.join(", ")}`);
  return group("Order of work", [
    ...(plan.fallback === ""
      ? []
      : [{ kind: "text", text: `The Manager's own order was not used: ${plan.fallback}`, tone: "warn" } as const]),
    ...(lines.length === 0 ? [] : [{ kind: "list", items: lines } as const]),
    ...(plan.source === "" ? [] : [{ kind: "code", text: plan.source } as const]),
  ]);
}

const group = (title: string, body: readonly Block[]): Block[] =>
  body.length === 0 ? [] : [{ kind: "group", title, body }];

/** No plan that we write is nested deeper. */
const MAX_DEPTH = 100;

/** Whether a kept value is an order of tasks, all the way down. */
function isPlanNode(value: unknown, depth = 0): value is PlanNode {
  if (typeof value !== "object" || value === null || depth > MAX_DEPTH) return false;
  const { run, sequence, concurrently } = value as Partial<Record<"run" | "sequence" | "concurrently", unknown>>;
  if (typeof run === "string") return true;
  const branches = sequence ?? concurrently;
  return Array.isArray(branches) && branches.every((branch) => isPlanNode(branch, depth + 1));
}

/**
 * A plan as stages, for showing: the ids of a stage may run together, and each stage follows the one before. Exact for
 * a sequence of stages; where the branches of a `concurrently` have several steps, a step is shown beside the other
 * branches' step of the same number, although it does not wait for it.
 */
export function planStages(node: PlanNode): string[][] {
  if ("run" in node) return [[node.run]];
  if ("sequence" in node) return node.sequence.flatMap(planStages);
  const stages: string[][] = [];
  for (const branch of node.concurrently) {
    for (const [index, ids] of planStages(branch).entries()) stages[index] = [...(stages[index] ?? []), ...ids];
  }
  return stages;
}
