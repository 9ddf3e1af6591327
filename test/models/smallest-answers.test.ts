import { describe, expect, it } from "@jest/globals";
import { createJudge } from "../../eval/evaluation/judge.ts";
import { createLeanCustodian } from "../../src/agents/lean/agents.ts";
import {
  createPaperCustodian,
  createPaperDeveloper,
  createPaperManager,
  createPaperQaEngineer,
} from "../../src/agents/paper/agents.ts";
import { makePlan, writeCode } from "../../src/agents/phases.ts";
import { createManager, judgePolicy } from "../../src/models/agents.ts";
import type { ModelRequest } from "../../src/models/language-model.ts";
import { createMergeAgents } from "../../src/models/merge-agents.ts";
import type { PromptRunner } from "../../src/models/prompt-runner.ts";
import { openPrompts } from "../fakes/open-prompts.ts";
import { sampleIssue } from "../fakes/sample-issue.ts";
import { sampleTask } from "../fakes/sample-task.ts";
import { schemaFault } from "../scripted-model/create-answerer.ts";
import { openWorkshop } from "../workflow/open-workshop.ts";

const ISSUE = sampleIssue();
const TASK = sampleTask();
const TEAM = { tasks: [TASK], agreed: "", finished: [] };
const WORK = { issue: ISSUE, task: TASK, team: TEAM, previous: null };
const PATH = "src/a.js";
const FILE = { path: PATH, content: "1|a();\n" };
const EDIT = { start: 1, end: 1, text: "b();\n" };
const LINE = { ...EDIT, anchor: "a();" };
const MERGE = { issue: ISSUE, ours: "a", theirs: "b", change: "" };
const PLACE = { id: "1", path: PATH, base: "a();\n", ours: "a();\n", theirs: "b();\n", before: "", after: "" };
const EVERYTHING_FITS = () => undefined;

type Ask = (prompts: PromptRunner) => Promise<unknown>;

const review: Ask = (prompts) =>
  createPaperQaEngineer(prompts).review({
    issue: ISSUE,
    task: TASK,
    team: TEAM,
    qaEngineer: { title: "QA", description: "" },
    round: 1,
    lastRound: 3,
    diff: "",
    excerpt: "",
    lineCount: 1,
    earlier: [],
  });
const describeDeveloper: Ask = (prompts) => createManager(prompts).describeDeveloper(ISSUE, TASK);
const planRepair: Ask = (prompts) =>
  createManager(prompts).planRepair(ISSUE, { files: [], others: [], earlier: [] }, EVERYTHING_FITS);
const shortlist: Ask = (prompts) =>
  createLeanCustodian(prompts).shortlist(
    ISSUE,
    [{ path: PATH, reasons: "", kind: "outline", view: "a", matches: "" }],
    { map: "", toolset: undefined, faultOf: () => undefined },
  );
const locateLines: Ask = (prompts) =>
  createPaperDeveloper(prompts).locateLines(WORK, FILE, 1, ({ intervals, summary }) =>
    intervals.length === 0 && summary === "" ? "Say why." : undefined,
  );
const judge: Ask = async (prompts) => prompts;

