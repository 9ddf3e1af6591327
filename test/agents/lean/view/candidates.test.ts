import { describe, expect, it } from "@jest/globals";
import { viewCandidates } from "../../../../src/agents/lean/view/candidates.ts";
import { openRepositoryView } from "../../../../src/agents/lean/view/repository-view.ts";
import type { Candidate } from "../../../../src/data/plan.ts";
import { openWorkshop } from "../../../workflow/open-workshop.ts";

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

describe("viewCandidates", () => {
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
      "src/invoice.js": { score: 2 },
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

  it("gives the uses of functions to change, but not those in tests or shown code", async () => {
    const of = (names: readonly string[]) => viewing({ "src/invoice.js": {}, "src/sums.js": { names } });
    expect((await of(["addUp"])).uses).toMatch(
      /^addUp:\nsrc\/invoice\.js:\d+: return addUp\(items\); {2}\[in total\]$/,
    );
    expect((await of([])).uses).toBe("");
    expect((await viewing({ "src/invoice.js": { names: ["total"] }, "src/sums.js": { names: ["addUp"] } })).uses).toBe(
      "",
    );
    expect((await viewing({ "test/invoice.test.js": { names: ["discountOfInvoice"] } })).uses).toBe("");
  });

  it.each(["CHANGES.md", "doc/CHANGELOG.adoc", "release-notes.md", "HISTORY"])(
    "shows no old entries of %s",
    async (path) => {
      const view = await show({ "src/a.js": wide(3), [path]: wide(300, "an invoice") }, {});
      expect(view.files.map((file) => file.path)).toEqual(["src/a.js"]);
    },
  );

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

  it("shows only named functions of a file to read, and of a long one the beginning and the nearest lines", async () => {
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
