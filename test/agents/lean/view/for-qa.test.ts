import { describe, expect, it } from "@jest/globals";
import { viewDiff } from "../../../../src/agents/lean/view/diffs.ts";
import { viewForQa } from "../../../../src/agents/lean/view/for-qa.ts";
import { findCallees, findUses } from "../../../../src/agents/lean/view/related-code.ts";
import { openRepositoryView } from "../../../../src/agents/lean/view/repository-view.ts";
import { unifiedDiff } from "../../../../src/code/edits/diff.ts";
import { numberLines } from "../../../../src/code/edits/numbered.ts";
import type { MadePlan } from "../../../../src/data/plan.ts";
import { sampleTask } from "../../../fakes/sample-task.ts";
import { openWorkshop } from "../../../workflow/open-workshop.ts";

const STORE =
  "export class Store {\n  limit = 1;\n\n  load(key) {\n    return key;\n  }\n\n  save(key) {\n    return key;\n  }\n}\n";
const FILES: Readonly<Record<string, string>> = {
  "src/store.js": STORE,
  "src/shop.js": "import { Store } from './store.js';\nconst store = new Store();\nstore.load(1);\n",
  "src/desk.js": "import { Store } from './store.js';\nnew Store().save(2);\n",
  "test/store.test.js": "test('a', () => {});\n",
  "README.md": "Call `store.load(1)`.\n",
  "docs/index.html": "<code>store.load(1)</code>\n",
};

function changed(path: string, after: string, earlier = FILES[path] ?? "") {
  const [before, content] = [Buffer.from(earlier), Buffer.from(after)];
  return { task: sampleTask({ path }), before, change: { content, diff: unifiedDiff(path, before, content) } };
}

async function viewing(
  team: readonly ReturnType<typeof changed>[],
  { files = FILES, at, view }: { files?: Readonly<Record<string, string>> } & Pick<MadePlan, "at" | "view"> = {},
) {
  const shop = await openWorkshop({ files });
  const { issue, parser } = shop.tools;
  const repositoryView = await openRepositoryView(shop.tools);
  const overlay = new Map(team.map(({ task, change }) => [task.path, change.content]));
  return viewForQa(team, { issue, plan: { at, view }, repositoryView, parser, overlay });
}
const uses = async (...team: readonly ReturnType<typeof changed>[]) => (await viewing(team)).uses;

describe("the uses shown to QA", () => {
  it("are those of the changed method, not of its class", async () => {
    const shown = await uses(
      changed("src/store.js", STORE.replace("load(key) {\n    return key", "load(key) {\n    return key + 1")),
    );
    expect(shown).toContain("src/shop.js:3: store.load(1);");
    expect(shown).not.toMatch(/README|html/);
    expect(shown).not.toContain("new Store()");
  });

  it("include those of the class only when the class itself changes, not when it gains a method", async () => {
    const added = STORE.replace("  save(key)", "  drop() {\n    return 0;\n  }\n\n  save(key)");
    expect(await uses(changed("src/store.js", added))).not.toContain("Store()");
    const renamed = STORE.replace("class Store {", "class Store extends Base {");
    expect(await uses(changed("src/store.js", renamed))).toContain("const store = new Store();");
  });
});

it("shows QA the uses of the innermost function that changed", async () => {
  const far = "const space = 0;\n".repeat(30);
  const before = `function makeShop() {\n  function price(key) {\n    return key;\n  }\n${far}  return price(2);\n}\n`;
  const change = changed("src/store.js", before.replace("return key;", "return key + 1;"), before);
  const files = { "src/store.js": before, "src/desk.js": "makeShop();\n" };
  expect((await viewing([change], { files })).uses).toBe("price:\nsrc/store.js:35: return price(2);  [in makeShop]");
});

describe("what QA is shown of the uses of a name that other files declare, too", () => {
  const changedStore = changed(
    "src/store.js",
    STORE.replace("load(key) {\n    return key", "load(key) {\n    return 1"),
  );
  const OTHER = "export class Other {\n  load(key) {\n    return key;\n  }\n}\n";
  const usesIn = async (files: Readonly<Record<string, string>>) =>
    (await viewing([changedStore], { files: { "src/store.js": STORE, "lib/other.js": OTHER, ...files } })).uses;

  it.each([
    ["neither imports it nor is in its folder", "app/a.js", "one.load(1);\n", ""],
    ["imports the other", "app/a.js", "import { Other } from '../lib/other.js';\none.load(1);\n", ""],
    [
      "imports it",
      "app/a.js",
      "import { Store } from '../src/store.js';\none.load(1);\n",
      "load:\napp/a.js:2: one.load(1);",
    ],
    ["is in its folder", "src/a.js", "one.load(1);\n", "load:\nsrc/a.js:1: one.load(1);"],
  ])("of a file that %s", async (_what, path, text, expected) => {
    expect(await usesIn({ [path]: text })).toBe(expected);
  });
});

