import { describe, expect, it } from "@jest/globals";
import { z } from "zod";
import { makePlan, writeCode } from "../../src/agents/phases.ts";
import { toMessageParams } from "../../src/models/anthropic/request.ts";
import { FULL_ABILITIES, toChatParams } from "../../src/models/openai/request.ts";
import { createPromptRunner } from "../../src/models/prompt-runner.ts";
import type { Tool } from "../../src/models/toolset.ts";
import type { FakeAnswer, FakeCall, FakeScript } from "../fakes/create-fake-model.ts";
import { openPrompts } from "../fakes/open-prompts.ts";
import { openWorkshop } from "../workflow/open-workshop.ts";
import { typicalInputs } from "./typical-inputs.ts";

const PROMPT = "p05-describe-developer";
const ANSWER = { title: "Developer", description: "Takes care." };
const Shape = z.object({ title: z.string().max(20), description: z.string() });
const inputs = typicalInputs()[PROMPT] ?? {};
const ROLE = { name: "role", description: "An answer.", shape: Shape };
const OTHER = { name: "other", description: "Another's answer.", shape: z.object({ words: z.string() }) };
const answerBy = (tool: Tool, turns: number) => ({ by: ROLE, among: [OTHER, ROLE], toolset: { tools: [tool], turns } });
const look = (...inputs: unknown[]) => ({ tools: inputs.map((input) => ({ name: "read", input })) });

function reader() {
  const read: unknown[] = [];
  const tool: Tool = {
    name: "read",
    description: "Reads a file.",
    shape: z.object({ path: z.string(), end: z.int().optional() }),
    async run(input) {
      read.push(input);
      return `content of ${(input as { path: string }).path}`;
    },
  };
  return { read, tool };
}

async function asking(answers: (call: FakeCall) => FakeAnswer, turns = 3) {
  const { read, tool } = reader();
  const fake = await openPrompts({ [PROMPT]: answers });
  const ask = () => fake.prompts.ask(PROMPT, inputs, answerBy(tool, turns));
  const results = (call: number) =>
    fake.calls[call]?.request.earlier.flatMap((one) => ("results" in one ? one.results.map(({ text }) => text) : []));
  return { ...fake, read, ask, results };
}

