import { describe, expect, it } from "@jest/globals";
import { createLeanCustodian } from "../../../../src/agents/lean/agents.ts";
import { viewCandidates } from "../../../../src/agents/lean/view/candidates.ts";
import { viewForManager } from "../../../../src/agents/lean/view/for-manager.ts";
import { openRepositoryView } from "../../../../src/agents/lean/view/repository-view.ts";
import type { Candidate } from "../../../../src/data/plan.ts";
import type { FakeCall, FakeScript } from "../../../fakes/create-fake-model.ts";
import { fc } from "../../../seeded.ts";
import { openWorkshop } from "../../../workflow/open-workshop.ts";

describe("viewForManager", () => {
  /** Functions of three lines each; number n begins 3 n lines below the first. */
  const filler = (name: string, count = 120) =>
    Array.from({ length: count }, (_, at) => `function ${name}${at}() {\n  return "${"x".repeat(60)}";\n}\n`).join("");
  const FILES = {
    "src/invoice.js": `import { addUp } from "./sums.js";\n${filler("early")}class Invoice {\n  first() {\n    return 1;\n  }\n  total(items) {\n    const sum = addUp(items);\n    if (sum > 9) {\n      return 9;\n    }\n    return sum;\n  }\n}\n${filler("late")}`,
    "src/sums.js": `${filler("sum")}function addUp(items) {\n  return items.length;\n}\n`,
    "src/far.js": "export function far() {\n  return 3;\n}\n",
    "test/invoice.test.js": `${filler("help")}test("a", () => {\n  expect(1).toBe(1);\n});\n`,
    "package-lock.json": "{}\n",
  };
  const TOTAL = 366;

  async function chosenLines(
    answer: FakeScript[string],
    {
      of = ["src/invoice.js", "src/sums.js"],
      ablate = [],
      files = FILES,
      issue = {},
    }: {
      issue?: { title?: string; body?: string };
      files?: Readonly<Record<string, string>>;
      of?: readonly string[];
      ablate?: readonly ("tools" | "lines")[];
    } = {},
  ) {
    const shop = await openWorkshop({ files, script: { "c03-choose-lines": answer }, settings: { ablate } });
    const candidates = of
      .filter((path) => path in files)
      .map(
        (path): Candidate => ({
          ...shop.candidate(path),
          use: path === "src/sums.js" ? "read" : undefined,
          names: [path === "src/sums.js" ? "addUp" : "total"],
        }),
      );
    const repositoryView = await openRepositoryView(shop.tools);
    const { chooseLines } = createLeanCustodian(shop.tools.prompts);
    const about = { ...shop.tools, issue: { ...shop.tools.issue, ...issue } };
    const choose = () =>
      viewForManager({ ...about, candidates, repositoryView }, (shown, more) =>
        chooseLines(shop.tools.issue, shown, more),
      );
    const view = await choose();
    const shownOf = (path: string) => view.files.find((file) => file.path === path)?.content ?? "";
    const byName = () => viewCandidates({ ...shop.tools, candidates, repositoryView });
    return { ...shop, view, choose, shownOf, byName };
  }
  const lines = (...places: readonly string[]) => ({ lines: places });

  it("shows the places that the Custodian chose, with imports and enclosing declarations", async () => {
    const { view, shownOf, of } = await chosenLines(
      lines(`src/invoice.js:${TOTAL + 2}-${TOTAL + 4}`, "src/sums.js:addUp"),
    );
    expect(shownOf("src/invoice.js")).toBe(
      [
        '1|import { addUp } from "./sums.js";',
        "⋮",
        "362|class Invoice {",
        "363|  first() {",
        "364|    return 1;",
        "365|  }",
        "366|  total(items) {",
        "367|    const sum = addUp(items);",
        "368|    if (sum > 9) {",
        "369|      return 9;",
        "370|    }",
        "371|    return sum;",
        "372|  }",
        "⋮",
      ].join("\n"),
    );
    expect(shownOf("src/sums.js")).toMatch(/^⋮\n361\|function addUp\(items\) \{\n362\|.*\n363\|\}$/);
    expect(view.files.map(({ whole, size }) => ({ whole, size }))).toEqual([
      { whole: false, size: 733 },
      { whole: false, size: 363 },
    ]);
    expect(of("c03-choose-lines").map(({ request }) => request.tier)).toEqual(["fast"]);
  });

  it("shows the imports whose names occur in the chosen lines, wherever they stand", async () => {
    const names = Array.from({ length: 25 }, (_, at) => `a${at}`);
    const imports = names.map((name) => `import { ${name} } from "./${name}.js";\n`).join("");
    const text = `"""What it is for."""\n${imports}\n${filler("more")}function use() {\n  return a3() + a17(a24);\n}\n`;
    const { shownOf } = await chosenLines(lines("src/invoice.js:use"), { files: { "src/invoice.js": text } });
    const shown = [...shownOf("src/invoice.js").matchAll(/^\d+\|import \{ (a\d+)/gm)].map(([, name]) => name);
    expect(shown).toEqual(["a3", "a17", "a24"]);
  });

  it("lets the Custodian choose functions that it only saw listed, or in other files", async () => {
    const { of, shownOf, view } = await chosenLines(lines("src/invoice.js:Invoice.total", "src/far.js:far"));
    expect(of("c03-choose-lines")[0]?.text).toMatch(/What else it declares: `early\d+ \d+-\d+, early/);
    expect(shownOf("src/invoice.js")).toMatch(/366\|[\s\S]*372\|/);
    expect(shownOf("src/far.js")).toMatch(/^1\|.*\n2\|.*\n3\|\}$/);
    expect(view.others).toEqual([{ path: "src/sums.js", summary: "" }]);
  });

  it("shows the chosen lines of tests, and names the other tests", async () => {
    const { view } = await chosenLines(lines("src/invoice.js:total", "test/invoice.test.js:361-363"));
    expect(view.tests).toMatchObject([
      { path: "test/invoice.test.js", sample: expect.stringMatching(/^⋮\n[\s\S]*361\|test\("a"[\s\S]*363\|\}\);$/) },
    ]);
    const { view: without } = await chosenLines(lines("src/invoice.js:total"));
    expect(without.tests).toMatchObject([{ path: "test/invoice.test.js", sample: "" }]);
  });

  it("lets the Custodian look further than it is shown, and choose from what it finds", async () => {
    const search = { name: "search", input: { pattern: "addUp\\(|function far" } };
    const answer = ({ nth }: FakeCall) =>
      nth === 1 ? { tools: [search] } : lines("src/invoice.js:total", "src/far.js:1-2");
    const { calls, shownOf } = await chosenLines(answer);
    const [exchange] = calls[1]?.request.earlier ?? [];
    const found = exchange && "results" in exchange ? (exchange.results[0]?.text ?? "") : "";
    expect(found).toMatch(/src\/far\.js:1: export function far/);
    expect(found).toContain("Above already: src/invoice.js:367");
    expect(shownOf("src/far.js")).toContain("1|export function far");
    const without = await chosenLines(lines("src/invoice.js:total"), { ablate: ["tools"] });
    expect(without.calls[0]?.request.tools).toBeUndefined();
    expect(without.calls[0]?.text).not.toContain("Look up what the change");
  });

  it("shows the chosen lines of a long comment, not where it begins", async () => {
    const comment = Array.from({ length: 300 }, (_, at) => `//! Line ${at + 1} of what it is for.\n`).join("");
    const files = { "src/invoice.js": `${comment}${filler("early")}function total() {}\n` };
    const { shownOf } = await chosenLines(lines("src/invoice.js:202-203", "src/invoice.js:total"), { files });
    const shown = [201, 202, 203, 204].map((at) => `${at}|//! Line ${at} of what it is for.`);
    expect(shownOf("src/invoice.js")).toBe(["⋮", ...shown, "⋮", "661|function total() {}"].join("\n"));
  });

  it("names chosen places that do not exist", async () => {
    const { view } = await chosenLines(lines("src/invoice.js:total", "src/invoice.js:nothing", "gone.js:1-9"));
    const missing = "chosen, and no such place was found";
    expect(view.others).toEqual(
      expect.arrayContaining([
        { path: "src/invoice.js:nothing", summary: missing },
        { path: "gone.js:1-9", summary: missing },
      ]),
    );
  });

  it("asks nobody when everything is short", async () => {
    const { "test/invoice.test.js": _, ...short } = FILES;
    const files = { ...short, "README.md": "# A shop\n", "src/parent.js": `${filler("parent")}` };
    const { view, asked } = await chosenLines(lines(), { of: ["src/far.js", "README.md"], files });
    expect(asked()).toEqual([]);
    expect(view.files[0]).toMatchObject({ path: "src/far.js", whole: true });
    for (const other of ["src/parent.js", "test/far.test.js"]) {
      const more = {
        ...files,
        "test/far.test.js": `import "../src/far.js";\n${filler("test")}`,
      };
      const long = await chosenLines(lines("src/far.js:far"), { of: ["src/far.js", other], files: more });
      expect(long.asked()).toEqual(["c03-choose-lines"]);
    }
  });

  it("keeps to its budget, most important places first, and always shows some of the tests", async () => {
    const all = Array.from({ length: 30 }, (_, at) => `src/invoice.js:${at * 20 + 1}-${at * 20 + 20}`);
    const { shownOf, view } = await chosenLines(
      lines(`src/invoice.js:${TOTAL}-${TOTAL + 4}`, ...all, "src/invoice.js:1-100000", "test/invoice.test.js:300-363"),
    );
    expect(shownOf("src/invoice.js")).toContain("367|    const sum");
    expect(shownOf("src/invoice.js").length).toBeGreaterThan(10_000);
    expect(shownOf("src/invoice.js").length).toBeLessThan(16_500);
    expect(shownOf("src/invoice.js")).toMatch(/\n⋮ chosen, no room: \d+-\d+/);
    expect(view.tests[0]?.sample).toContain("\n300|");
    const { view: other } = await chosenLines(lines("src/invoice.js:total", "test/invoice.test.js:1-363"));
    expect(other.tests[0]?.sample.length).toBeLessThan(17_000);
  });

  it.each([
    ["unknown files", ["src/none.js:1-9", "package-lock.json:1-1", "../../src/invoice.js:1-2"]],
    ["only files to read", ["src/sums.js:addUp"]],
    ["unknown lines and names", ["src/invoice.js:9000-9010", "src/invoice.js:nothing", "src/invoice.js:9-2"]],
    ["invalid places", ["", "total", ":", "src/invoice.js"]],
  ])("falls back to the issue's words and names when the answer has %s", async (_, places) => {
    const { view, byName } = await chosenLines(lines(...places));
    expect(view).toEqual(await byName());
  });

  it("lets names and words choose when the chosen lines hold no code", async () => {
    const licence = `${"// Licence\n".repeat(5)}\n`;
    const files = { ...FILES, "src/invoice.js": licence + FILES["src/invoice.js"] };
    const { view, byName } = await chosenLines(lines("src/invoice.js:1-5"), { files });
    expect(view).toEqual(await byName());
  });

  it("follows a choice of a file that the Custodian found itself", async () => {
    const { view } = await chosenLines(lines("src/far.js:far"));
    expect(view.files.map(({ path }) => path)).toEqual(["src/far.js"]);
  });

  it("follows a choice of a constant that the issue is about", async () => {
    const files = { ...FILES, "src/invoice.js": `const DISCOUNT_LIMIT = 9;\n${FILES["src/invoice.js"]}` };
    const { view } = await chosenLines(lines("src/invoice.js:1-1"), {
      files,
      issue: { title: "DISCOUNT_LIMIT is too low", body: "`DISCOUNT_LIMIT` must be 10." },
    });
    expect(view.files.map(({ path }) => path)).toEqual(["src/invoice.js"]);
  });

  it("falls back to them when nobody may be asked", async () => {
    const { view, byName, asked } = await chosenLines(lines("src/invoice.js:total"), { ablate: ["lines"] });
    expect(asked()).toEqual([]);
    expect(view).toEqual(await byName());
  });

  it("falls back to them without a usable answer", async () => {
    const { view, byName, asked } = await chosenLines({ lines: [] });
    expect(asked()).toEqual(["c03-choose-lines", "c03-choose-lines"]);
    expect(view).toEqual(await byName());
  });

  it("shows only unchanged lines of visible files within limits, whatever is chosen", async () => {
    const number = fc.oneof(fc.integer({ min: -5, max: 800 }), fc.constantFrom(10 ** 9, 0));
    const place = fc.oneof(
      fc.string(),
      fc
        .tuple(fc.constantFrom(...Object.keys(FILES), "../../x", "src"), number, number)
        .map(([path, from, to]) => `${path}:${from}-${to}`),
      fc
        .tuple(fc.constantFrom(...Object.keys(FILES)), fc.constantFrom("total", "Invoice", "addUp", "(", "a:b", "1-"))
        .map(([path, name]) => `\`${path}\`:${name}`),
    );
    let answer = {};
    const { choose } = await chosenLines(() => answer);
    await fc.assert(
      fc.asyncProperty(fc.array(place, { minLength: 1, maxLength: 12 }), async (chosen) => {
        answer = lines(...chosen);
        const view = await choose();
        const shown = [...view.files, ...view.tests.map(({ path, sample }) => ({ path, content: sample }))];
        for (const { path, content } of shown) {
          const lines = FILES[path as keyof typeof FILES].split("\n");
          for (const [, at, text] of content.matchAll(/^(\d+)\|(.*)$/gm)) expect(lines[Number(at) - 1]).toBe(text);
        }
        expect(shown.some(({ path }) => path === "package-lock.json")).toBe(false);
        expect(shown.reduce((sum, { content }) => sum + content.length, 0)).toBeLessThan(18_000);
      }),
      { numRuns: 12, examples: [[["package-lock.json:1-1", "src/invoice.js:total"]]] },
    );
  });
});

describe("viewCandidates", () => {
  const filler = (name: string) =>
    Array.from({ length: 120 }, (_, at) => `function ${name}${at}() {\n  return "${"x".repeat(60)}";\n}\n`).join("");
  const FILES = {
    "src/invoice.js": `${filler("early")}function total(items) {\n  return addUp(items);\n}\n${filler("late")}`,
    "src/sums.js": `${filler("sum")}function addUp(items) {\n  return items.length;\n}\n`,
    "src/mapped.js": "export const mapped = 1;\n",
    "docs/guide.md": `${"A discount is a discount.\n".repeat(200)}`,
    "test/invoice.test.js": "test('a', () => {});\nfunction discountOfInvoice() {\n  return 1;\n}\n",
    "CHANGES.md": "# Changes\n\n## 2.0\n\n- Something.\n",
  };

  async function viewing(chosen: Readonly<Record<string, Partial<Candidate>>>) {
    const shop = await openWorkshop({ files: FILES });
    const { issue, parser, repository } = shop.tools;
    const candidates = Object.entries(chosen).map(([path, more]) => ({ ...shop.candidate(path), ...more }));
    const repositoryView = await openRepositoryView(shop.tools);
    return viewCandidates({ issue, candidates, repository, repositoryView, parser });
  }
  const shownOf = (view: Awaited<ReturnType<typeof viewing>>, path: string) =>
    view.files.find((file) => file.path === path)?.content ?? "";

  it("shows the declarations of long files that the Custodian names", async () => {
    const view = await viewing({
      "src/invoice.js": { names: ["total"] },
      "src/sums.js": { use: "read", names: ["addUp"] },
    });
    expect(shownOf(view, "src/invoice.js")).toMatch(/function total\(items\) \{\n.*addUp/);
    expect(shownOf(view, "src/sums.js")).toMatch(/function addUp\(items\) \{\n.*items\.length/);
    expect(view.files.map(({ whole }) => whole)).toEqual([false, false]);
  });

  it("shares its budget among files to change first, then files to read, documents last", async () => {
    const view = await viewing({
      "docs/guide.md": {},
      "src/invoice.js": { score: 2, names: ["total"] },
      "src/sums.js": { use: "read", names: ["addUp"] },
      "src/mapped.js": { score: 0 },
    });
    expect(view.files.map(({ path }) => path)).toEqual([
      "src/mapped.js",
      "src/invoice.js",
      "docs/guide.md",
      "src/sums.js",
    ]);
    expect(shownOf(view, "docs/guide.md").length).toBeLessThan(1_700);
    expect(view.files.reduce((sum, { content }) => sum + content.length, 0)).toBeLessThan(19_500);
  });

  it("names a file to read without showing it when nothing in it is named or near the issue", async () => {
    const view = await viewing({ "src/mapped.js": {}, "src/sums.js": { use: "read" } });
    expect(view.files.map(({ path }) => path)).toEqual(["src/mapped.js"]);
    expect(view.others).toEqual([{ path: "src/sums.js", summary: "About src/sums.js." }]);
  });

  it("shows tests with their nearest declarations", async () => {
    const view = await viewing({ "src/invoice.js": {} });
    expect(view.tests).toEqual([
      {
        path: "test/invoice.test.js",
        names: "4 lines, discountOfInvoice (2-4)",
        sample: "1|test('a', () => {});\n2|function discountOfInvoice() {\n3|  return 1;\n4|}",
      },
    ]);
  });

  const wide = (count: number, mark = "") =>
    `${Array.from({ length: count }, (_, at) => `const line${at} = ${at};\n`).join("")}${mark}`;
  const show = async (files: Readonly<Record<string, string>>, more: Readonly<Record<string, Partial<Candidate>>>) => {
    const shop = await openWorkshop({ files });
    const candidates = Object.keys(files).map((path) => ({ ...shop.candidate(path), ...more[path] }));
    const repositoryView = await openRepositoryView(shop.tools);
    return viewCandidates({ ...shop.tools, candidates, repositoryView });
  };

  it.each(["docs/a.txt", "README.md", "LICENSE", "src/a.js"])(
    "shows the beginning of %s when nothing in it is named or near the issue",
    async (path) => {
      const view = await show({ [path]: `Harbour.\n${"Tide.\n".repeat(3_000)}` }, {});
      expect(view.files).toMatchObject([{ path, content: expect.stringMatching(/^1\|Harbour\.\n/), whole: false }]);
      expect(view.others).toEqual([]);
    },
  );

  it("shows files of up to 250 lines whole", async () => {
    const view = await show({ "src/a.js": wide(250), "src/b.js": wide(240), "src/c.js": wide(2_000) }, {});
    expect(view.files.map(({ whole }) => whole)).toEqual([true, true, false]);
  });

  it("shows all files to change before files to read, however many the Custodian adds", async () => {
    const paths = Array.from({ length: 14 }, (_, at) => `src/part${at}.js`);
    const body = (path: string) =>
      `${wide(400)}function of${path.replace(/\W/g, "")}() {\n  return 1;\n}\n${wide(400)}`;
    const files = Object.fromEntries(paths.map((path) => [path, body(path)]));
    const uses = Object.fromEntries(
      paths.map((path, at) => [
        path,
        {
          names: [`of${path.replace(/\W/g, "")}`],
          score: at >= 10 ? 0 : 1,
          use: at === 2 ? ("read" as const) : undefined,
        },
      ]),
    );
    const view = await show(files, uses);
    expect(view.files.slice(0, 13).map(({ path }) => path)).not.toContain("src/part2.js");
    expect(view.files.length).toBeGreaterThanOrEqual(13);
    for (const { path, content } of view.files.slice(0, 13))
      expect(content).toContain(`function of${path.replace(/\W/g, "")}()`);
    expect(view.files.reduce((sum, { content }) => sum + content.length, 0)).toBeLessThan(56_000);
  });

  it("shows a named function's implementation, its code rather than its comment, and no bare first lines", async () => {
    const doc = `    """\n${"    words on a parameter\n".repeat(600)}    """\n`;
    const code = Array.from({ length: 100 }, (_, at) => `    step${at}()\n`).join("");
    const text = `${wide(300).replaceAll("const ", "").replaceAll(";", "")}@overload\ndef run(a: int): ...\ndef run(a):\n${doc}${code}\ndef bare():\n    pass\n${"x = 1\n".repeat(3_000)}`;
    const view = await show({ "lib/run.py": text }, { "lib/run.py": { names: ["run"] } });
    const content = view.files[0]?.content ?? "";
    for (const at of [0, 50, 99]) expect(content).toContain(`step${at}()`);
    expect(content).not.toContain("    pass");
  });

  it("shows a named function whole, however long, and only a little around it", async () => {
    const steps = Array.from({ length: 210 }, (_, at) => `  step${at}(1);\n`).join("");
    const text = `import { a } from "./a.js";\n${wide(200)}// What it is for.\nexport function run() {\n${steps}}\n${wide(900)}`;
    const view = await show({ "src/run.js": text }, { "src/run.js": { names: ["run"] } });
    const content = view.files[0]?.content ?? "";
    for (const at of [0, 105, 209]) expect(content).toContain(`step${at}(`);
    expect(content).toContain("// What it is for.");
    expect(content.length).toBeLessThan(9_000);
  });

  it("shows only named functions of a file to read, and of a long one its beginning and its nearest lines", async () => {
    const body = (word: string) =>
      `${"  pass();\n".repeat(60)}  throw new Error("a ${word} is wrong");\n${"  late();\n".repeat(60)}`;
    const known = `${wide(300)}export function check(order) {\n${body("discount")}}\n${wide(300)}`;
    const view = await show(
      { "src/sale.js": "export const sale = 1;\n", "src/check.js": known },
      { "src/check.js": { use: "read", names: ["check"] } },
    );
    const content = view.files.find(({ path }) => path === "src/check.js")?.content ?? "";
    expect(content).toContain("function check(order)");
    expect(content).toContain("a discount is wrong");
    expect(content).not.toContain("const line");
    expect(content.length).toBeLessThan(1_600);
  });
});
