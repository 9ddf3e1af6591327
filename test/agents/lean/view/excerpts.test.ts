import { describe, expect, it } from "@jest/globals";
import { aboutIssue } from "../../../../src/agents/lean/view/about-issue.ts";
import { foundDeclarations, namedDeclarations, nearestLines } from "../../../../src/agents/lean/view/declarations.ts";
import { type Excerpt, fillBudget, openFile } from "../../../../src/agents/lean/view/excerpts.ts";
import { linesIn, numbersIn } from "../../../../src/code/edits/numbered.ts";
import { sampleIssue } from "../../../fakes/sample-issue.ts";
import { sharedParser } from "../../../fakes/shared-parser.ts";
import { fc } from "../../../seeded.ts";

const open = (path: string, text: string) => openFile(path, Buffer.from(text), { parser: sharedParser });
const excerpt = (start: number, end: number, more: Partial<Excerpt> = {}): Excerpt => ({
  path: "a.js",
  lines: linesIn({ start, end }),
  why: "",
  worth: 1,
  ...more,
});
const steps = (count: number) => Array.from({ length: count }, (_, at) => `step(${at});\n`).join("");

describe("openFile", () => {
  it("holds the lines that the issue links to for the nearest", async () => {
    const { terms, links } = aboutIssue({
      ...sampleIssue(),
      discussion: [],
      body: "step(3) is wrong: https://github.com/a/b/blob/main/lib/a.js#L7-L8",
    });
    const { scores } = await openFile("lib/a.js", Buffer.from(steps(9)), { parser: sharedParser, terms, links });
    const [first, second, ...others] = nearestLines({ lines: steps(9).split(/(?<=\n)/), scores });
    expect([first, second]).toEqual([7, 8]);
    expect(others).not.toEqual([]);
  });
});

describe("aboutIssue", () => {
  it.each([
    'if __name__ == "__main__":',
    "  if __FILE__ == $0",
    "if (require.main === module) {",
    "package main",
    "int main(int argc, char **argv) {",
    "public static void main(String[] args) {",
  ])("does not count the words of a line that only starts an example: %s", (line) => {
    const of = (body: string) => {
      const { terms, exact } = aboutIssue({ ...sampleIssue(), discussion: [], title: "It fails", body });
      return [...terms.keys(), ...exact];
    };
    expect(of(`\`\`\`\n${line}\n  run_it()\n\`\`\``)).toEqual(of("run_it()"));
    expect(of(`What does \`${line.trim()}\` say?`).length).toBeGreaterThan(of("What does this say?").length);
  });

  it("leaves the project's own name out, however it is joined, and no word that only begins so", () => {
    const title = "`acmeApp` (acme_app) ignores the `acmeAppKit` of an app";
    const { terms, exact } = aboutIssue({ ...sampleIssue(), discussion: [], title, body: "" }, "acme-app");
    expect([...terms.keys()]).toEqual(["acm", "app", "ignor", "acmeappkit", "kit"]);
    expect([...exact]).toEqual(["acmeAppKit"]);
  });
});

