import { describe, expect, it } from "@jest/globals";
import { checkChange } from "../../../src/change/check-change.ts";
import { readSource } from "../../../src/code/tree-sitter/read-source.ts";
import { createSourceParser } from "../../../src/code/tree-sitter/source-parser.ts";

const GOOD: Readonly<Record<string, string>> = {
  js: "f();\n",
  ts: "f();\n",
  tsx: "f();\n",
  py: "f()\n",
  go: "package a\n",
  java: "class A {}\n",
  rb: "f()\n",
  rs: "fn f() {}\n",
  cpp: "int a;\n",
  cs: "class A {}\n",
  php: "<?php f();\n",
  json: "{}",
  yml: "a: 1\n",
  toml: "a = 1\n",
};

const parser = createSourceParser({ milliseconds: 1_500 });

describe("a text that breaks its parser", () => {
  it.each(Object.entries(GOOD))(
    "is never called correct, and does not stop the check of another text: %s",
    async (language, good) => {
      const hostile = `${language === "php" ? "<?php " : ""}${"{a:".repeat(4_000)}`;
      const check = await parser.faults(`a.${language}`, hostile);
      if (check.kind === "checked") expect(check.faults).not.toEqual([]);
      else
        expect(check).toMatchObject({
          kind: "failed",
          reason: expect.stringMatching(/^its parser (fell|takes longer)/),
        });
      expect(await parser.faults(`a.${language}`, good)).toEqual({ kind: "checked", faults: [] });
      expect(await parser.faults("b.ts", "f(;\n")).toMatchObject({ kind: "checked", faults: [{ line: 1 }] });
    },
  );

  it("fails the check of a change", async () => {
    const check = (before: string | undefined, after: string) => checkChange({ parser, path: "a.js", before, after });
    const deep = "{a:".repeat(4_000);
    expect(await check("f();\n", deep)).toMatch(/^a\.js could be checked for its syntax before .* parser fell/);
    expect(await check(undefined, deep)).toMatch(/^The new file a\.js could not be checked .* parser fell/);
    expect(await check("f();\n", "f(;\n")).toMatch(/does not parse any more/);
    expect(await check(deep, "f(;\n")).toMatch(/a\.js does not parse: /);
  });

  it.each<[string, string, string]>([
    ["takes too long", "a.yml", "k: v\n".repeat(200_000)],
    ["takes too much memory", "a.cpp", "x<".repeat(250_000)],
    ["nests too deep", "a.yml", "- ".repeat(100_000)],
    ["ends the stack", "a.yml", "[".repeat(300_000)],
  ])("is failed where it %s, and costs that once", async (_what, path, text) => {
    const first = performance.now();
    expect(await parser.faults(path, text)).toMatchObject({ kind: "failed" });
    const second = performance.now();
    expect(await parser.faults(path, text)).toMatchObject({ kind: "failed" });
    expect(performance.now() - second).toBeLessThan(Math.max(1_000, (second - first) / 2));
    expect(await parser.symbols("b.py", "def f(): pass\n")).toMatchObject([{ name: "f" }]);
  });

  it.each([
    ["longer than 1048576 characters", "a: b\n".repeat(210_000)],
    ["more than 1000 aliases", `a: &a 1\nb:\n${"  - *a\n".repeat(1_001)}`],
    ["deeper than 200 levels", `a: ${"[".repeat(201)}${"]".repeat(201)}`],
  ])("is refused with the reason, before it is parsed as YAML, when it is %s", async (reason, text) => {
    await expect(readSource({ verb: "faults", path: "a.yml", text })).rejects.toThrow(reason);
  });

  it("is checked as YAML when one mapping has 7,000 different keys", async () => {
    const text = Array.from({ length: 7_000 }, (_, at) => `key${at}:\n  <<: &a${at} {}\n  <<: {}\n`).join("");
    const check = (more: string) => readSource({ verb: "faults", path: "a.yml", text: text + more });
    expect(await check("")).toEqual({ kind: "checked", faults: [] });
    expect(await check("key7: 1\n")).toEqual({
      kind: "checked",
      faults: [{ message: "Map keys must be unique", line: 21_001 }],
    });
  });

  it("does not delay timers while it is parsed", async () => {
    await parser.faults("a.ts", "f();\n");
    let ticks = 0;
    const timer = setInterval(() => ticks++, 5);
    await parser.faults("a.js", "a,".repeat(250_000));
    clearInterval(timer);
    // Held up, it would be one or two, for the second and a half of the limit; a busy machine gives fewer than its three hundred.
    expect(ticks).toBeGreaterThan(10);
  });
});
