import { describe, expect, it } from "@jest/globals";
import { openRepositoryView } from "../../../../src/workflow/strategy/lean/repository-view.ts";
import { openWorkshop } from "../../open-workshop.ts";

describe("hasTests", () => {
  it.each([
    ["a file of tests at the top", { "test.js": "ok();\n" }, true],
    ["tests of another form", { "tests/page.html": "<p>\n" }, true],
    ["recorded data alone", { "fixtures/in.txt": "in\n" }, true],
    ["tests in Rust's sources", { "src/lib.rs": "fn a() {}\n#[cfg(test)]\nmod tests {\n}\n" }, true],
    ["a doctest", { "a.py": 'def a():\n    """\n    >>> a()\n    1\n    """\n' }, true],
    ["no test", { "src/lib.rs": "fn attest() {}\n", "src/contest.js": "test();\n" }, false],
  ])("%s", async (_name, files, expected) => {
    const shop = await openWorkshop({ files });
    const view = await openRepositoryView(shop.tools);
    expect(await view.hasTests()).toBe(expected);
  });

  it("sees a test that the change brings", async () => {
    const shop = await openWorkshop({ files: { "src/a.js": "a();\n" } });
    const view = await openRepositoryView(shop.tools);
    expect(await view.hasTests(new Map([["src/a.test.js", Buffer.from("test();\n")]]))).toBe(true);
  });
});