describe("an agent with tools", () => {
  it("sees their results before it answers", async () => {
    const { ask, calls, read, results } = await asking(({ nth }) => (nth === 1 ? look({ path: "a.js" }) : ANSWER));
    expect(await ask()).toEqual(ANSWER);
    expect(calls.map(({ request }) => request.tools?.map(({ name }) => name))).toEqual([
      ["read", "other", "role"],
      ["read", "other", "role"],
    ]);
    expect(calls[0]?.request.tools?.[0]).toMatchObject({ inputSchema: { type: "object", required: ["path"] } });
    expect(read).toEqual([{ path: "a.js" }]);
    expect(results(1)).toEqual(["content of a.js\n\n(19985 of 20000 characters are left for look-ups.)"]);
  });

  it("gets no cache marks for a second turn when look-ups are rare", async () => {
    const { tool } = reader();
    const fake = await openPrompts({ [PROMPT]: ({ nth }: FakeCall) => (nth > 2 ? ANSWER : look({ path: "a" })) });
    const { by, among } = answerBy(tool, 2);
    expect(
      await fake.prompts.ask(PROMPT, inputs, { by, among, toolset: { tools: [tool], turns: 2, rare: true } }),
    ).toEqual(ANSWER);
    expect(fake.calls.map(({ request }) => request.keep)).toEqual([undefined, undefined, undefined]);
  });

  it("may make several calls at once, and has to answer after its last turn", async () => {
    const { ask, calls, read } = await asking(({ nth }) => (nth > 2 ? ANSWER : look({ path: "a" }, { path: "b" })), 2);
    expect(await ask()).toEqual(ANSWER);
    expect(calls.map(({ request }) => request.keep)).toEqual([0, 1, 1]);
    expect(calls[2]?.request.earlier).toMatchObject([{}, { word: "That was the last time: call role now." }]);
    expect(calls[2]?.request.earlier[0]).not.toHaveProperty("word");
    expect(read).toHaveLength(4);
  });

  it("learns what is wrong with a call, and which tools exist", async () => {
    const { ask, read, results } = await asking(({ nth }) =>
      nth === 1
        ? {
            tools: [
              { name: "read", input: { file: "a" } },
              { name: "rm", input: {} },
            ],
          }
        : ANSWER,
    );
    await ask();
    expect(read).toEqual([]);
    expect(results(1)).toEqual([
      expect.stringMatching(/The input of read is wrong:[\s\S]*path/),
      expect.stringMatching(/^There is no tool rm\. The tools are: read\./),
    ]);
  });

  it("may give null for what it leaves out of a call", async () => {
    const { ask, read } = await asking(({ nth }) => (nth === 1 ? look({ path: "a", end: null }) : ANSWER));
    await ask();
    expect(read).toEqual([{ path: "a" }]);
  });

  it("gets at most 24 results per turn, and a note about further calls", async () => {
    const many = Array.from({ length: 26 }, (_, at) => ({ path: `${at}` }));
    const { ask, read, results } = await asking(({ nth }) => (nth === 1 ? look(...many) : ANSWER));
    await ask();
    expect(read).toHaveLength(24);
    expect(results(1)?.slice(24)).toEqual(Array(2).fill("No more than 24 calls are carried out at once."));
  });

  it("shares its character budget among the calls of a turn, small results first, and sees the rest", async () => {
    const sizes: Readonly<Record<string, number>> = { long: 77_000, small: 1_000, wide: 50_000 };
    const asked: unknown[] = [];
    const tool: Tool = {
      name: "read",
      description: "Reads.",
      shape: z.object({ path: z.string() }),
      async run(input, room) {
        const { path } = input as { path: string };
        asked.push([path, room]);
        return "x".repeat(Math.min(sizes[path] ?? 0, room ?? Number.POSITIVE_INFINITY));
      },
    };
    const fake = await openPrompts({
      [PROMPT]: ({ nth }: FakeCall) => {
        if (nth === 1) return look({ path: "small" });
        return nth === 2 ? look({ path: "long" }, { path: "small" }, { path: "wide" }) : ANSWER;
      },
    });
    const toolset = { tools: [tool], turns: 3, room: 20_000 };
    await fake.prompts.ask(PROMPT, inputs, { by: ROLE, among: [OTHER, ROLE], toolset });
    const texts = (call: number) =>
      fake.calls[call]?.request.earlier.map((one) => ("results" in one ? one.results.map(({ text }) => text) : []));
    expect(texts(1)?.[0]?.[0]).toMatch(/\(19000 of 20000 characters are left for look-ups\.\)$/);
    expect(texts(2)?.[1]?.map(({ length }) => Math.round(length / 1_000))).toEqual([9, 1, 9]);
    expect(fake.calls).toHaveLength(3);
    expect(fake.calls[2]?.request.earlier[1]).toMatchObject({ word: expect.stringContaining("last time") });
    expect(asked).toContainEqual(["long", expect.any(Number)]);
  });

  it("keeps its look-ups when its answer goes back", async () => {
    const { ask, calls } = await asking(({ nth }) => {
      if (nth === 1) return look({ path: "a" });
      return nth === 2 ? { ...ANSWER, title: "x".repeat(30) } : ANSWER;
    });
    expect(await ask()).toEqual(ANSWER);
    expect(calls[2]?.request.earlier).toMatchObject([
      { results: [{ text: expect.stringMatching(/^content of a/) }] },
      { results: [{ isError: true, text: expect.stringMatching(/given shape:[\s\S]*title/) }] },
    ]);
  });

  it("answers by its tool, and look-ups beside the answer are ignored", async () => {
    const { ask, calls, read } = await asking(() => ({
      tools: [
        { name: "read", input: { path: "a" } },
        { name: "role", input: ANSWER },
      ],
    }));
    expect(await ask()).toEqual(ANSWER);
    expect([calls.length, read.length]).toEqual([1, 0]);
    expect(calls[0]?.request).toMatchObject({ answerBy: "role", tools: [{}, { strict: true }, { strict: true }] });
    expect(calls[0]?.request).not.toHaveProperty("schema");
  });

  it.each([
    ["JSON as text", JSON.stringify(ANSWER)],
    ["fenced text", `Here:\n\`\`\`json\n${JSON.stringify(ANSWER)}\n\`\`\``],
    ["a tool input as text", { tools: [{ name: "role", input: JSON.stringify(ANSWER) }] }],
  ])("may answer by %s", async (_, answer) => {
    const { ask, calls } = await asking(() => answer);
    expect(await ask()).toEqual(ANSWER);
    expect(calls).toHaveLength(1);
  });

  it.each([
    ["words", "I think so.", "The answer holds no JSON object. Answer by calling role."],
    ["nothing", "", "There is no answer. Answer by calling role."],
    ["another role's tool", { tools: [{ name: "other", input: { words: "a" } }] }, "This is answered by calling role."],
    ["half an object", { tools: [{ name: "role", input: '{"title": ' }] }, "The answer holds no JSON object."],
  ])("learns once what is wrong with an answer by %s", async (_, wrong, reply) => {
    const { ask, calls } = await asking(({ nth }) => (nth === 1 ? wrong : ANSWER));
    expect(await ask()).toEqual(ANSWER);
    expect(calls[1]?.reply).toContain(reply);
    const twice = await asking(() => wrong);
    await expect(twice.ask()).rejects.toMatchObject({ code: "ANSWER_INVALID" });
    expect(twice.calls).toHaveLength(2);
  });

  it("is refused further look-ups after its last turn, then forced to answer", async () => {
    const { ask, calls, read } = await asking(
      ({ request }) => (request.mustAnswer ? ANSWER : look({ path: "a" }, { path: "b" })),
      1,
    );
    expect(await ask()).toEqual(ANSWER);
    expect(read).toHaveLength(2);
    expect(calls.map(({ request }) => request.mustAnswer === true)).toEqual([false, false, false, true]);
    expect(calls[3]?.request.earlier.slice(1)).toMatchObject(
      Array(2).fill({ results: Array(2).fill({ text: expect.stringContaining("Nothing more can be looked up") }) }),
    );
  });

  it("fails after five calls when it never answers", async () => {
    const { ask, calls } = await asking(() => look({ path: "a" }), 1);
    await expect(ask()).rejects.toMatchObject({ code: "ANSWER_INVALID" });
    expect(calls).toHaveLength(5);
  });

  it("gets no further turn when too little of its budget is left", async () => {
    const tool: Tool = {
      name: "read",
      description: "Reads.",
      shape: z.object({ path: z.string() }),
      run: async () => "x".repeat(18_800),
    };
    const fake = await openPrompts({ [PROMPT]: ({ nth }: FakeCall) => (nth === 1 ? look({ path: "a" }) : ANSWER) });
    await fake.prompts.ask(PROMPT, inputs, answerBy(tool, 3));
    expect(fake.calls[1]?.request.earlier).toMatchObject([{ word: expect.stringContaining("last time") }]);
  });

  it("shares the run's look-up budget with all other agents", async () => {
    const { tool, read } = reader();
    const fake = await openPrompts({ [PROMPT]: ({ nth }: FakeCall) => (nth % 2 === 1 ? look({ path: "a" }) : ANSWER) });
    const prompts = createPromptRunner(fake.library, fake.model, new AbortController().signal, undefined, undefined, {
      left: 1,
    });
    const ask = () => prompts.ask(PROMPT, inputs, answerBy(tool, 3));
    await ask();
    expect(fake.calls[1]?.request.earlier).toMatchObject([{ word: expect.stringContaining("last time") }]);
    await ask();
    expect(read).toHaveLength(1);
  });
});