describe("functions shown to QA", () => {
  const body = (lines: number) => `{\n${"  step();\n".repeat(lines)}  return 1;\n}\n`;
  const right = `export function findRight(at) ${body(2)}`;
  const OTHERS = {
    "src/store.js": STORE,
    "src/tokens.js": `${right}export function longOne(at) ${body(40)}`,
    "src/a.js": `export function often() ${body(1)}`,
    "src/b.js": `export function often() ${body(1)}`,
    "src/c.js": `export function often() ${body(1)}`,
    "test/helpers.js": `export function onlyOfTests() ${body(1)}`,
  };
  const calling = async (line: string, view?: MadePlan["view"]) => {
    const text = STORE.replace("    return key;\n", `    ${line}\n`);
    return (await viewing([changed("src/store.js", text)], { files: OTHERS, view })).called;
  };
  const viewOf = (content: string) => ({
    files: [{ path: "src/tokens.js", content, size: 48, whole: false }],
    others: [],
    tests: [],
    note: null,
  });

  it("include a short one that new lines call by an unambiguous name, whole", async () => {
    expect(await calling("return this.tokens.findRight(key);")).toBe(
      "src/tokens.js\n1|export function findRight(at) {\n2|  step();\n3|  step();\n4|  return 1;\n5|}",
    );
  });

  it("include one of the changed file that its diff does not show", async () => {
    const far = "const space = 0;\n".repeat(30);
    const before = `function rounded(value) {\n  return value;\n}\n${far}function main() {\n  return 1;\n}\n`;
    const source = changed("src/store.js", before.replace("return 1;", "return rounded(1);"), before);
    const { called } = await viewing([source]);
    expect(called).toBe("src/store.js\n1|function rounded(value) {\n2|  return value;\n3|}");
  });

  it.each([
    ["long", "return longOne(key);"],
    ["declared in many files", "return often(key);"],
    ["declared only in tests", "return onlyOfTests(key);"],
    ["shown by the diff", "return this.save(key);"],
    ["declared nowhere", "return JSON.stringify(key);"],
    ["declared in another letter case", "return new FindRight(key);"],
    ["only mentioned", "return key; // findRight does it"],
  ])("exclude one that is %s", async (_, line) => {
    expect(await calling(line)).toBe("");
  });

  it("exclude one that the Manager was shown whole, not one of which it saw the head", async () => {
    const call = "return findRight(key);";
    const lines = right.split("\n").map((line, at) => `${at + 1}|${line}`);
    expect(await calling(call, viewOf(lines.join("\n")))).toBe("");
    const folded = await calling(call, viewOf(["1|export function findRight(at) {", "⋮"].join("\n")));
    expect(folded).toContain("4|  return 1;");
  });

  it("exclude what only a test calls", async () => {
    const test = changed("test/store.test.js", "test('a', () => findRight());\n", "");
    expect((await viewing([test], { files: OTHERS })).called).toBe("");
  });
});

it("takes lines of the Manager's view for shown only where the file still has them", async () => {
  const files = { ...FILES, "test/a.test.js": "first();\nnew();\nlast();\n" };
  const tests = [{ path: "test/a.test.js", names: "", sample: "1|first();\n2|last();" }];
  const view = { files: [], others: [], tests, note: null };
  const { seen } = await viewing([changed("src/store.js", STORE.replace("return key;", "return 1;"))], { files, view });
  expect(seen.get("test/a.test.js")).toEqual(new Set([1]));
});

describe("the line at fault shown to QA", () => {
  const steps = (name: string) => `function ${name}() {\n  start("${name}");\n${"  step();\n".repeat(8)}  end();\n}\n`;
  const [space, again] = ["\n".repeat(60), 'function third() {\n  start("second");\n}\n'];
  const before = `${steps("first")}${space}${steps("second")}${space}${again}`;
  const team = [changed("src/long.js", before.replace("  end();", "  more();\n  end();"), before)];

  it.each([
    ["once, where the diff shows it", 11, ""],
    ["with what is around it, and its new number, where the diff does not", 74, '75|  start("second");'],
    ["where the Manager means, not where there is another like it", 146, '147|  start("second");'],
    ["not at all, where there is no such line", 999, ""],
  ])("stands there %s", async (_where, line, fault) => {
    const files = { ...FILES, "src/long.js": before };
    const { called } = await viewing(team, { files, at: { path: "src/long.js", line } });
    if (fault === "") expect(called).toBe("");
    else expect(called).toContain(fault);
  });
});

describe("uses in the changed file itself", () => {
  it("are shown as lines with their function", async () => {
    const far = "const space = 0;\n".repeat(30);
    const before = `function store(key) {\n  return key;\n}\n${far}function main() {\n  store(7);\n}\n`;
    const change = changed("src/store.js", before.replace("return key;", "return key + 1;"), before);
    expect((await viewing([change])).uses).toContain("src/store.js:35: store(7);  [in main]");
  });
});

