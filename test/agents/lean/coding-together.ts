import { writeCode } from "../../../src/agents/phases.ts";
import type { PlanNode, Task } from "../../../src/data/plan.ts";
import type { RunSettings } from "../../../src/data/settings.ts";
import type { FakeScript } from "../../fakes/create-fake-model.ts";
import { sampleTask } from "../../fakes/sample-task.ts";
import { openWorkshop } from "../../workflow/open-workshop.ts";
import { planOf } from "../../workflow/plan-of.ts";

const FILES = {
  "a.js": "export function one() {\n  return 1;\n}\n",
  "b.js": "import { one } from './a.js';\none();\n",
  "test/a.test.js": "test();\n",
  "rows.txt": "12|thirteen\n",
  "twice.txt": Array.from({ length: 16 }, (_, at) => (at === 2 || at === 8 ? "row of two\n" : `row ${at}\n`)).join(""),
};
const QA = { title: "QA for it", description: "Looks closely." };
const edit = (start: number, end: number, text: string, anchor = "") => ({ start, end, anchor, text });
const change = (edits: readonly object[], changes: object = {}) => ({
  edits,
  summary: "It gives two.",
  replies: [],
  qaEngineer: QA,
  ...changes,
});
const review = ({ comments = [], ...changes }: { comments?: readonly object[]; [name: string]: unknown } = {}) => ({
  missing: [],
  settled: [],
  unfollowed: [],
  verdict: "Good.",
  approved: true,
  ...changes,
  comments: comments.map((comment) => ({ edits: [], ...comment })),
});
const task = (id: string, path: string, action: Task["action"] = "modify") =>
  sampleTask({ id, path, action, title: `Change ${path}`, description: `Change ${path}.` });
const TWO = change([edit(2, 2, "  return 2;", "return 1;")]);

async function run(
  script: FakeScript,
  tasks: readonly Task[] = [task("t1", "a.js")],
  { order, ...settings }: { order?: PlanNode } & Partial<RunSettings> = {},
) {
  const shop = await openWorkshop({
    files: FILES,
    script,
    settings,
  });
  const work = await writeCode({ ...shop.tools, plan: { ...planOf(tasks, order), reason: "It gives one." } });
  return { ...shop, work, outcome: work.outcomes[0] };
}

/** The lean coding phase on two small modules and a test, and the answers that its tests need most. */
export const codingTogether = { run, task, change, edit, review, qaEngineer: QA, two: TWO };
