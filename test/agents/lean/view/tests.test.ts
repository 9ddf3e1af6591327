import { describe, expect, it } from "@jest/globals";
import { numbersIn } from "../../../../src/code/edits/numbered.ts";
import { type Spoken, viewing } from "./viewing-tests.ts";

describe("a test's sample", () => {
  const head = 'import { paint } from "../src/paint.js";\n';
  const numbersOf = (sample = "") => numbersIn(sample);

  it("shows the case about what the issue names, and none for a rare word alone", async () => {
    const one = (name: string, body: string) => `  it("${name}", () => {\n${`    ${body};\n`.repeat(12)}  });\n`;
    const about = Array.from({ length: 6 }, (_, at) => one(`keeps option ${at}`, `paint({ mixColours: true }, ${at})`));
    const others = Array.from({ length: 20 }, (_, at) => one(`other ${at}`, "paint({}, 1)"));
    const rare = one("mixed objects and primitives", "paint(primitive)");
    const group = (name: string, cases: readonly string[]) => `describe("${name}", () => {\n${cases.join("")}});\n`;
    const text = `${head}${group("options", [...others, ...about, one("mixColours of a wall", "paint(wall)")])}${group("rest", [rare, one("a last one", "paint(1)")])}`;
    const issue = { title: "`mixColours` of a wall" };
    const [test] = await viewing({ "src/paint.js": "", "test/a.test.js": text }, "src/paint.js", issue);
    expect(test?.sample).toContain("mixColours of a wall");
    expect(test?.sample).not.toContain("primitives");
    expect(test?.sample).not.toContain("other 3");
  });

  it("exists for the two likeliest, and for no third", async () => {
    const test = (name: string) => `${head}it("${name} colour", () => paint());\n`;
    const paths = ["test/a.test.js", "test/b.test.js", "test/c.test.js", "test/d.test.js"];
    const files = { "src/paint.js": "", ...Object.fromEntries(paths.map((path) => [path, test(path)])) };
    const tests = await viewing(files, "src/paint.js", { changed: paths });
    expect(tests.map(({ sample }) => sample !== "")).toEqual([true, true, false]);
  });

  it("is the whole file if that is short", async () => {
    const text = `${head}${Array.from({ length: 12 }, (_, at) => `it("case ${at}", () => {\n  paint(${at});\n});\n`).join("")}`;
    const [test] = await viewing({ "src/paint.js": "", "test/a.test.js": text }, "src/paint.js");
    expect(numbersOf(test?.sample)).toHaveLength(37);
  });

  it("shows similar cases whole", async () => {
    const one = (name: string, body: string) => `it("${name}", () => {\n${`  ${body};\n`.repeat(12)}});\n`;
    const text = `${head}${Array.from({ length: 30 }, (_, at) => one(`case ${at}`, "other()")).join("")}${one("colour of walls", "wall()")}${one("colour of doors", "door()")}${one("the end", "end()")}`;
    const [test] = await viewing({ "src/paint.js": "", "test/a.test.js": text }, "src/paint.js");
    expect(test?.sample).toContain('it("colour of walls"');
    expect(test?.sample).toContain('it("colour of doors"');
    expect(test?.sample).not.toContain('it("the end"');
    expect(test?.sample).not.toContain("case 5");
    const shown = numbersOf(test?.sample);
    for (let line = 422; line <= 449; line++) expect(shown).toContain(line);
  });

  it("shows where to add a case: the end of the file", async () => {
    const one = (name: string) => `  it("${name}", () => {\n${`    other();\n`.repeat(9)}    last("${name}");\n  });\n`;
    const cases = Array.from({ length: 30 }, (_, at) => `case ${at}`);
    const text = `${head}${["colour of walls", ...cases, "end of the file"].map(one).join("")}`;
    const [test] = await viewing({ "src/paint.js": "", "test/a.test.js": text }, "src/paint.js");
    expect(test?.sample).toContain('it("colour of walls"');
    expect(test?.sample).toContain('last("end of the file")');
    expect(test?.sample).not.toContain('last("case 4")');
  });
});

const decoy = { js: "import { paint } from '../src/paint.js';\ntest('x', () => paint());\n" };

