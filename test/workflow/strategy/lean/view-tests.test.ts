import { describe, expect, it } from "@jest/globals";
import type { Candidate } from "../../../../src/model/plan.ts";
import { openRepositoryView } from "../../../../src/workflow/strategy/lean/repository-view.ts";
import { viewChangelog, viewTests } from "../../../../src/workflow/strategy/lean/view-tests.ts";
import { openWorkshop } from "../../open-workshop.ts";

async function viewing(
  files: Readonly<Record<string, string>>,
  path: string,
  { terms = { colour: 1 }, exact = [], changed = [], ...more }: Partial<Candidate> & Spoken = {},
) {
  const shop = await openWorkshop({ files });
  const repositoryView = await openRepositoryView(shop.tools);
  const spoken = { terms: new Map(Object.entries(terms)), exact: new Set(exact) };
  const candidates = [{ ...shop.candidate(path), ...more }, ...changed.map((one) => shop.candidate(one))];
  return viewTests(candidates, { ...spoken, repositoryView, parser: shop.tools.parser });
}

/** What the issue speaks of, and tests that may have to change. */
interface Spoken {
  readonly terms?: Readonly<Record<string, number>>;
  readonly exact?: readonly string[];
  readonly changed?: readonly string[];
}

const decoy = { js: "import { paint } from '../src/paint.js';\ntest('x', () => paint());\n" };

describe("tests are chosen by what they import or call", () => {
  it.each<[string, string, Readonly<Record<string, string>>, string]>([
    [
      "what imports the file, and not what has its name",
      "src/paint.js",
      { "test/other/paint.test.js": "test('x', () => brush());\n", "test/walls.test.js": decoy.js, "src/paint.js": "" },
      "test/walls.test.js",
    ],
    [
      "what imports it through an index",
      "src/deep/brush.ts",
      {
        "src/deep/brush.ts": "export const brush = 1;\n",
        "src/index.ts": 'export { brush } from "./deep/brush";\n',
        "src/deep/brush.test.ts": "test('x', () => undefined);\n",
        "test/all.test.ts": 'import { brush } from "../src";\ntest("x", () => brush);\n',
      },
      "test/all.test.ts",
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
      "what includes a header",
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

  it("prefers what calls the functions that are named", async () => {
    const files = {
      "src/paint.js": "export function coat() {}\n",
      "test/a.test.js": decoy.js,
      "test/b.test.js": decoy.js.replaceAll("paint }", "paint, coat }"),
    };
    expect((await viewing(files, "src/paint.js", { names: ["coat"] }))[0]?.path).toBe("test/b.test.js");
  });
});

describe("a test's sample", () => {
  const head = 'import { paint } from "../src/paint.js";\n';
  const numbersOf = (sample = "") => [...sample.matchAll(/^ *(\d+) \| /gm)].map(([, at]) => Number(at));

  it("has the cases that are about what the issue names, however many are, and not one that has a rare word of it", async () => {
    const one = (name: string, body: string) => `  it("${name}", () => {\n${`    ${body};\n`.repeat(4)}  });\n`;
    const about = Array.from({ length: 6 }, (_, at) => one(`keeps option ${at}`, `paint({ mixColours: true }, ${at})`));
    const others = Array.from({ length: 20 }, (_, at) => one(`other ${at}`, "paint({}, 1)"));
    const rare = one("mixed objects and primitives", "paint(primitive)");
    const group = (name: string, cases: readonly string[]) => `describe("${name}", () => {\n${cases.join("")}});\n`;
    const text = `${head}${group("options", [...others, ...about, one("mixColours of a wall", "paint(wall)")])}${group("rest", [rare])}`;
    const issue = { terms: { colour: 1, mix: 1, wall: 1, primit: 1, object: 1 }, exact: ["mixColours"] };
    const [test] = await viewing({ "src/paint.js": "", "test/a.test.js": text }, "src/paint.js", issue);
    expect(test?.sample).toContain("mixColours of a wall");
    expect(test?.sample.match(/keeps option/g)).toHaveLength(2);
    expect(test?.sample).not.toContain("primitives");
    expect(test?.sample).not.toContain("other 3");
  });

  it("is there for a second test that may have to change, and for no third", async () => {
    const test = (name: string) => `${head}it("${name} colour", () => paint());\n`;
    const paths = ["test/a.test.js", "test/b.test.js", "test/c.test.js"];
    const files = { "src/paint.js": "", ...Object.fromEntries(paths.map((path) => [path, test(path)])) };
    const tests = await viewing(files, "src/paint.js", { changed: paths });
    expect(tests.map(({ sample }) => sample !== "")).toEqual([true, true, false]);
    const unnamed = await viewing(files, "src/paint.js");
    expect(unnamed.map(({ sample }) => sample !== "")).toEqual([true, false, false]);
  });

  it("has the similar cases whole", async () => {
    const one = (name: string, body: string) => `it("${name}", () => {\n${`  ${body};\n`.repeat(12)}});\n`;
    const text = `${head}${Array.from({ length: 10 }, (_, at) => one(`case ${at}`, "other()")).join("")}${one("colour of walls", "wall()")}${one("colour of doors", "door()")}${one("the end", "end()")}`;
    const [test] = await viewing({ "src/paint.js": "", "test/a.test.js": text }, "src/paint.js");
    expect(test?.sample).toContain('it("colour of walls"');
    expect(test?.sample).toContain('it("colour of doors"');
    expect(test?.sample).not.toContain('it("the end"');
    expect(test?.sample).not.toContain("case 5");
    const shown = numbersOf(test?.sample);
    for (let line = 142; line <= 169; line++) expect(shown).toContain(line);
  });

  it("has the ends of its lists of cases", async () => {
    const entries = (name: string) => Array.from({ length: 30 }, (_, at) => `    { code: "${name}${at}" },\n`).join("");
    const text = `${head}ruleTester.run("a", paint, {\n  valid: [\n${entries("v")}  ],\n  invalid: [\n${entries("i")}  ],\n});\n`;
    const [test] = await viewing({ "src/paint.js": "", "test/a.test.js": text }, "src/paint.js");
    for (const name of ["v28", "v29", "i28", "i29"]) expect(test?.sample).toContain(`code: "${name}"`);
    expect(test?.sample).not.toContain('"v20"');
  });
});

describe("the changelog", () => {
  const entries = (count: number, word: string) =>
    Array.from({ length: count }, (_, at) => `- ${word} ${at}\n`).join("");
  it.each<[string, string, readonly string[], readonly string[]]>([
    [
      "its whole unreleased section",
      `# Changes\n\n## Unreleased\n\n${entries(20, "new")}\n## 2.0\n\n${entries(30, "old")}`,
      ["new 0", "new 19"],
      ["old 3"],
    ],
    ["of a released one the beginning", `# Changes\n\n## 2.0\n\n${entries(30, "old")}`, ["old 1"], ["old 12"]],
  ])("shows %s", async (_name, text, shown, hidden) => {
    const shop = await openWorkshop({ files: { "CHANGES.md": text } });
    const content = (await viewChangelog(await openRepositoryView(shop.tools)))?.content ?? "";
    for (const line of shown) expect(content).toContain(`- ${line}`);
    for (const line of hidden) expect(content).not.toContain(`- ${line}`);
  });
});
