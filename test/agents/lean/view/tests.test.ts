import { describe, expect, it } from "@jest/globals";
import { numbersIn } from "../../../../src/code/edits/numbered.ts";
import { viewing } from "./viewing-tests.ts";

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

  it("exists for a second test that may change or is nearly as likely, and for no third", async () => {
    const test = (name: string) => `${head}it("${name} colour", () => paint());\n`;
    const paths = ["test/a.test.js", "test/b.test.js", "test/c.test.js", "test/d.test.js"];
    const files = { "src/paint.js": "", ...Object.fromEntries(paths.map((path) => [path, test(path)])) };
    const tests = await viewing(files, "src/paint.js", { changed: paths });
    expect(tests.map(({ sample }) => sample !== "")).toEqual([true, true, false]);
    const unnamed = await viewing(files, "src/paint.js");
    expect(unnamed.map(({ sample }) => sample !== "")).toEqual([true, true, false]);
    const history = Array.from({ length: 9 }, () => ["a change", "src/paint.js", "test/c.test.js"] as const);
    const clear = await viewing(files, "src/paint.js", { history });
    expect(clear.map(({ path, sample }) => [path, sample !== ""])[0]).toEqual(["test/c.test.js", true]);
    expect(clear.slice(1).map(({ sample }) => sample)).toEqual(["", ""]);
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
