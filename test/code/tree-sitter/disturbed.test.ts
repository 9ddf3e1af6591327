import { describe, expect, it } from "@jest/globals";
import { changedIn, replaceIntervals } from "../../../src/code/edits/line-edits.ts";
import { readText } from "../../../src/code/edits/text-file.ts";
import { sharedParser } from "../../fakes/shared-parser.ts";
import { fc } from "../../seeded.ts";
import { type EditCase, HONEST, JOINS } from "./join-cases.ts";

/** What is said of a case, and whether its text fits the grammar before and after. */
async function disturbedBy({ path, before, edits }: EditCase) {
  const file = readText(Buffer.from(before));
  if (!file) throw new Error("The text is binary.");
  const written = edits.map(([start, end, text]) => ({ start, end, text }));
  const after = replaceIntervals(file, written).lines.join("");
  const said = await sharedParser.disturbed(path, { before, after, edits: changedIn(file.lines, written) });
  const faults = [await sharedParser.faults(path, before), await sharedParser.faults(path, after)];
  return { after, said, faults: faults.map((one) => (one.kind === "checked" ? one.faults : one)) };
}

const named = (cases: readonly EditCase[]) => cases.map((one) => [`${one.path}: ${one.name}`, one] as const);

describe("an edit", () => {
  it.each(named(JOINS))("is found to change its neighbours: %s", async (_, one) => {
    const { said, faults, after } = await disturbedBy(one);
    // What does not fit the grammar any more goes back for that.
    expect({ after, said, faults }).toMatchObject({ faults: [[], expect.anything()] });
    if (JSON.stringify(faults[1]) === "[]") expect({ after, said: said?.length }).not.toEqual({ after, said: 0 });
  });

  it.each(named(HONEST))("is found to change nothing else: %s", async (_, one) => {
    const { said, faults, after } = await disturbedBy(one);
    expect({ after, faults, said }).toEqual({ after, faults: [[], []], said: [] });
  });

  it("is not judged by lines that did not parse before", async () => {
    const before = "a(;\nconst b = c\nd()\n";
    const { said } = await disturbedBy({ name: "", path: "a.js", before, edits: [[3, 2, "(e || f)()\n"]] });
    expect(said).toEqual([]);
  });
});

/** A body of statements in each grammar: what stands around it, statements of it, and how a comment begins and ends. */
const LANGUAGES = [
  ["a.js", "function f() {", "}", ["a()", "b = c", "if (d) { e() }", "return g", "h.i(j)"], "/*", "*/"],
  ["a.ts", "function f() {", "}", ["a()", "const b: C = c", "if (d) { e() }", "return g as H"], "/*", "*/"],
  ["a.tsx", "function f() {", "}", ["a()", "const b = <p>q</p>", "if (d) { e() }"], "/*", "*/"],
  ["a.py", "def f():", "x = 1", ["a()", "b = c", "if d: e()", "return g", "h = [1]"], '"""', '"""'],
  ["a.go", "package a\n\nfunc f() {", "}", ["a()", "b := c", "if d {\n\te()\n}", "*p = 1"], "/*", "*/"],
  ["A.java", "class A { void f() {", "} }", ["a();", "int b = c;", "if (d) e();", "while (g) { h(); }"], "/*", "*/"],
  ["a.rb", "def f", "end", ["a", "b = c", "e if d", "g.each { |h| i }", "[1].map(&j)"], undefined, undefined],
  ["a.rs", "fn f() {", "}", ["a();", "let b = c;", "if d { e(); }", "*p = 1;"], "/*", "*/"],
  ["a.c", "void f(int *p) {", "}", ["a();", "int b = c;", "if (d) e();", "*p = 1;"], "/*", "*/"],
  ["a.cpp", "void f() {", "}", ["a();", "auto b = c;", "for (auto d : e) g(d);"], "/*", "*/"],
  [
    "A.cs",
    "class A { void F() {",
    "} }",
    ["a();", "var b = c;", "if (d) e();", "foreach (var g in h) i();"],
    "/*",
    "*/",
  ],
  ["a.php", "<?php\nfunction f() {", "}", ["a();", "$b = c();", "if ($d) e();", "$g[] = 1;"], "/*", "*/"],
] as const;

describe.each(LANGUAGES)("statements of %s", (path, head, foot, statements, opens, closes) => {
  const indented = (text: string) => text.replace(/^/gm, "    ");
  const lines = fc.array(fc.constantFrom(...statements), { minLength: 2, maxLength: 8 });
  const textOf = (body: readonly string[]) => `${[head, ...body.map(indented), foot].join("\n")}\n`;
  const lineOf = (body: readonly string[], at: number) =>
    [head, ...body.slice(0, at)].join("\n").split("\n").length + 1;

  it("parse the same when others are inserted between them or removed", async () => {
    await fc.assert(
      fc.asyncProperty(lines, fc.nat(7), fc.constantFrom(...statements), async (body, place, added) => {
        const at = place % body.length;
        const before = textOf(body);
        const after = textOf(body.toSpliced(at, 0, added));
        const start = lineOf(body, at);
        const count = added.split("\n").length;
        const put = { before, after, edits: [{ start, removed: 0, added: count }] };
        const taken = { before: after, after: before, edits: [{ start, removed: count, added: 0 }] };
        expect({ after, said: await sharedParser.disturbed(path, put) }).toEqual({ after, said: [] });
        expect({ before, said: await sharedParser.disturbed(path, taken) }).toEqual({ before, said: [] });
      }),
      { numRuns: 40 },
    );
  });

  it("are found swallowed by an unclosed comment or string", async () => {
    if (opens === undefined || closes === undefined) return;
    await fc.assert(
      fc.asyncProperty(lines, fc.nat(7), async (body, place) => {
        const at = place % (body.length - 1);
        const end = indented(`${opens} note ${closes}`).trim();
        const whole = [...body, end];
        const before = textOf(whole);
        const after = textOf(whole.toSpliced(at, 0, `${opens} todo`));
        const edits = [{ start: lineOf(whole, at), removed: 0, added: 1 }];
        const faults = await sharedParser.faults(path, after);
        if (faults.kind === "checked" && faults.faults.length > 0) return;
        expect({ after, said: await sharedParser.disturbed(path, { before, after, edits }) }).not.toEqual({
          after,
          said: [],
        });
      }),
      { numRuns: 20 },
    );
  });
});
