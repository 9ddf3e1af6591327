import type { PlanNode } from "../../model/plan.ts";
import type { ShownRun } from "../../model/read-record.ts";
import type { RecordedPlan, RecordedTask, RunRecord } from "../../model/run-record.ts";
import type { Block, Section } from "./block.ts";

/** The Manager (Algorithm 2): the tasks and who is to do them, the kick-off meeting, the plan as code and as stages. */
export function planSection({ record }: ShownRun): Section {
  const frame = { id: "plan", title: "Manager: the plan" };
  const { plan, tasks: defined } = record;
  const tasks = plan?.tasks.length ? plan.tasks : (defined?.assignments ?? []);
  if (plan === undefined && tasks.length === 0) {
    return { ...frame, body: [{ kind: "text", text: "No plan was made.", tone: "quiet" }] };
  }
  const { type, title, problem = "" } = plan?.description ?? {};
  const rows = [
    ["title", [type, title].filter((word) => word).join(": ")],
    ["problem", problem],
    ["cause", (plan?.reason || defined?.reason) ?? ""],
  ] as const;
  return {
    ...frame,
    body: [
      { kind: "facts", rows: rows.filter(([, value]) => value !== "") },
      ...(tasks.length === 0
        ? [{ kind: "text", text: "No file has to change.", tone: "quiet" } as const]
        : tasks.map(task)),
      ...group(
        "Left alone",
        (defined?.refused ?? []).map(({ path, reason }) => ({ kind: "text", text: `${path}: ${reason}` })),
      ),
      ...(plan ? [...meeting(plan), ...order(plan)] : []),
    ],
  };
}

type Defined = RecordedTask | NonNullable<RunRecord["tasks"]>["assignments"][number];

function task({ id = "", path, action, title, description, developer, places = [] }: Defined): Block {
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
      { kind: "markdown", text: description },
    ],
  };
}

function meeting({ meeting: speeches, agreed }: RecordedPlan): Block[] {
  const said = speeches.map(({ speaker, text }): Block => ({ kind: "said", who: speaker, text, markdown: true }));
  const result: Block[] = agreed === "" ? [] : [{ kind: "said", who: "Agreed", text: agreed, markdown: true }];
  return group(said.length > 0 ? "Kick-off meeting" : "Agreed on", [...said, ...result]);
}

function order(plan: RecordedPlan): Block[] {
  const { fallback = "" } = plan;
  const lines = planStages(plan.order).map((ids, at) => `stage ${at + 1}: ${ids.join(", ")}`);
  return group("Order of work", [
    ...(fallback === ""
      ? []
      : [{ kind: "text", text: `The Manager's own order was not used: ${fallback}`, tone: "warn" } as const]),
    ...(lines.length === 0 ? [] : [{ kind: "list", items: lines } as const]),
    ...(plan.source === "" ? [] : [{ kind: "code", text: plan.source } as const]),
  ]);
}

const group = (title: string, body: readonly Block[]): Block[] =>
  body.length === 0 ? [] : [{ kind: "group", title, body }];

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
