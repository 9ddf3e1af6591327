import { describe, expect, it } from "@jest/globals";
import type { Candidate } from "../../../../src/model/plan.ts";
import { openRepositoryView } from "../../../../src/workflow/strategy/lean/repository-view.ts";
import { viewCandidates } from "../../../../src/workflow/strategy/lean/view-candidates.ts";
import { openWorkshop } from "../../open-workshop.ts";

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
  const { issue, parser } = shop.tools;
  const candidates = Object.entries(chosen).map(([path, more]) => ({ ...shop.candidate(path), ...more }));
  return viewCandidates({ issue, candidates, repositoryView: await openRepositoryView(shop.tools), parser });
}
const shownOf = (view: Awaited<ReturnType<typeof viewing>>, path: string) =>
  view.files.find((file) => file.path === path)?.content ?? "";

describe("viewCandidates", () => {
  it("shows of a long file the declarations that the Custodian names, and of others what they call", async () => {
    const view = await viewing({ "src/invoice.js": { names: ["total"] }, "src/sums.js": { use: "read" } });
    expect(shownOf(view, "src/invoice.js")).toMatch(/function total\(items\) \{\n.*addUp/);
    expect(shownOf(view, "src/sums.js")).toMatch(/function addUp\(items\) \{\n.*items\.length/);
    expect(view.files.map(({ whole }) => whole)).toEqual([false, false]);
  });

  it("gives what may have to change its share before what is only to be read, documents last", async () => {
    const view = await viewing({
      "docs/guide.md": {},
      "src/invoice.js": { score: 2 },
      "src/sums.js": { use: "read" },
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

  it("names tests and what they declare that is near, and shows the changelog's head", async () => {
    const view = await viewing({ "src/invoice.js": {} });
    expect(view.tests).toEqual([
      {
        ...{ path: "test/invoice.test.js", names: "4 lines, discountOfInvoice (2-4)" },
        sample: "1 | test('a', () => {});\n2 | function discountOfInvoice() {\n3 |   return 1;\n4 | }",
      },
    ]);
    expect(view.changelog).toEqual({
      path: "CHANGES.md",
      content: "1 | # Changes\n2 | \n3 | ## 2.0\n4 | \n5 | - Something.",
    });
  });
});
