import { describe, expect, it } from "@jest/globals";
import { foundDeclarations, namedDeclarations } from "../../../../src/agents/lean/view/declarations.ts";
import { sharedParser } from "../../../fakes/shared-parser.ts";

async function parse(path: string, text: string) {
  return { lines: text.split(/(?<=\n)/), symbols: (await sharedParser.symbols(path, text)) ?? [] };
}

async function shownOf(path: string, text: string, ...names: readonly string[]) {
  const file = await parse(path, text);
  return namedDeclarations(file, names).map((shown) => shown.map((at) => file.lines[at - 1]).join(""));
}

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
    expect(await shownOf(path, text, name, name)).toEqual([expected]);
  });

  it.each(["#go", "Queue.#go", "Queue#stop", "#stop", "stop"])(
    "include private and public methods: %s",
    async (name) => {
      const text = "class Queue {\n  #go() {\n    return 1;\n  }\n\n  stop() {\n    return 2;\n  }\n}\n";
      const [own] = await shownOf("queue.ts", text, name);
      expect(own).toBe(name.includes("go") ? "  #go() {\n    return 1;\n  }\n" : "  stop() {\n    return 2;\n  }\n");
    },
  );

  it("include all overloads of a class, and nothing of another class", async () => {
    const java =
      "class A {\n  int add(int a) {\n    return a;\n  }\n\n  int add(long a) {\n    return 2;\n  }\n}\nclass B {\n  int add() {\n    return 3;\n  }\n}\n";
    const shown = (await shownOf("A.java", java, "A.add")).join("");
    expect(shown).toContain("add(int a)");
    expect(shown).toContain("add(long a)");
    expect(shown).not.toContain("return 3");
  });

  it("are none for an unknown name", async () => {
    expect(await shownOf("a.js", js, "gone")).toEqual([]);
  });
});

describe("a long class that is named", () => {
  it("is shown by its head and the heads of its methods", async () => {
    const method = (name: string) => `  ${name}() {\n${"    step();\n".repeat(40)}  }\n`;
    const file = await parse(
      "a.js",
      `class Shop {\n  limit = 1;\n${["open", "close", "count"].map(method).join("")}}\n`,
    );
    const [shown = []] = namedDeclarations(file, ["Shop"]);
    expect(shown.map((at) => file.lines[at - 1]?.trim())).toEqual([
      "class Shop {",
      "limit = 1;",
      "open() {",
      "close() {",
      "count() {",
    ]);
  });
});

describe("what is found near to the issue", () => {
  const long = (name: string, count: number) => `function ${name}() {\n${"  step();\n".repeat(count)}}\n`;
  const found = async (text: string, ...hits: readonly number[]) => {
    const file = await parse("a.js", text);
    const scores = file.lines.map((_, at) => (hits.includes(at + 1) ? 1 : 0));
    const open = { ...file, path: "a.js", scores, imports: [], folded: new Set<number>() };
    return foundDeclarations(open).map(({ start, end }) => [start, end]);
  };

  it("is the function around a line, and in a very long one the lines around it", async () => {
    expect(await found(`${long("one", 20)}${long("two", 30)}`, 30)).toEqual([[23, 54]]);
    expect(await found(long("one", 150), 70)).toEqual([[62, 78]]);
  });

  it("is a long function whole for several lines in it", async () => {
    expect(await found(long("one", 150), 30, 120)).toEqual([
      [1, 152],
      [1, 152],
    ]);
  });
});
