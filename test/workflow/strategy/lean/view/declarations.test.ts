import { describe, expect, it } from "@jest/globals";
import {
  beginningOf,
  namedDeclarations,
  nearestParts,
} from "../../../../../src/workflow/strategy/lean/view/declarations.ts";
import { neighboursOf } from "../../../../../src/workflow/strategy/lean/view/neighbours.ts";
import { computingTime } from "../../../../fakes/computing-time.ts";
import { sharedParser } from "../../../../fakes/shared-parser.ts";

async function parse(path: string, text: string, names: readonly string[] = []) {
  const lines = text.split(/(?<=\n)/);
  return { lines, symbols: (await sharedParser.symbols(path, text)) ?? [], names };
}

const shownOf = (lines: readonly string[], spans: readonly { start: number; end: number }[]) =>
  spans.map(({ start, end }) => lines.slice(start - 1, end).join(""));

describe("the declarations of a name", () => {
  const js = "class A {\n  run() {\n    return 1;\n  }\n}\n\n/** Runs. */\nfunction run() {\n  return 2;\n}\n";
  const py = "def other():\n    pass\n\n# Says why.\n@cached\ndef run():\n    return 1\n";
  const rs = "struct A;\nimpl A {\n    /// Runs.\n    fn run(&self) {\n        go();\n    }\n}\n";
  it.each([
    ["a method", "a.js", js, "A.run", "  run() {\n    return 1;\n  }\n"],
    ["a function with its comment", "a.js", js, "run()", "/** Runs. */\nfunction run() {\n  return 2;\n}\n"],
    ["decorators", "a.py", py, "run", "# Says why.\n@cached\ndef run():\n    return 1\n"],
    ["Rust's methods", "a.rs", rs, "A::run", "    /// Runs.\n    fn run(&self) {\n        go();\n    }\n"],
  ])("include %s", async (_name, path, text, name, expected) => {
    const file = await parse(path, text, [name, name]);
    expect(shownOf(file.lines, namedDeclarations(file))).toEqual([expected]);
  });

  it.each(["#go", "Queue.#go", "Queue#stop", "#stop", "stop"])(
    "include private and public methods: %s",
    async (name) => {
      const text = "class Queue {\n  #go() {\n    return 1;\n  }\n\n  stop() {\n    return 2;\n  }\n}\n";
      const file = await parse("queue.ts", text, [name]);
      const [own] = shownOf(file.lines, namedDeclarations(file));
      expect(own).toBe(name.includes("go") ? "  #go() {\n    return 1;\n  }\n" : "  stop() {\n    return 2;\n  }\n");
    },
  );

  it("include all overloads of a class, and nothing of another class", async () => {
    const java =
      "class A {\n  int add(int a) {\n    return a;\n  }\n\n  int add(long a) {\n    return 2;\n  }\n}\nclass B {\n  int add() {\n    return 3;\n  }\n}\n";
    const file = await parse("A.java", java, ["A.add"]);
    const shown = shownOf(file.lines, namedDeclarations(file)).join("");
    expect(shown).toContain("add(int a)");
    expect(shown).toContain("add(long a)");
    expect(shown).not.toContain("return 3");
  });

  it("are none for an unknown name", async () => {
    expect(namedDeclarations(await parse("a.js", js, ["gone"]))).toEqual([]);
  });
});

