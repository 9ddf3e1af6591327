import { describe, expect, it } from "@jest/globals";
import { findCallees, findLines, findUses } from "../../../../src/agents/lean/view/related-code.ts";
import { openRepositoryView } from "../../../../src/agents/lean/view/repository-view.ts";
import { openWorkshop } from "../../../workflow/open-workshop.ts";

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
      await findUses([{ name: "addUp", path: "src/sums.js" }], { repositoryView, parser: shop.tools.parser }),
      await findCallees("addUp(1)", { repositoryView, overlay: new Map(), except: new Set() }),
      await findLines([{ pattern: "addUp(", path: "src" }], { repositoryView, seen: new Map() }),
    ];
    const found = await lookedUp(view);
    expect(found).toEqual([
      expect.stringContaining("src/invoice.js:2: "),
      [expect.objectContaining({ path: "src/sums.js", start: 1, end: 3 })],
      expect.stringContaining("2|  return items.length;"),
    ]);
    expect(await lookedUp({ ...view, toolset })).toEqual(found);
  });
});
