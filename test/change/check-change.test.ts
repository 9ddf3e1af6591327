import { describe, expect, it } from "@jest/globals";
import { checkChange } from "../../src/change/check-change.ts";
import { sharedParser } from "../fakes/shared-parser.ts";

const parser = sharedParser;
const check = (path: string, before: string | undefined, after: string) => checkChange({ parser, path, before, after });

describe("checkChange", () => {
  it.each<[string, string, string, string, RegExp[]]>([
    [
      "Python",
      "a.py",
      "def f(x):\n    return x\n",
      "def f(x):\n    return (x\n",
      [/a\.py parsed before/, /return \(x/],
    ],
    [
      "Python's indentation",
      "a.py",
      "def f():\n    a()\n    b()\n",
      "def f():\n    a()\n      b()\n",
      [/Line 3 is: b\(\)/],
    ],
    [
      "plain JavaScript",
      "a.js",
      "const a = 1;\nf();\n",
      "const a = 1;\nf(;\n",
      [/Unexpected token/, /Line 2 is: f\(;/],
    ],
    ["JSX", "a.jsx", "const A = () => <b>x</b>;\n", "const A = () => <b>x</b;\n", [/Line 1 is/]],
    ["TypeScript", "a.ts", "type A = string;\n", "type A = = string;\n", [/Line 1 is: type A = = string/]],
    ["JSON", "a.json", '{\n  "a": 1\n}\n', '{\n  "a": 1\n  "b": 2\n}\n', [/a\.json parsed before/, /"b": 2/]],
    ["YAML", "a.yml", "a:\n  b: 1\n", "a:\n  b: 1\n c: 2\n", [/Line 3 is: c: 2/]],
    ["TOML", "a.toml", "[a]\nb = 1\n", "[a]\nb = \n", [/Line 2 is: b =/]],
    [
      "Go",
      "a.go",
      "package a\n\nfunc f() {\n\tg()\n}\n",
      "package a\n\nfunc f() {\n\tg(\n}\n",
      [/a\.go parsed before/],
    ],
  ])("says what broke: %s", async (_name, path, before, after, words) => {
    expect(await check(path, before, before)).toBeUndefined();
    const reason = await check(path, before, after);
    for (const word of words) expect(reason).toMatch(word);
  });

  it("points to the change when the fault shows elsewhere", async () => {
    const before = "function f() {\n  if (a) {\n    b();\n  }\n}\nfunction g() {\n  c();\n}\n";
    const after = before.replace("    b();\n  }\n", "    b();\n");
    const reason = await check("a.ts", before, after);
    expect(reason).toMatch(/The change is in line 4: look there for a bracket.*Line 4 is: }/);
  });

  it("refuses to change a pointer of Git LFS", async () => {
    const pointer = "version https://git-lfs.github.com/spec/v1\noid sha256:1\nsize 9\n";
    expect(await check("a.psd", pointer, pointer.replace("9", "10"))).toContain("Git LFS");
  });

  it("reports conflict markers first", async () => {
    expect(await check("a.py", "a = 1\n", "<<<<<<< HEAD\na = 2\n")).toMatch(/Line 1 is a conflict marker/);
    expect(await check("notes.txt", undefined, "a\r\n>>>>>>>\r\n")).toMatch(/^Line 2 is a conflict marker \(>>>>>>>\)/);
  });

  it("takes no heading, operator or marker that was there before for a conflict", async () => {
    expect(await check("notes.txt", undefined, "Title\n=======\nx <<<<<<< y\n<<<<<<<<\n")).toBeUndefined();
    expect(await check("notes.txt", "<<<<<<< a\n", "<<<<<<< a\nb\n")).toBeUndefined();
  });

  it("accepts a file that did not parse before", async () => {
    expect(await check("a.py", "print(\n", "print((\n")).toBeUndefined();
    expect(await check("tsconfig.json", "{ // a\n}", "{ // b\n}")).toBeUndefined();
    expect(await check("a.yaml", "a: {{ x }}: {{ y }}\n", "a: {{ x }}: {{ z }}\n")).toBeUndefined();
  });

  it("requires a new file to parse when its language is certain", async () => {
    expect(await check("new.rb", undefined, "def f\n  1\n")).toMatch(/The new file new\.rb cannot be parsed/);
    expect(await check("new.json", undefined, '{"a": }')).toMatch(/The new file new\.json cannot be parsed/);
    expect(await check("new.h", undefined, "FOO(bar) {{ \n")).toBeUndefined();
    expect(await check("new.c", undefined, "BEGIN_DECLS\nint f(void) {{\n")).toBeUndefined();
    expect(await check("settings.json", undefined, '// why\n{ "a": 1 }')).toBeUndefined();
    expect(await check("tsconfig.base.json", undefined, "{ // why\n}")).toBeUndefined();
    expect(await check("chart/new.yaml", undefined, "a: {{ .Values.x }}: b\n{{ end }}\n")).toBeUndefined();
    expect(await check("a.kt", undefined, "class {{{")).toBeUndefined();
  });

  it.each<[string, string]>([
    ["a.yml", "a: 1\n---\nb: !Ref x\n---\nc: !!python/object:x.Y {}\n"],
    ["b.yml", "base: &base\n  a: 1\nc:\n  <<: *base\n  <<: *base\n"],
    ["a.toml", "a = 1979-05-27T07:32:00Z\n[[b]]\nc = { d = 1 }\n"],
    ["a.js", "#!/usr/bin/env node\nconst a = require('x'); return;\n"],
    ["a.mjs", "const a = await f();\nexport { a as 'b c' };\n"],
    ["a.py", "match x:\n    case [a, *_] if a: pass\ntype X[T] = list[T]\nprint(f'{x!r:>{w}}')\n"],
    ["a.ts", "using x = f();\nexport type { A } from './a.ts';\nconst b = <const T,>(x: T) => x satisfies B;\n"],
    ["a.c", "int new(int class) { return class; }\n"],
    ["a.php", "<b>\n<?php if ($a): ?>x<?php endif; ?>\n"],
  ])("raises no false alarm: %s", async (path, text) => {
    expect(await check(path, undefined, text)).toBeUndefined();
  });
});
