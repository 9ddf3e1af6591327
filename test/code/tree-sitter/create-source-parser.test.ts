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

describe("imports", () => {
  const parser = createSourceParser();

  /** For each language: what it imports, in all its forms, and what only looks like it. */
  const SAMPLES: readonly (readonly [path: string, text: string, expected: readonly string[]])[] = [
    [
      "a.js",
      'import a, {\n  b,\n  c as d,\n} from "./a.js";\nexport * from "../b";\nconst e = require("e/f");\nfunction g() {\n  return import("./g");\n}\n// import "no"\nconst h = "require(\'no\')";\n',
      ["./a.js b,c", "../b ", "e/f ", "./g "],
    ],
    ["a.ts", 'import type { A } from "@s/a";\nexport { B } from "./b";\nexport const c = 1;\n', ["@s/a A", "./b B"]],
    ["a.tsx", 'import A from "./A";\nconst b = <A text="import x" />;\n', ["./A "]],
    [
      "a.py",
      'import os.path as p, re\nfrom . import a\nfrom ..b.c import (\n    d,\n    e as f,\n)\ndef g():\n    from pkg.h import i\n"""import no"""\n# import no\n',
      ["os/path ", "re ", "./ a", "../b/c d,e", "pkg/h i"],
    ],
    ["a.go", 'package a\nimport "fmt"\nimport (\n\tx "m.org/r/pkg/y"\n\t// "no"\n)\n', ["fmt ", "m.org/r/pkg/y "]],
    ["A.java", "import a.b.C;\nimport static a.d.E.f;\nimport a.g.*;\nclass A {}\n", ["a/b/C C", "a/d/E/f f", "a/g g"]],
    [
      "a.rb",
      "require 'a/b'\nrequire_relative \"../c\"\nmodule M\n  autoload :D, 'm/d'\nend\n# require 'no'\nputs 'require no'\n",
      ["a/b ", "./../c ", "m/d "],
    ],
    [
      "a.rs",
      "use crate::a::{b, c::D as E};\nuse super::f;\nuse std::io;\nmod g;\nmod h {\n}\n",
      ["a b", "a/c D", "../f f", "std io", "./g "],
    ],
    ["a.c", '#include "a/b.h"\n#include <stdio.h>\n/* #include "no.h" */\n', ["a/b.h ", "stdio.h "]],
    ["a.cc", '#include "c.hpp"\nint main() {}\n', ["c.hpp "]],
    [
      "A.cs",
      "using System.Text;\nusing static A.B.C;\nusing X = A.D;\nclass A {}\n",
      ["System/Text Text", "A/B/C C", "A/D D"],
    ],
    [
      "a.php",
      '<?php\nuse A\\B\\C;\nuse A\\{D, E as F};\nrequire __DIR__ . "/x/y.php";\n',
      ["A/B/C C", "A/D D", "A/E E", "./x/y.php "],
    ],
  ];

  it.each(SAMPLES)("of %s", async (path, text, expected) => {
    const found = await parser.imports(path, text);
    expect(found?.map(({ from, names }) => `${from} ${names.join(",")}`)).toEqual(expected);
  });

  it("have their lines", async () => {
    const found = await parser.imports("a.ts", 'import { a } from "./a";\nimport {\n  b,\n} from "./b";\n');
    expect(found?.map(({ start, end }) => [start, end])).toEqual([
      [1, 1],
      [2, 4],
    ]);
  });

  it("are not known for other files", async () => {
    expect(await parser.imports("a.kt", "import a.b")).toBeUndefined();
  });

  it("are read however deep they nest", async () => {
    const deep = `use a::${"{b::".repeat(3_000)}c${"}".repeat(3_000)};\n`;
    for (const text of [deep, `use a::{${"b::c,".repeat(20_000)}};\n`, `use ${"{".repeat(5_000)}`])
      expect(Array.isArray(await parser.imports("src/a.rs", text))).toBe(true);
  });
});

describe("tests by their names", () => {
  const parser = createSourceParser();

  it.each([
    [
      "a.test.js",
      'describe("sums", () => {\n  it("adds", () => {\n    sum();\n  });\n  test.each([1])("adds %s", (one) => {\n  });\n});\nitems.test("no");\n',
      ["suite sums 1-7", "case adds 2-4", "case adds %s 5-6"],
    ],
    [
      "a_test.go",
      'func TestA(t *testing.T) {\n\tt.Run("adds", func(t *testing.T) {\n\t})\n}\n',
      ["function TestA 1-4", "case adds 2-3"],
    ],
    [
      "a_spec.rb",
      "describe 'sums' do\n  context 'when new' do\n    it 'adds' do\n      sum\n    end\n  end\nend\n",
      ["suite sums 1-7", "suite when new 2-6", "case adds 3-5"],
    ],
    ["a.js", 'const run = pattern.test("text");\nrun();\n', ["constant run 1-1"]],
  ])("in %s", async (path, text, expected) => {
    const found = await parser.symbols(path, text);
    expect(found?.map(({ kind, name, start, end }) => `${kind} ${name} ${start}-${end}`)).toEqual(expected);
  });
});
