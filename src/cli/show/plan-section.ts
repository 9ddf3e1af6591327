import type { PlanNode } from "../../model/plan.ts";
import type { ShownRun } from "../../model/read-record.ts";
import type { RecordedPlan, RecordedTask, RunRecord } from "../../model/run-record.ts";
import { type Block, type Fact, factsOf, joined, listOf, type Part, paragraph, type Section } from "./document.ts";
import { markdownBlocks, markdownWords, titleWords } from "./markdown.ts";

/** The Manager (Algorithm 2): the tasks and who does them, the kick-off meeting, and the order of work. */
export function planSection({ record }: ShownRun): Section | undefined {
  const { plan, tasks: defined } = record;
  const tasks = plan?.tasks.length ? plan.tasks : (defined?.assignments ?? []);
  if (plan === undefined && defined === undefined) return undefined;
  return {
    id: "plan",
    title: "Manager: the plan",
    body: [
      ...(tasks.length === 0 ? [paragraph("No file has to change.", "quiet")] : []),
      ...tasks.map(taskPart),
      ...listOf(
        "Left alone",
        (defined?.refused ?? []).map(({ path, reason }) => `${path}: ${reason}`),
      ),
      ...listOf("Noted, not changed", (plan?.notes ?? []).map(markdownWords)),
      ...(plan ? [...meetingPart(plan), ...orderPart(plan)] : []),
    ],
  };
}

type Defined = RecordedTask | NonNullable<RunRecord["tasks"]>["assignments"][number];

const ACTIONS: ReadonlyMap<string, string> = new Map([
  ["modify", "change"],
  ["create", "create"],
  ["delete", "delete"],
]);

function taskPart({ id = "", path, action, title, description, developer, places = [] }: Defined): Block {
  const seen = places.map(({ path: file, start, end }) => `${file}:${start}-${end}`);
  const rows: readonly Fact[] = [
    ["File", joined([ACTIONS.get(action) ?? action, path], " ")],
    ["Developer", joined([developer?.title, developer?.description], ": ")],
    ["Also shown", seen.join(", ")],
  ];
  return { kind: "part", ...taskTitle({ id, title, path }), body: [...factsOf(rows), ...markdownBlocks(description)] };
}

/** A task by its name; its id stands behind, since agents call it by that. */
export const taskTitle = ({
  id,
  title,
  path,
}: Pick<RecordedTask, "id" | "title" | "path">): Pick<Part, "title" | "note"> => ({
  title: titleWords(title || path),
  note: id,
});

function meetingPart({ meeting, agreed }: RecordedPlan): Block[] {
  const speeches = meeting.map(
    ({ speaker, text }): Block => ({ kind: "quote", who: speaker, body: markdownBlocks(text) }),
  );
  const result: Block[] = agreed === "" ? [] : [{ kind: "quote", who: "Agreed", body: markdownBlocks(agreed) }];
  if (speeches.length === 0 && result.length === 0) return [];
  return [{ kind: "part", title: "Kick-off meeting", body: [...speeches, ...result] }];
}

/** The order of work, where there is more than one task. */
function orderPart({ tasks, order, fallback = "" }: RecordedPlan): Block[] {
  const titleOf = (id: string) => tasks.find((task) => task.id === id)?.title || id;
  const items = planStages(order).map((ids) => [
    paragraph(
      titleWords(ids.map(titleOf).join(ids.length > 2 ? "; " : " and ") + (ids.length > 1 ? ", side by side" : "")),
    ),
  ]);
  const body: Block[] = [
    ...(fallback === "" ? [] : [paragraph(`The Manager's own order was not used: ${fallback}`, "warn")]),
    ...(tasks.length > 1 ? [{ kind: "list", items, first: 1 } as const] : []),
  ];
  return body.length === 0 ? [] : [{ kind: "part", title: "Order of work", body }];
}

/**
 * A plan as stages: the tasks of a stage may run together, and each stage follows the one before. Exact for a sequence of
 * stages; where the branches of a `concurrently` have several steps, a step is shown beside the other branches' step of
 * the same number, although it does not wait for it.
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
