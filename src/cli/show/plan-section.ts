import { readPart } from "../../model/read-part.ts";
import { planShape, type ShownTask, tasksShape } from "../../model/record-shapes.ts";
import type { ShownRun } from "../../model/run-shape.ts";
import type { Block, Section } from "./block.ts";
import { isPlanNode } from "./is-plan-node.ts";
import { planStages } from "./plan-stages.ts";

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
  return group("AdmissionDecision of work", [
    ...(plan.fallback === ""
      ? []
      : [{ kind: "text", text: `The Manager's own order was not used: ${plan.fallback}`, tone: "warn" } as const]),
    ...(lines.length === 0 ? [] : [{ kind: "list", items: lines } as const]),
    ...(plan.source === "" ? [] : [{ kind: "code", text: plan.source } as const]),
  ]);
}

const group = (title: string, body: readonly Block[]): Block[] =>
  body.length === 0 ? [] : [{ kind: "group", title, body }];
