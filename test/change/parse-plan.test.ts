import { describe, expect, it } from "@jest/globals";
import { parsePlan, sequencePlan } from "../../src/change/work-plan.ts";
import type { PlanNode } from "../../src/data/plan.ts";
import { fc } from "../seeded.ts";

const TASKS = ["t1", "t2", "t3"].map((id) => ({ id, path: `${id}.py` }));

function reasonOf(source: string, tasks = TASKS): string {
  const parsed = parsePlan(source, tasks);
  return "reason" in parsed ? parsed.reason : `accepted ${JSON.stringify(parsed.order)}`;
}

describe("parsePlan", () => {
  const stages: PlanNode = { sequence: [{ run: "t1" }, { concurrently: [{ run: "t2" }, { run: "t3" }] }] };

  it.each<[string, string]>([
    ["statements", 'run("t1"); concurrently(run("t2"), run("t3"));'],
    [
      "await, comments and empty statements",
      '// first\nawait run("t1");;\n/* then */ await concurrently(await run("t2"), run("t3"),)',
    ],
    ["a code fence", '```js\nrun("t1")\nconcurrently(run("t2"), run("t3"))\n```'],
    ["one expression", 'sequence(run("t1"), concurrently(run("t2"), run("t3")))'],
    ["groups of one", 'sequence(run("t1")); concurrently(sequence(run("t2")), run("t3"))'],
  ])("accepts %s", (_name, source) => {
    expect(parsePlan(source, TASKS)).toEqual({ order: stages });
  });

  it.each<[string, string, RegExp]>([
    [
      "a loop",
      'run("t1")\nfor (const t of ["t2"]) run(t)',
      /^Line 2 of the plan \(for \(const.*for of statement.*Allowed are only run/,
    ],
    ["a definition", 'const a = run("t1")', /^Line 1 .*variable declaration/],
    ["an unknown function", 'run("t1");\n\nparallel(run("t2"))', /^Line 3 .*no function parallel/],
    ["a method", 'Promise.all(run("t1"))', /this call is not allowed/],
    ["spread", 'concurrently(...run("t1"))', /spread element/],
    ["an id without quotes", "run(t1)", /run takes one task id as a string/],
    ["an optional call", 'run?.("t1")', /chain expression/],
    ["an empty group", "sequence()", /sequence\(\) holds nothing/],
    ["no code", "First do t1, then t2.", /^Line 1 .*does not parse/],
  ])("refuses %s and says why", (_name, source, words) => {
    expect(reasonOf(source)).toMatch(words);
  });

  it("requires each task exactly once", () => {
    expect(reasonOf('run("t1"); run("t1"); run("t9"); run("t2")')).toBe(
      "There is no task t9. Run more than once: t1. Missing: t3. Run each task exactly once: t1, t2, t3.",
    );
    expect(reasonOf("")).toMatch(/^Missing: t1, t2, t3\./);
    expect(reasonOf('run("constructor")')).toMatch(/no task constructor/);
  });

  it("never lets two tasks write one file at the same time", () => {
    const tasks = TASKS.map(({ id }) => ({ id, path: id === "t2" ? "other.py" : "same.py" }));
    const words = "Tasks t1 and t3 both change same.py and must not run concurrently: put one after the other.";
    expect(reasonOf('concurrently(run("t1"), sequence(run("t2"), run("t3")))', tasks)).toBe(words);
    expect(reasonOf('concurrently(sequence(run("t1"), run("t3")), run("t2"))', tasks)).toMatch(/^accepted/);
    expect(reasonOf('concurrently(run("t1"), run("t2")); run("t3")', tasks)).toMatch(/^accepted/);
    expect(reasonOf('sequence(run("t2"), concurrently(run("t1"), run("t3")))', tasks)).toBe(words);
  });

  it("limits length and depth", () => {
    expect(reasonOf(`${"sequence(".repeat(30)}run("t1")${")".repeat(30)}`)).toMatch(/nested more than 16 deep/);
    expect(reasonOf(`${"await ".repeat(30)}run("t1")`)).toMatch(/nested more than 16 deep/);
    expect(reasonOf("(".repeat(49_000))).toMatch(/nested too deep|does not parse/);
    expect(reasonOf("a.".repeat(30_000))).toMatch(/longer than 50000/);
  });

  it("reads back every plan that can be written", () => {
    const ids = TASKS.map(({ id }) => id);
    const tree = fc.shuffledSubarray(ids, { minLength: 3 }).chain(([a = "", b = "", c = ""]) => {
      const [x, y, z] = [a, b, c].map((run) => ({ run }));
      if (x === undefined || y === undefined || z === undefined) throw new Error("three tasks");
      const nodes: PlanNode[] = [
        { sequence: [x, y, z] },
        { concurrently: [x, y, z] },
        { sequence: [{ concurrently: [x, y] }, z] },
        { concurrently: [{ sequence: [x, y] }, z] },
      ];
      return fc.constantFrom(...nodes);
    });
    const codeOf = (node: PlanNode): string => {
      if ("run" in node) return `run("${node.run}")`;
      const [name, parts] = "sequence" in node ? ["sequence", node.sequence] : ["concurrently", node.concurrently];
      return `${name}(${parts.map(codeOf).join(", ")})`;
    };
    fc.assert(fc.property(tree, (order) => expect(parsePlan(codeOf(order), TASKS)).toEqual({ order })));
  });

  it("answers every text with an order or a reason", () => {
    const pieces = fc.constantFrom("\n", ...'run("t1") sequence( concurrently( ) , ; await ``` ` x { =>'.split(" "));
    const sources = fc.oneof(
      fc.array(pieces, { maxLength: 12 }).map((all) => all.join("")),
      fc.string(),
    );
    fc.assert(fc.property(sources, (source) => reasonOf(source) !== ""));
  });
});

describe("the order of tasks", () => {
  it("is sequential when the program makes it", () => {
    expect(sequencePlan(TASKS)).toEqual({ sequence: [{ run: "t1" }, { run: "t2" }, { run: "t3" }] });
    expect(sequencePlan([{ id: "t1" }])).toEqual({ run: "t1" });
    expect(sequencePlan([])).toEqual({ sequence: [] });
  });
});
