import { describe, expect, it } from "@jest/globals";
import { mayImport } from "../../src/search/imports.ts";

/** Name, the repository's files, the importing file, what it imports, with which names, and the files it means. */
const CASES: readonly (readonly [string, readonly string[], string, string, readonly string[], readonly string[]])[] = [
  ["a neighbouring file", ["src/a.ts", "src/b.ts"], "src/b.ts", "./a.js", [], ["src/a.ts"]],
  ["an index", ["src/a/index.ts", "test/b.test.ts"], "test/b.test.ts", "../src/a", [], ["src/a/index.ts"]],
  ["no other file of the same name", ["src/a.ts", "lib/a.ts"], "src/b.ts", "./a", [], ["src/a.ts"]],
  [
    "a package of the repository",
    ["packages/babel-traverse/src/index.ts", "packages/babel-core/src/a.ts"],
    "packages/babel-core/src/a.ts",
    "@babel/traverse",
    [],
    ["packages/babel-traverse/src/index.ts"],
  ],
  ["nothing for an installed package", ["src/fs.ts", "src/b.ts"], "src/b.ts", "react/jsx", [], []],
  [
    "a module of Python",
    ["scrapy/http/request.py", "tests/test_a.py"],
    "tests/test_a.py",
    "scrapy/http/request",
    [],
    ["scrapy/http/request.py"],
  ],
  ["a module imported by name", ["a/b/c.py", "a/b/d.py", "t.py"], "t.py", "a/b", ["c"], ["a/b/c.py"]],
  ["a package of Python", ["a/b/__init__.py", "t.py"], "t.py", "a/b", ["thing"], ["a/b/__init__.py"]],
  ["a relative module of Python", ["a/b/c.py", "a/d.py"], "a/b/c.py", "../d", ["f"], ["a/d.py"]],
  [
    "a package of Go",
    ["pkg/y/one.go", "pkg/y/two.go", "pkg/z/one.go", "main.go"],
    "main.go",
    "m.org/r/pkg/y",
    [],
    ["pkg/y/one.go", "pkg/y/two.go"],
  ],
  [
    "a class of Java",
    ["core/src/main/java/a/b/C.java", "core/src/test/java/a/T.java"],
    "core/src/test/java/a/T.java",
    "a/b/C",
    ["C"],
    ["core/src/main/java/a/b/C.java"],
  ],
  ["a file in Ruby's lib", ["lib/m/d.rb", "test/t.rb"], "test/t.rb", "m/d", [], ["lib/m/d.rb"]],
  [
    "a class of PHP",
    ["src/Rules/Rule.php", "tests/T.php"],
    "tests/T.php",
    "PHPStan/Rules/Rule",
    ["Rule"],
    ["src/Rules/Rule.php"],
  ],
  ["a header of C", ["src/a/b.h", "src/c.c"], "src/c.c", "a/b.h", [], ["src/a/b.h"]],
  ["a module of Rust", ["src/a/c.rs", "src/lib.rs"], "src/lib.rs", "a/c", ["D"], ["src/a/c.rs"]],
  ["a module of Rust in a folder", ["src/a.rs", "src/a/g.rs"], "src/a.rs", "./g", [], ["src/a/g.rs"]],
  [
    "a module of another crate",
    ["clap_lex/src/ext.rs", "tests/t.rs"],
    "tests/t.rs",
    "clap_lex/ext",
    ["X"],
    ["clap_lex/src/ext.rs"],
  ],
  ["no file of another language", ["a/b.rb", "c/t.py"], "c/t.py", "a/b", [], []],
];

describe("mayImport", () => {
  it.each(CASES)("finds %s", (_name, paths, from, written, names, expected) => {
    expect(paths.filter((path) => mayImport(from, { from: written, names }, path))).toEqual(expected);
  });
});