describe("fillBudget", () => {
  it("shows what is worth most, and names what found no room as what it is", async () => {
    const file = await open("a.js", steps(200));
    const excerpts = [excerpt(100, 180, { why: "chosen" }), excerpt(10, 14, { worth: 2 })];
    const [shown] = fillBudget(excerpts, [file], { budget: 200 });
    expect(shown?.content).toBe(
      "⋮\n10|step(9);\n11|step(10);\n12|step(11);\n13|step(12);\n14|step(13);\n⋮ chosen, no room: 100-180",
    );
  });

  it("never shows a line that is seen, nor more than its budget and the heads of a gap or two", async () => {
    const file = await open("a.js", steps(300));
    const span = fc.tuple(fc.integer({ min: 1, max: 300 }), fc.nat(60), fc.nat(9), fc.nat(60));
    const seen = new Map([["a.js", new Set(linesIn({ start: 50, end: 90 }))]]);
    fc.assert(
      fc.property(fc.array(span, { maxLength: 12 }), fc.nat(3_000), (spans, budget) => {
        const excerpts = spans.map(([start, length, worth, cutTo]) => excerpt(start, start + length, { worth, cutTo }));
        const [shown] = fillBudget(excerpts, [file], { budget, seen });
        const numbers = numbersIn(shown?.content ?? "");
        expect(numbers.filter((at) => at > 53 && at < 87)).toEqual([]);
        expect(numbers).toEqual([...new Set(numbers)].sort((a, b) => a - b));
        expect((shown?.content ?? "").length).toBeLessThanOrEqual(budget * 1.5 + 200);
      }),
    );
  });

  it.each([
    ["a.rs", "#[test]\n#[cfg(any(\n    unix,\n))]\nfn wanted() {\n    go();\n}\n"],
    ["A.java", "/** Says why. */\n@Test(\n    timeout = 1\n)\nvoid wanted() {\n    go();\n}\n"],
    ["a.py", "# Says why.\n@mark.parametrize(\n    'a', [1],\n)\ndef wanted(a):\n    go()\n"],
    ["a.ts", "@Wide({\n  a: 1,\n})\n@Narrow()\nwanted() {\n    go();\n}\n"],
  ])("begins a declaration where its attributes and comment begin: %s", async (path, text) => {
    const isMember = /java$|ts$/.test(path);
    const lines = isMember ? `class Holder {\n${text}}\n` : `\n${text}`;
    const file = await open(path, `${lines}${"\n".repeat(9)}`);
    const { start, end } = file.symbols.find(({ name }) => name === "wanted") ?? { start: 0, end: 0 };
    const excerpts = [{ ...excerpt(start, end, { path }) }];
    const [shown] = fillBudget(excerpts, [file], { budget: 900 });
    const count = text.trimEnd().split("\n").length;
    expect(numbersIn(shown?.content ?? "").filter((at) => at > 1)).toEqual(linesIn({ start: 2, end: count + 1 }));
  });

  it("shows of a list of imports only what is used", async () => {
    const names = "abcdefghij".split("").map((name) => `    ${name}${name},\n`);
    const text = `import os\nimport re\nfrom one import (\n${names.join("")})\n${"x = 1\n".repeat(9)}\nuse(bb, ee, hh)\n`;
    const [shown] = fillBudget([excerpt(25, 25, { path: "a.py" })], [await open("a.py", text)], { budget: 900 });
    expect(numbersIn(shown?.content ?? "")).toEqual([3, 5, 8, 11, 14, 25]);
  });

  it("shows the declarations around, used imports, no lone blank lines, and long prose by its beginning", async () => {
    const doc = `    """First line.\n\n${"    more words\n".repeat(20)}    """\n`;
    const text = `import os\nimport re\n${"x = 1\n".repeat(4)}\n${"x = 1\n".repeat(4)}\nclass Shop:\n${"    y = 1\n".repeat(9)}\n    def open(self):\n${doc}        return os.path\n`;
    const file = await open("a.py", text);
    const [shown] = fillBudget([{ ...excerpt(23, 60, { path: "a.py" }) }, excerpt(7, 7, { path: "a.py" })], [file], {
      budget: 9_000,
    });
    expect(shown?.content.split("\n")).toEqual([
      "1|import os",
      "⋮",
      "13|class Shop:",
      "⋮",
      "23|",
      "24|    def open(self):",
      '25|    """First line.',
      "26|",
      "⋮",
      "48|        return os.path",
    ]);
  });

  it.each([
    ["a.py", "import shop.cart\n", "import shop.till\n", "close(shop, shop.till, cart_of)\n"],
    ["a.py", "from shop.cart import Cart\n", "from shop.money import Till\n", "Till(shop, shop.money)\n"],
    ["a.js", "import { Cart } from './shop/till'\n", "import { Till } from './shop/cart'\n", "new Till(shop)\n"],
    ["a.js", "import { Cart } from 'shop'\n", "import { Till } from 'shop'\n", "new Till('shop/cart')\n"],
    ["a.ts", "export type { Cart } from './cart'\n", "import { till } from './till'\n", "export const shop = till\n"],
    ["a.go", 'import "example.com/shop/cart"\n', 'import "example.com/shop/till/v2"\n', "till.Close(example, shop)\n"],
    ["A.java", "import shop.money.Cart;\n", "import shop.money.Till;\n", "class A { Till shop; int money; }\n"],
  ])("takes only the last word of an import's path for a name: %s, %s", async (path, other, used, code) => {
    const file = await open(path, `${other.repeat(5)}${used}${other.repeat(5)}${code}`);
    const [shown] = fillBudget([excerpt(12, 12, { path })], [file], { budget: 9_000 });
    expect(numbersIn(shown?.content ?? "")).toEqual([6, 12]);
  });
});

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
    expect(await found(long("one", 250), 70)).toEqual([[62, 78]]);
  });
});