/** Keep the tools short: every strong call sends them. */
const MAX_CHARACTERS = 3_900;

/** The provider's limit for all strict tools of a request together. */
const MAX_OPTIONAL = 24;

/** Counts the optional properties of all objects in a schema. */
function optionalIn(schema: unknown): number {
  if (typeof schema !== "object" || schema === null) return 0;
  const { properties = {}, required = [] } = schema as { properties?: object; required?: readonly string[] };
  const own = Array.isArray(required) ? Object.keys(properties).length - required.length : 0;
  return Object.values(schema).reduce((sum, part) => sum + optionalIn(part), own);
}

const FILES = { "src/a.js": "a();\n", "src/b.js": "b();\n", "test/a.test.js": "a();\n" };

async function resolved(script: FakeScript = {}) {
  const shop = await openWorkshop({ files: FILES, script });
  const plan = await makePlan({ ...shop.tools, candidates: [shop.candidate("src/a.js")] });
  return { ...shop, plan, work: plan.tasks.length > 0 ? await writeCode({ ...shop.tools, plan }) : undefined };
}

const PLAN = { questions: [], reason: "a.js calls nothing.", notes: [] };
const TASK = { path: "src/a.js", action: "modify", title: "Call b" };
const EDIT = { start: 1, end: 1, anchor: "a();", text: "b();\n" };