/** Prompts other than the lean strong calls, with the shortest answer that each allows and a function that asks it. */
const ANSWERS: readonly (readonly [promptId: string, answer: object, ask: Ask])[] = [
  ["c01-judge-policy", { answer: "none" }, (prompts) => judgePolicy(prompts, [], () => undefined)],
  ["c02-locate-files", { files: [{ path: PATH, verdict: "change", reason: "It is wrong." }] }, shortlist],
  ["c02-locate-files", { more: [{ path: PATH, verdict: "read" }] }, shortlist],
  [
    "c03-choose-lines",
    { lines: [`${PATH}:1-2`] },
    (prompts) =>
      createLeanCustodian(prompts).chooseLines(
        ISSUE,
        { files: [], others: [], tests: [], budget: 9_000 },
        { toolset: undefined, faultOf: () => undefined },
      ),
  ],
  [
    "p03-judge-relevance",
    { files: [{ path: PATH, reason: "Named.", relevant: true }] },
    (prompts) => createPaperCustodian(prompts).judgeRelevance(ISSUE, [{ path: PATH, summary: "A.", reasons: [] }]),
  ],
  [
    "p04-define-task",
    { needed: false, reason: "It does so already." },
    (prompts) => createPaperManager(prompts).defineTask(ISSUE, FILE, []),
  ],
  [
    "p04-define-task",
    { needed: true, reason: "It must.", action: "delete", title: "Delete it", description: "It is not used." },
    (prompts) => createPaperManager(prompts).defineTask(ISSUE, FILE, []),
  ],
  ["p05-describe-developer", { title: "Developer", description: "Knows it." }, describeDeveloper],
  [
    "p06-adjust-role",
    { title: "Developer", description: "Knows it." },
    (prompts) => createPaperDeveloper(prompts).adjustRole(ISSUE, TASK, []),
  ],
  [
    "p08-describe-qa-engineer",
    { title: "QA Engineer", description: "Knows it." },
    (prompts) => createPaperDeveloper(prompts).describeQaEngineer(ISSUE, TASK, FILE),
  ],
  ["p09-locate-lines", { summary: "It does so already." }, locateLines],
  ["p09-locate-lines", { intervals: [{ start: 1, end: 1, change: "b" }], summary: "Calls b." }, locateLines],
  ["p11-review-change", { verdict: "Good.", approved: true }, review],
  ["p11-review-change", { comments: [{ body: "It is wrong." }], verdict: "Not yet.", approved: false }, review],
  [
    "m03-close-meeting",
    { summary: "All agreed." },
    (prompts) => createPaperManager(prompts).closeMeeting(ISSUE, TEAM, []),
  ],
  [
    "d01-describe-change",
    { type: "fix", title: "call b", problem: "It called a.", solution: "It calls b." },
    (prompts) => createManager(prompts).describeChange(ISSUE, [], ""),
  ],
  ["k01-plan-repair", { repairable: false, reason: "The network was away." }, planRepair],
  [
    "r01-assign-comments",
    { replies: [{ comment: "re1", reply: "Thank you." }] },
    (prompts) =>
      createManager(prompts).assignComments(
        ISSUE,
        { description: "", files: [], paths: [], conversation: [] },
        [{ id: "re1", author: "ana", body: "Fine." }],
        EVERYTHING_FITS,
      ),
  ],
  [
    "x01-resolve-conflicts",
    { hunks: [{ id: "1", lines: "b();\n" }] },
    (prompts) => createMergeAgents(prompts).resolve(MERGE, [PLACE], EVERYTHING_FITS),
  ],
  [
    "x02-review-merge",
    { hunks: [{ id: "1", right: true }] },
    (prompts) => createMergeAgents(prompts).review(MERGE, [{ ...PLACE, lines: "b();\n", why: "" }], EVERYTHING_FITS),
  ],
  ["j01-judge-correlation", { reason: "They agree.", score: 5 }, judge],
];

/** The shortest plans, changes and reviews, in a run of their phases. */
const PLAN = { at: `${PATH}:1`, reason: "a.js calls nothing." };
const CHANGED = { path: PATH, action: "modify", title: "Call b" };
const DRAFTED = { ...PLAN, fails: true, tasks: [{ ...CHANGED, edits: [LINE] }], title: "fix: call b" };
const DESCRIBED = { ...DRAFTED, tasks: [{ ...CHANGED, description: "Call b." }] };
const APPROVED = { verdict: "Good.", approved: true };

const RUNS: readonly (readonly [name: string, script: Readonly<Record<string, object>>])[] = [
  ["a plan with nothing to do", { "p04-plan-work": { ...PLAN, fails: false } }],
  ["a plan of questions", { "p04-plan-work": { ...PLAN, questions: ["Which?"] } }],
  ["a plan with edits", { "p04-plan-work": DRAFTED, "p11-review-work": APPROVED }],
  [
    "a plan with a description",
    {
      "p04-plan-work": DESCRIBED,
      "p09-change-file": { edits: [LINE], summary: "Calls b." },
      "p11-review-work": APPROVED,
    },
  ],
  ["an empty change", { "p04-plan-work": DESCRIBED, "p09-change-file": { summary: "It calls b already." } }],
];

