import { describe, expect, it } from "@jest/globals";
import { z } from "zod";
import { makePlan, writeCode } from "../../src/agents/phases.ts";
import { toMessageParams } from "../../src/models/anthropic/request.ts";
import { FULL_ABILITIES, toChatParams } from "../../src/models/openai/request.ts";
import type { FakeCall, FakeScript } from "../fakes/create-fake-model.ts";
import { openWorkshop } from "../workflow/open-workshop.ts";

/** Keep the tools short: every strong call sends them. */
const MAX_CHARACTERS = 5_000;

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

const PLAN = { example: "a() throws.", questions: [], reason: "a.js calls nothing.", notes: [] };
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
      ...["search", "read", "list", "find_symbol", "find_references"].map((name) => [name, false]),
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