describe("the tools of a strong call", () => {
  it("are identical for all roles, short, and strict if they give the answer", async () => {
    const { calls } = await resolved();
    const sent = calls.map(({ request }) => toMessageParams(request, "strong", undefined).tools ?? []);
    expect(sent.length).toBeGreaterThan(2);
    expect(new Set(sent.map((tools) => JSON.stringify(tools))).size).toBe(1);
    const [tools = []] = sent;
    expect(tools.map((tool) => ["name" in tool && tool.name, "strict" in tool])).toEqual([
      ...["search", "read"].map((name) => [name, false]),
      ...["plan", "change", "review"].map((name) => [name, true]),
    ]);
    expect(JSON.stringify(tools).length).toBeLessThanOrEqual(MAX_CHARACTERS);
    const strict = tools.flatMap((tool) => ("strict" in tool && "input_schema" in tool ? [tool.input_schema] : []));
    expect(optionalIn(strict)).toBeGreaterThan(0);
    expect(optionalIn(strict)).toBeLessThanOrEqual(MAX_OPTIONAL);
    expect(JSON.stringify(strict)).not.toMatch(/"(?:anyOf|oneOf)"|"type":\[/);
  });

  it("suit endpoints whose strict answers must have every property", async () => {
    const { calls } = await resolved();
    const request = calls[0]?.request;
    if (!request) throw new Error("Nothing was asked.");
    const { tools = [] } = toChatParams(request, "strong", undefined, { ...FULL_ABILITIES, limit: "max_tokens" });
    const functions = tools.flatMap((tool) => ("function" in tool ? [tool.function] : []));
    const plan = functions.find(({ name }) => name === "plan");
    expect(plan).toMatchObject({ strict: true, parameters: { additionalProperties: false } });
    const { properties, required } = z
      .object({ properties: z.record(z.string(), z.unknown()), required: z.array(z.string()) })
      .parse(plan?.parameters);
    expect(required).toEqual(Object.keys(properties));
    expect(properties).toMatchObject({
      fails: { anyOf: [{ type: "boolean" }, { type: "null" }] },
      tasks: {
        anyOf: [
          { items: { properties: { places: { anyOf: [{ type: "array" }, { type: "null" }] } } } },
          { type: "null" },
        ],
      },
    });
  });
});

describe("an answer by a tool", () => {
  it("may leave out what does not apply, such as a description for a task with edits", async () => {
    const tasks = [{ ...TASK, edits: [EDIT] }];
    const { plan, work } = await resolved({
      "p04-plan-work": { ...PLAN, at: "src/a.js:1", tasks, title: "call b" },
      "p11-review-work": { comments: [], missing: [], settled: [], unfollowed: [], verdict: "Good.", approved: true },
    });
    expect(plan).toMatchObject({
      tasks: [{ description: "Call b", places: [], developer: { title: "Developer" }, draft: { edits: [EDIT] } }],
      description: { type: "fix", title: "call b", problem: "a.js calls nothing." },
    });
    expect(work?.changes).toHaveLength(1);
  });

  it("may give null for what does not apply", async () => {
    const none = { description: null, places: null, developer: null };
    const tasks = [{ ...TASK, ...none, edits: [EDIT] }];
    const nothing = { fails: null, order: null, agreed: null };
    const { plan, asked } = await resolved({
      "p04-plan-work": { ...PLAN, ...nothing, at: "src/a.js:1", tasks, title: "call b" },
    });
    expect(plan.tasks).toMatchObject([{ description: "Call b", draft: { summary: "Call b" } }]);
    expect(asked().filter((id) => id === "p04-plan-work")).toHaveLength(1);
  });

  it("gives places and roles as one line each", async () => {
    const tasks = [
      {
        ...TASK,
        description: "Call b.",
        edits: [],
        developer: "Call developer: mind b: it throws",
        places: ["src/a.js:1", " src/b.js:1-1", "src/b.js", "odd: name.js:2–3"],
      },
    ];
    const { plan, of } = await resolved({
      "p04-plan-work": { ...PLAN, fails: true, at: "src/a.js:1", tasks, title: "call b" },
      "p09-change-file": { edits: [EDIT], summary: "Calls b.", qaEngineer: "Call tester" },
    });
    expect(plan.tasks[0]).toMatchObject({
      developer: { title: "Call developer", description: "mind b: it throws" },
      places: [
        { path: "src/a.js", start: 1, end: 1 },
        { path: "src/b.js", start: 1, end: 1 },
        { path: "odd: name.js", start: 2, end: 3 },
      ],
    });
    expect(of("p09-change-file")[0]?.text).toContain("You are the `Call developer`");
    expect(of("p11-review-work")[0]?.text).not.toContain("has to look at");
  });

  it.each([
    ["fix: call b", { type: "fix", title: "call b" }],
    ["Feat(core)!: call b", { type: "feat", scope: "(core)!", title: "call b" }],
    [" docs:say it", { type: "docs", title: "say it" }],
    ["fixed: call b", { type: "fix", title: "fixed: call b" }],
  ])("gives the commit's type before its title: %s", async (title, read) => {
    const tasks = [{ ...TASK, edits: [EDIT] }];
    const { plan } = await resolved({ "p04-plan-work": { ...PLAN, at: "src/a.js:1", tasks, title } });
    expect(plan.description).toEqual({ ...read, problem: PLAN.reason });
  });

  it.each([
    ["src/b.js: Call c. It has to be first.", { path: "src/b.js", action: "modify", title: "Call c" }],
    ["src/c.js: Add it: `c()` is called", { path: "src/c.js", action: "create", title: "Add it: `c()` is called" }],
    ["`src/b.js`: Delete the file.", { path: "src/b.js", action: "delete" }],
    ["src/b.js: delete what calls c", { path: "src/b.js", action: "modify" }],
    [
      `src/b.js: ${"Stop where `a.b` stands ".repeat(5)}and \`c.d; e\` too.`,
      { title: `${"Stop where `a.b` stands ".repeat(4).trim()}…` },
    ],
    [`src/b.js: ${"Stop it ".repeat(12)}at \`long.name(of.it)\``, { title: `${"Stop it ".repeat(12)}at…` }],
    ["src/b.js: delete", { path: "src/b.js", action: "delete", title: "delete" }],
    ["odd: name.js: Add it.", { path: "odd", action: "create", title: "name.js: Add it" }],
    [{ path: "src/b.js", action: "modify", title: "Call c", description: "It has to be first." }, { title: "Call c" }],
    [{ path: "src/b.js", action: "delete", title: "Go", description: "It is not used." }, { action: "delete" }],
  ])("turns a file that a review finds missing into a task: %j", async (missing, task) => {
    const review = { comments: [], settled: [], unfollowed: [], verdict: "Not all.", approved: false };
    const { work } = await resolved({
      "p04-plan-work": { ...PLAN, at: "src/a.js:1", tasks: [{ ...TASK, edits: [EDIT] }], title: "call b" },
      "p11-review-work": ({ nth }: FakeCall) => ({ ...review, missing: nth === 1 ? [missing] : [] }),
    });
    expect(work?.added).toMatchObject([task]);
  });

  it("runs all tasks at once when it gives no order", async () => {
    const tasks = ["src/a.js", "src/b.js"].map((path) => ({ ...TASK, path, edits: [{ ...EDIT, anchor: "" }] }));
    const { plan } = await resolved({ "p04-plan-work": { ...PLAN, at: "src/a.js:1", tasks, title: "call b" } });
    expect(plan).toMatchObject({ order: { concurrently: [{ run: "t1" }, { run: "t2" }] } });
    expect(plan.fallback).toBeUndefined();
  });

  it("may ask questions without saying whether the example fails", async () => {
    const { plan } = await resolved({
      "p04-plan-work": { ...PLAN, at: "src/a.js:1", tasks: [], questions: ["Which?"] },
    });
    expect(plan).toMatchObject({ tasks: [], questions: ["Which?"] });
  });
});