/** The schema of the answer in a request. */
function sentIn({ schema, tools = [], answerBy }: ModelRequest): Schema {
  const sent = schema ?? tools.find(({ name }) => name === answerBy)?.inputSchema;
  if (!sent) throw new Error("No shape was sent.");
  return sent as Schema;
}

interface Schema {
  type?: string;
  properties?: Readonly<Record<string, Schema>>;
  required?: readonly string[];
  items?: Schema;
}

async function asked(promptId: string, answer: object, ask: Ask) {
  const fake = await openPrompts({ [promptId]: answer });
  if (ask === judge) await judging(fake);
  else await ask(fake.prompts);
  return fake.calls.map(({ request }) => request);
}

async function judging({ model, library }: Awaited<ReturnType<typeof openPrompts>>) {
  const instance = { problem: "a", hints: "", repository: "a/b", patch: "", id: "a" } as never;
  const options = { money: 1, hints: false };
  const judged = await createJudge({ model, prompts: library })(
    instance,
    [TASK],
    options,
    new AbortController().signal,
  );
  expect(judged.correlation?.scores).toMatchObject([{ score: 5 }]);
}

async function run(script: Readonly<Record<string, object>>) {
  const shop = await openWorkshop({ files: { [PATH]: "a();\n" }, script });
  const plan = await makePlan({ ...shop.tools, candidates: [shop.candidate(PATH)] });
  if (plan.tasks.length > 0) await writeCode({ ...shop.tools, plan });
  return shop.calls.filter(({ promptId }) => promptId in script);
}

describe("the smallest answer that a prompt allows", () => {
  it.each(ANSWERS)("fits the schema of %s and is accepted: %j", async (promptId, answer, ask) => {
    const requests = await asked(promptId, answer, ask);
    expect(requests).toHaveLength(1);
    expect(requests.map((request) => schemaFault(answer, { ...sentIn(request) }, "answer"))).toEqual([undefined]);
  });

  it.each(RUNS)("fits the schema and is accepted: %s", async (_, script) => {
    const calls = await run(script);
    expect(calls.map(({ promptId }) => promptId)).toEqual(Object.keys(script));
    for (const { promptId, request } of calls) {
      expect([promptId, schemaFault(script[promptId], { ...sentIn(request) }, "answer")]).toEqual([
        promptId,
        undefined,
      ]);
    }
  });

  it("is tested for every prompt with a schema", async () => {
    const { library } = await openPrompts();
    const written = ["b01", "m01", "m02", "p01", "p02", "p07", "p10"];
    const formed = [...library.prompts.keys()].filter((id) => !written.includes(id.slice(0, 3)));
    const tried = [...ANSWERS.map(([id]) => id), ...RUNS.flatMap(([, script]) => Object.keys(script))];
    expect([...new Set(tried)].sort()).toEqual(formed.sort());
  });

  it("may lack a summary or verdict that the program can replace", async () => {
    const calls = await run({
      "p04-plan-work": { ...DESCRIBED, tasks: [{ ...CHANGED, description: "Call b." }] },
      "p09-change-file": { edits: [EDIT] },
      "p11-review-work": { approved: true },
    });
    expect(calls).toHaveLength(3);
  });
});

describe("a required list", () => {
  it.each([
    ["c03-choose-lines", { lines: [] }],
    ["p03-judge-relevance", { files: [] }],
    ["r01-assign-comments", { replies: [] }],
    ["x01-resolve-conflicts", { hunks: [] }],
    ["x02-review-merge", { hunks: [] }],
  ])("goes back when it is empty: %s", async (promptId, empty) => {
    const [, , ask] = ANSWERS.find(([id]) => id === promptId) ?? [];
    await expect(asked(promptId, empty, ask ?? judge)).rejects.toMatchObject({ code: "ANSWER_INVALID" });
  });
});
