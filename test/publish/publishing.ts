import { writeCode } from "../../src/agents/phases.ts";
import type { MadePlan } from "../../src/data/plan.ts";
import type { Work } from "../../src/data/work.ts";
import { publishChange } from "../../src/publish/publish-change.ts";
import type { FakeFiles } from "../fakes/create-fake-host.ts";
import type { FakeScript } from "../fakes/create-fake-model.ts";
import { PAPER } from "../fakes/sample-settings.ts";
import { sampleTask } from "../fakes/sample-task.ts";
import { openWorkshop } from "../workflow/open-workshop.ts";
import { planOf } from "../workflow/plan-of.ts";

const REVIEWS = [
  { comments: [{ line: 1, body: "The wrong word." }], settled: [], verdict: "Not yet.", approved: false },
  {
    comments: [{ line: null, body: "The whole file needs a heading." }],
    settled: ["t1-r1-1"],
    verdict: "Better.",
    approved: false,
  },
  { comments: [], settled: [], verdict: "No better.", approved: false },
];

/**
 * A coded change of two files, ready to publish: the first has a settled and an open comment, the second was approved
 * at once. Each call of `publish` publishes it on the same host.
 */
export async function publishing({ script = {}, files = {} }: { script?: FakeScript; files?: FakeFiles } = {}) {
  let reviewed = 0;
  const shop = await openWorkshop({
    settings: PAPER,
    files: { "a.txt": "one\ntwo\n", "b.txt": "b\n", ...files },
    script: {
      "p11-review-change": ({ text }) =>
        (text.includes("task t1 (") && REVIEWS[reviewed++]) || {
          comments: [],
          settled: [],
          verdict: "Good.",
          approved: true,
        },
      ...script,
    },
  });
  const plan = planOf([sampleTask({ path: "a.txt" }), sampleTask({ id: "t2", path: "b.txt", title: "Change b" })]);
  const work = await writeCode({ ...shop.tools, plan });
  const publish = (planned: Partial<MadePlan> = {}, onto?: string, coded: Work = work) => {
    const settings = { ...shop.tools.settings, baseBranch: onto };
    const base = { ...shop.base, branch: onto ?? shop.base.branch };
    const tools = { ...shop.tools, settings, base, repository: shop.openRepository() };
    return publishChange({ ...tools, plan: { ...plan, ...planned }, work: coded });
  };
  return { ...shop, plan, work, publish };
}
