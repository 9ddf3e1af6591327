import type { MadePlan, Task } from "../../data/plan.ts";
import type { ShownRun } from "../../data/read-record.ts";
import type { RunRecord } from "../../data/run-record.ts";
import { orderSentence } from "../pull-request-body.ts";
import {
  type Element,
  type Fact,
  factsOf,
  type Heading,
  joined,
  listOf,
  paragraph,
  part,
  quote,
  type Section,
} from "./document.ts";
import { markdownNodes, markdownWords, titleWords } from "./markdown.ts";

/** The Manager (Algorithm 2): the tasks and their Developers, the kick-off meeting, and the order of work. */
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

type Defined = Task | NonNullable<RunRecord["tasks"]>["assignments"][number];

const ACTIONS: ReadonlyMap<string, string> = new Map([
  ["modify", "change"],
  ["create", "create"],
  ["delete", "delete"],
]);

function taskPart({ id = "", path, action, title, description, developer, places = [] }: Defined): Element {
  const seen = places.map(({ path: file, start, end }) => `${file}:${start}-${end}`);
  const rows: readonly Fact[] = [
    ["File", joined([ACTIONS.get(action) ?? action, path], " ")],
    ["Role", joined([developer?.title, developer?.description], ": ")],
    ["Also shown", seen.join(", ")],
  ];
  return part(taskHeading({ id, title, path }), [...factsOf(rows), ...markdownNodes(description)]);
}

/** A task's name, followed by its id, which is what agents use. */
export const taskHeading = ({ id, title, path }: Pick<Task, "id" | "title" | "path">): Heading => ({
  title: titleWords(title || path),
  note: id,
});

function meetingPart({ meeting, agreed }: MadePlan): Element[] {
  const said = meeting.map(({ speaker, text }) => quote(speaker, markdownNodes(text)));
  if (agreed !== "") said.push(quote("Agreed", markdownNodes(agreed)));
  return said.length === 0 ? [] : [part({ title: "Kick-off meeting" }, said)];
}

/** The order of work, when there is more than one task. */
function orderPart({ tasks, order, fallback = "" }: MadePlan): Element[] {
  const body: Element[] = [];
  if (fallback !== "") body.push(paragraph(`The Manager's own order was not used: ${fallback}`, "warn"));
  if (tasks.length > 1) body.push(paragraph(`${orderSentence(order, (id) => id)}.`));
  return body.length === 0 ? [] : [part({ title: "Order of work" }, body)];
}