describe("the neighbours of a named function", () => {
  const none = ({ lines }: { lines: readonly string[] }) => lines.map(() => 0);
  const long = (name: string) => `function ${name}() {\n${"  step();\n".repeat(60)}}\n`;
  const text = `import a from "a";\nimport b from "b";\n\nfunction short() {\n  return 1;\n}\n${long("tall")}function run() {\n  return short() + tall();\n}\nfunction caller() {\n  before();\n  return run();\n}\n${long("distant").replace(/\}\n$/, "  run();\n}\n")}function stranger() {\n  return 1;\n}\n`;

  it("are its callees, short ones whole, and its callers", async () => {
    const file = await parse("a.js", text, ["run"]);
    const shown = shownOf(file.lines, neighboursOf(file, namedDeclarations(file), none(file)));
    expect(shown).toContain("function short() {\n  return 1;\n}\n");
    expect(shown).toContain("function tall() {\n  step();\n  step();\n");
    expect(shown).toContain("function caller() {\n  before();\n  return run();\n}\n");
    expect(shown).toContain("function distant() {\n");
    expect(shown).toContain("  step();\n  run();\n}\n");
    expect(shown.join("")).not.toContain("stranger");
  });

  it("are its own callees, then what sets its fields, then methods of other objects with the same names", async () => {
    const text = `class Scanner {\n  scan(text) {\n    return text;\n  }\n}\nclass Parser {\n  prepare() {\n    this.value = /x/;\n  }\n  step() {\n    return this.scanner.scan(this.value) + this.own() + helper();\n  }\n  own() {\n    return 1;\n  }\n}\nfunction helper() {\n  return 2;\n}\n`;
    const file = await parse("a.js", text, ["step"]);
    const shown = neighboursOf(file, namedDeclarations(file), none(file));
    expect(shown.map(({ start }) => start).slice(0, 4)).toEqual([13, 17, 7, 2]);
  });

  it("are the uses of a named constant, with short functions whole", async () => {
    const text = `const SCOPES = ["svg"];\nfunction isScope(name) {\n  return SCOPES.includes(name);\n}\n${long("tall").replace("step();", "step(SCOPES);")}function other() {\n  const local = 1;\n  return local;\n}\n`;
    const file = await parse("a.js", text, ["SCOPES"]);
    const shown = shownOf(file.lines, neighboursOf(file, namedDeclarations(file), none(file))).join("");
    expect(shown).toContain("function isScope(name) {\n  return SCOPES.includes(name);\n}\n");
    expect(shown).toContain("step(SCOPES);");
    expect(shown).not.toContain("local");
  });

  it("begin with the assignments nearest to the issue, without fields that are set all over the file", async () => {
    const sets = (name: string, field: string) => `def ${name}\n  @${field} = 1\nend\n`;
    const text = `${sets("one", "far")}${sets("two", "near")}${["a", "b", "c"].map((name) => sets(name, "often")).join("")}def run\n  @far + @near + @often\nend\n`;
    const file = await parse("a.rb", text, ["run"]);
    const scores = file.lines.map((line) => (line.includes("@near =") ? 1 : 0));
    expect(neighboursOf(file, namedDeclarations(file), scores).map(({ start }) => start)).toEqual([4, 1]);
  });

  it.each([
    ["a line of one long word", `${"a".repeat(300_000)}\n`],
    ["a line of spaces after a word", `word${" ".repeat(300_000)}x\n`],
    ["very many functions that call each other", ""],
    [
      "very many fields that are read and set",
      Array.from({ length: 20_000 }, (_, at) => `this.f${at} = this.g${at};`).join("\n"),
    ],
  ])("are found quickly in a file with %s", (_name, line) => {
    const count = 8_000;
    const lines = Array.from({ length: count * 2 }, (_, at) =>
      at % 2 ? "}\n" : `function f${at}() { f${at + 2}(this.f${at}); this.f${at} = this.g${at};\n`,
    );
    const symbols = Array.from({ length: count }, (_, at) => ({
      name: `f${at * 2}`,
      kind: "function",
      start: at * 2 + 1,
      end: at * 2 + 2,
    }));
    const named = [{ start: 1, end: count }];
    const began = computingTime();
    const file = { lines: [...lines, line], symbols, names: [] };
    neighboursOf(file, named, none(file));
    expect(computingTime() - began).toBeLessThan(20_000);
  });

  it("begin with the file's imports", async () => {
    const file = await parse("a.js", text);
    expect(shownOf(file.lines, [beginningOf(file)])).toEqual(['import a from "a";\nimport b from "b";\n']);
  });
});

describe("a declaration in a file to read", () => {
  it("is shown whole when it is short", () => {
    expect(nearestParts([{ start: 5, end: 30 }], [])).toEqual([{ start: 5, end: 30 }]);
  });

  it("is cut to its beginning and the lines nearest to the issue when it is long", () => {
    const scores = Array.from({ length: 200 }, () => 0)
      .with(149, 9)
      .with(100, 2)
      .with(199, 20);
    expect(nearestParts([{ start: 50, end: 152 }], scores)).toEqual([
      { start: 50, end: 54 },
      { start: 145, end: 152 },
      { start: 96, end: 106 },
    ]);
  });
});
