import { writeCode } from "../../../src/agents/phases.ts";
import type { PlanNode, Task } from "../../../src/data/plan.ts";
import type { RunSettings } from "../../../src/data/settings.ts";
import type { FakeScript } from "../../fakes/create-fake-model.ts";
import { PAPER } from "../../fakes/sample-settings.ts";
import { sampleTask } from "../../fakes/sample-task.ts";
import { openWorkshop } from "../../workflow/open-workshop.ts";
import { planOf } from "../../workflow/plan-of.ts";

const FILES = { "a.txt": "one\ntwo\nthree\n", "b.txt": "b\n", "c.txt": "c\n", "d.txt": "d\n" };

/** The paper's coding phase on four small files, and the answers that its tests need most. */
export const coding = {
  approve: { comments: [], settled: [], verdict: "Good.", approved: true },
  comment: (body: string, line: number | null = 1) => ({
    comments: [{ line, body }],
    settled: [],
    verdict: "Not yet.",
    approved: false,
  }),
  located: (start: number, end: number, replies: readonly object[] = []) => ({
    intervals: [{ start, end, change: "New words." }],
    summary: "It says something else.",
    replies,
  }),
  task: (id: string, path: string, action: Task["action"] = "modify") =>
    sampleTask({ id, path, action, title: `Change ${path}`, description: `Change ${path}.` }),
  async run(
    script: FakeScript = {},
    tasks: readonly Task[] = [coding.task("t1", "a.txt")],
    order?: PlanNode,
    settings: Partial<RunSettings> = {},
    agreed = "",
    files: Readonly<Record<string, string>> = {},
  ) {
    const shop = await openWorkshop({ files: { ...FILES, ...files }, script, settings: { ...PAPER, ...settings } });
    const work = await writeCode({ ...shop.tools, plan: { ...planOf(tasks, order), agreed } });
    return { ...shop, work, outcome: work.outcomes[0] };
  },
};