describe("tests are chosen by imports and calls", () => {
  it.each<[string, string, Readonly<Record<string, string>>, string]>([
    [
      "an import of the file rather than its name",
      "src/paint.js",
      { "test/other/paint.test.js": "test('x', () => brush());\n", "test/walls.test.js": decoy.js, "src/paint.js": "" },
      "test/walls.test.js",
    ],
    [
      "Python's absolute imports",
      "pkg/http/request.py",
      {
        "pkg/http/request.py": "class Request: pass\n",
        "tests/test_request.py": "def test_other(): pass\n",
        "tests/test_crawl.py": "from pkg.http import request\ndef test_it(): request.Request()\n",
      },
      "tests/test_crawl.py",
    ],
    [
      "a package of Go",
      "pkg/y/one.go",
      {
        "pkg/y/one.go": "package y\nfunc One() {}\n",
        "cmd/one_test.go": "package cmd\nfunc TestA(t *testing.T) {}\n",
        "it/flow_test.go": 'package it\nimport "m.org/pkg/y"\nfunc TestB(t *testing.T) { y.one() }\n',
      },
      "it/flow_test.go",
    ],
    [
      "Java's classes",
      "src/main/java/a/Parser.java",
      {
        "src/main/java/a/Parser.java": "package a;\nclass Parser {}\n",
        "src/test/java/b/ParserTest.java": "class ParserTest { }\n",
        "src/test/java/b/FlowTest.java": "import a.Parser;\nclass FlowTest { void x() { new Parser(); } }\n",
      },
      "src/test/java/b/FlowTest.java",
    ],
    [
      "Ruby's requires",
      "lib/m/scan.rb",
      {
        "lib/m/scan.rb": "module M; end\n",
        "test/scan_test.rb": "puts 1\n",
        "test/flow_test.rb": "require 'm/scan'\nscan\n",
      },
      "test/flow_test.rb",
    ],
    [
      "Rust's uses",
      "src/scan.rs",
      {
        "src/scan.rs": "pub fn scan() {}\n",
        "tests/scan.rs": "fn a() {}\n",
        "tests/flow.rs": "use m::scan;\nfn b() { scan::scan(); }\n",
      },
      "tests/flow.rs",
    ],
    [
      "PHP's uses",
      "src/Rules/Rule.php",
      {
        "src/Rules/Rule.php": "<?php class Rule {}\n",
        "tests/RuleTest.php": "<?php class RuleTest {}\n",
        "tests/FlowTest.php": "<?php use P\\Rules\\Rule;\nclass FlowTest { function a() { new Rule; } }\n",
      },
      "tests/FlowTest.php",
    ],
    [
      "an included header",
      "src/scan.h",
      {
        "src/scan.h": "int a(void);\n",
        "test/scan_test.c": "int b;\n",
        "test/flow_test.c": '#include "src/scan.h"\nint c;\n',
      },
      "test/flow_test.c",
    ],
  ])("%s", async (_name, path, files, expected) => {
    expect((await viewing(files, path))[0]?.path).toBe(expected);
  });

  it("prefers tests that call the named functions", async () => {
    const files = {
      "src/paint.js": "export function coat() {}\n",
      "test/a.test.js": decoy.js,
      "test/b.test.js": decoy.js.replaceAll("paint }", "paint, coat }"),
    };
    expect((await viewing(files, "src/paint.js", { names: ["coat"] }))[0]?.path).toBe("test/b.test.js");
  });
});

describe("tests are chosen", () => {
  const test = "test('x', () => 1);\n";
  const files = (decoyName: string) => ({
    "src/paint.js": "export const paint = 1;\n",
    ...Object.fromEntries(["a", "b", "c"].map((name) => [`test/${name}.test.js`, test])),
    [`test/${decoyName}.test.js`]: decoy.js,
  });
  const change = (message: string, name: string) => [message, "src/paint.js", `test/${name}.test.js`] as const;
  const many = Array.from({ length: 13 }, (_, at) => `test/${at}.test.js`);
  it.each<[string, NonNullable<Spoken["history"]>, string, string]>([
    [
      "by past commits that changed it with the file, without an import or a similar name",
      [change("one", "b"), change("two", "b"), change("three", "b"), change("four", "b")],
      "walls",
      "test/b.test.js",
    ],
    ["not by a single commit", [change("one", "b")], "paint", "test/paint.test.js"],
    [
      "not by commits on other files",
      Array.from({ length: 9 }, () => ["one", "src/other.js", "test/b.test.js"] as const),
      "walls",
      "test/walls.test.js",
    ],
    [
      "not by commits that changed everything",
      Array.from({ length: 9 }, () => ["one", "src/paint.js", "test/b.test.js", ...many] as const),
      "walls",
      "test/walls.test.js",
    ],
  ])("%s", async (_name, history, decoyName, expected) => {
    expect((await viewing(files(decoyName), "src/paint.js", { history }))[0]?.path).toBe(expected);
  });

  it.each<[string, string]>([
    ["false positive of unnecessary-list-lookup", "tests/functional/u/unnecessary_list_lookup.py"],
    ["false positive of `unnecessary_list_lookup`", "tests/functional/u/unnecessary_list_lookup.py"],
    ["UnnecessaryListLookup is wrong", "tests/functional/u/unnecessary_list_lookup.py"],
    ["`check-lists` fails", "test-data/unit/check-lists.test"],
    ["an unnecessary list lookup", "tests/test_calls.py"],
    ["a lookup in `list`", "tests/test_calls.py"],
  ])("by a name of the issue that is their own, in any spelling: %s", async (title, expected) => {
    const data = "[case a]\nx = [1]\n";
    const files = {
      "lint/checker.py": "def visit(): pass\n",
      "tests/functional/u/unnecessary_list_lookup.py": "x = [1]\n",
      "test-data/unit/check-lists.test": data,
      "test-data/unit/lookups.test": data,
      ...Object.fromEntries(["a", "b", "c", "d"].map((folder) => [`tests/${folder}/list.py`, "x = [1]\n"])),
      "tests/test_calls.py": "from lint.checker import visit\ndef test_it(): visit()\n",
    };
    expect((await viewing(files, "lint/checker.py", { title, names: ["visit"] }))[0]?.path).toBe(expected);
  });

  it("by folders of the same name, not by a common base name", async () => {
    const files = {
      "src/websocket/client.js": "export const open = 1;\n",
      "test/agent/client.test.js": "test('a', () => 1);\n",
      "test/pool/client.test.js": "test('b', () => 1);\n",
      "test/websocket/close.test.js": "test('c', () => 1);\n",
    };
    expect((await viewing(files, "src/websocket/client.js"))[0]?.path).toBe("test/websocket/close.test.js");
  });
});
