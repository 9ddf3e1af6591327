import { describe, expect, it } from "@jest/globals";
import type { SyntaxFault } from "../../../src/code/source-parser.ts";
import { createSourceParser } from "../../../src/code/tree-sitter/source-parser.ts";
import { COMPILED_SAMPLES } from "./compiled-samples.ts";
import { FAMILY_SAMPLES } from "./family-samples.ts";
import { SCRIPT_SAMPLES } from "./script-samples.ts";

const parser = createSourceParser();
const SAMPLES = [...SCRIPT_SAMPLES, ...COMPILED_SAMPLES, ...FAMILY_SAMPLES];

/** Those of a text that could be checked. */
async function faultsOf(path: string, text: string): Promise<readonly SyntaxFault[]> {
  const check = await parser.faults(path, text);
  if (check.kind !== "checked") throw new Error(`${path} is not checked: ${JSON.stringify(check)}`);
  return check.faults;
}

describe.each(SAMPLES.map((sample) => [sample.path, sample] as const))("createSourceParser: %s", (path, sample) => {
  it("finds the declarations", async () => {
    const symbols = (await parser.symbols(path, sample.text)) ?? [];
    const found = symbols.map(({ kind, name, start, end, parent }) =>
      [kind, name, `${start}-${end}`, parent].filter(Boolean).join(" "),
    );
    expect(found).toEqual(sample.symbols);
  });

  it("finds uses, and none in comments and strings", async () => {
    expect(await parser.references(path, sample.text, "helper")).toEqual(sample.references);
    expect(await parser.references(path, sample.text, "nowhere")).toEqual([]);
  });

  it("finds no fault in sound code, and reports one with its line", async () => {
    expect(await faultsOf(path, sample.text)).toEqual([]);
    const { from, to, lines } = sample.fault;
    expect(sample.text).toContain(`${from}\n`);
    const broken = sample.text.replace(`${from}\n`, `${to}\n`);
    const [fault] = await faultsOf(path, broken);
    expect(lines).toContain(fault?.line);
    expect(fault?.message).toContain(broken.split("\n")[(fault?.line ?? 0) - 1]?.trim());
  });
});

describe("createSourceParser", () => {
  it.each([
    ["API int WINAPI start(void) {\n  return 1;\n}\n", ["start"]],
    ["EXPORT static node *make(mem *m,\n  int n) {\n  return 0;\n}\n", ["make"]],
    ["API node *made(int type,\n  int more);\n", ["made"]],
    ["BEGIN_API\nint first(void) {\n  switch (x) {\n  case 1: return 1;\n  }\n}\n", ["first"]],
  ])("names C's declarations after macros without their types: %j", async (text, names) => {
    expect((await parser.symbols("a.c", text))?.map(({ name }) => name)).toEqual(names);
  });

  it("returns nothing for other languages and very long texts", async () => {
    expect(await parser.symbols("a.kt", "class A")).toBeUndefined();
    expect(await parser.faults("a.kt", "class A")).toEqual({ kind: "unknown" });
    expect(await parser.symbols("a.py", "x = 1\n".repeat(3_000_000))).toBeUndefined();
    expect(await parser.faults("a.py", "x = 1\n".repeat(3_000_000))).toMatchObject({ kind: "failed" });
    expect(await parser.references("README.md", "helper", "helper")).toBeUndefined();
  });

  it("takes an empty text and a text that nests deeply", async () => {
    expect(await parser.symbols("a.ts", "")).toEqual([]);
    const deep = `x = ${"(".repeat(5_000)}1${")".repeat(5_000)}`;
    expect(await faultsOf("a.js", deep)).toEqual([]);
    expect(await parser.symbols("a.js", `const y = ${"a + ".repeat(20_000)}a;`)).toHaveLength(1);
    expect(await faultsOf("a.py", "[".repeat(3_000))).not.toEqual([]);
  });

  it.each<[string, string, number[]]>([
    ["a body that is missing", "def f():\nreturn 1\n", [1]],
    ["a stray indentation", "def f():\n    x = 1\n      y = 2\n    return x\n", [3]],
    ["a dedent to nowhere", "def f():\n    x = 1\n  return x\n", [3]],
    ["an indented first level", "x = 1\n  y = 2\n", [2]],
    ["a clause without a body", "def f():\n    try:\n        a()\n    finally:\n    b()\n", [4]],
    ["what is right", "def f():\n  # c\n    x = 1; y = 2\n    if x: y()\n    return (1,\n  2)\n", []],
    ["tabs beside blanks", "if x:\n\ta()\n        b()\n", []],
  ])("sees Python's indentation: %s", async (_name, text, lines) => {
    expect((await faultsOf("a.py", text)).map(({ line }) => line)).toEqual(lines);
  });

  it("finds names in C macros, Ruby symbols, PHP variables and private members", async () => {
    expect(await parser.references("a.c", "#define X(a) \\\n  helper(a)\n", "helper")).toEqual([2]);
    expect(await parser.references("a.rb", "before_action :helper\nx = { helper: 1 }\n", "helper")).toEqual([1, 2]);
    expect(await parser.references("a.php", "<?php\n$size = 1;\n", "$size")).toEqual([2]);
    expect(await parser.references("a.js", "class A {\n  #n = 1;\n  m() { return this.#n; }\n}", "n")).toEqual([2, 3]);
  });

  it("counts lines behind characters of several bytes", async () => {
    expect(await parser.references("a.py", "s = '😀é'\nhelper()\n", "helper")).toEqual([2]);
    expect(await parser.symbols("a.py", "s = '😀é'; é = 1\ndef größe(): pass\n")).toMatchObject([
      { name: "s" },
      { name: "é" },
      { name: "größe", start: 2 },
    ]);
  });
});