describe("a change shown to QA", () => {
  const lines = Array.from({ length: 120 }, (_, at) => `  step(${at});\n`).join("");
  const view = async (path: string, before: string, after: string, planned?: MadePlan["view"]) => {
    const { parser } = (await openWorkshop({ files: FILES })).tools;
    return viewDiff({ path, before: Buffer.from(before), after: Buffer.from(after), view: planned }, parser);
  };

  it("includes the lines around removed ones", async () => {
    const shown = await view("src/a.js", lines, lines.replace("  step(50);\n", ""));
    expect(shown).toMatch(/^41 {3}step\(40\);\n[\s\S]*\n- {2}step\(50\);\n[\s\S]*step\(60\);$/);
  });

  it("includes more lines around code that QA was not shown before than around other changes, and the function", async () => {
    const code = `function main() {\n${lines}}\n`;
    const shown = await view("src/a.js", code, code.replace("step(20)", "stop(20)"));
    expect(shown).toMatch(/^1 function main\(\) \{\n⋮\n12 {3}step\(10\);\n/);
    expect(shown.split("\n")).toHaveLength(2 + 10 + 2 + 10);
    const knowing = async (last: number) => {
      const content = numberLines(code.split("\n").slice(0, last));
      const planned = {
        files: [{ path: "src/a.js", content, size: 122, whole: false }],
        others: [],
        tests: [],
        note: null,
      };
      return (await view("src/a.js", code, code.replace("step(20)", "stop(20)"), planned)).split("\n");
    };
    expect(await knowing(32)).toHaveLength(2 + 3 + 2 + 3);
    expect(await knowing(24)).toHaveLength(2 + 10 + 2 + 10);
    const test = await view("test/a.test.js", code, code.replace("step(20)", "stop(20)"));
    expect(test.split("\n")).toHaveLength(3 + 2 + 3);
    const log = Array.from({ length: 30 }, (_, at) => `- ${at} ${"long ".repeat(100)}\n`).join("");
    const entry = await view("CHANGELOG.md", log, log.replace("- 7 ", "- new\n- 7 "));
    expect(entry.split("\n")).toHaveLength(3);
    expect(entry.length).toBeLessThan(600);
  });
});

describe("hasTests", () => {
  it.each([
    ["a file of tests at the top", { "test.js": "ok();\n" }, true],
    ["tests of another form", { "tests/page.html": "<p>\n" }, true],
    ["recorded data alone", { "fixtures/in.txt": "in\n" }, true],
    ["tests in Rust's sources", { "src/lib.rs": "fn a() {}\n#[cfg(test)]\nmod tests {\n}\n" }, true],
    ["a doctest", { "a.py": 'def a():\n    """\n    >>> a()\n    1\n    """\n' }, true],
    ["no test", { "src/lib.rs": "fn attest() {}\n", "src/contest.js": "test();\n" }, false],
  ])("judges %s", async (_name, files, expected) => {
    const shop = await openWorkshop({ files });
    const view = await openRepositoryView(shop.tools);
    expect(await view.hasTests()).toBe(expected);
  });

  it("counts a test that the change adds", async () => {
    const shop = await openWorkshop({ files: { "src/a.js": "a();\n" } });
    const view = await openRepositoryView(shop.tools);
    expect(await view.hasTests(new Map([["src/a.test.js", Buffer.from("test();\n")]]))).toBe(true);
  });
});

describe("the program's own look-ups", () => {
  it("do not depend on the wording of the tools", async () => {
    const files = {
      "src/sums.js": "export function addUp(items) {\n  return items.length;\n}\n",
      "src/invoice.js": 'import { addUp } from "./sums.js";\nexport const total = (items) => addUp(items);\n',
    };
    const shop = await openWorkshop({ files });
    const view = await openRepositoryView(shop.tools);
    const toolset: typeof view.toolset = (turns, more) => {
      const given = view.toolset(turns, more);
      return given && { ...given, tools: given.tools.map((tool) => ({ ...tool, run: async () => "in other words" })) };
    };
    const lookedUp = async (repositoryView: typeof view) => [
      await findUses([{ name: "addUp", path: "src/sums.js" }], {
        repositoryView,
        parser: shop.tools.parser,
        overlay: new Map(),
        seen: new Map(),
        most: 3_000,
      }),
      await findCallees("addUp(1)", { repositoryView, overlay: new Map(), except: new Set() }),
    ];
    const found = await lookedUp(view);
    expect(found).toEqual([
      expect.stringContaining("src/invoice.js:2: "),
      [expect.objectContaining({ path: "src/sums.js", start: 1, end: 3 })],
    ]);
    expect(await lookedUp({ ...view, toolset })).toEqual(found);
  });
});
