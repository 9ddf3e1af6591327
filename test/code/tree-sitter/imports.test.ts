import { describe, expect, it } from "@jest/globals";
import { createSourceParser } from "../../../src/code/tree-sitter/source-parser.ts";

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

describe("imports", () => {
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
