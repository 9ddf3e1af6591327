import { describe, expect, it } from "@jest/globals";
import { makeTools } from "./make-tools.ts";

const { ask } = makeTools({
  "src/store.py": "import os\n\ndef get(key):\n    return cache[key]\n\nclass Store:\n    pass\n",
  "src/deep/view.ts": 'export const get = (key: string) => cache.get(key) ?? "foo(bar)";\n',
  "README.md": "# Store\r\nCall get(key).\r\n",
  "logo.png": new Uint8Array([137, 0, 1, 103, 101, 116]),
  "old.txt": Buffer.from("caf\xe9 get\n", "latin1"),
});

describe("search", () => {
  it("gives matching lines with path and number, in path order", async () => {
    expect(await ask("search", { pattern: "\\bget\\(\\w+" })).toBe(
      [
        "3 lines in 3 of 5 files:",
        "README.md:2: Call get(key).",
        'src/deep/view.ts:1: export const get = (key: string) => cache.get(key) ?? "foo(bar)";',
        "src/store.py:3: def get(key):",
      ].join("\n"),
    );
  });

  it.each<[string, string[]]>([
    ["src", ["src/deep/view.ts", "src/store.py"]],
    ["./src/", ["src/deep/view.ts", "src/store.py"]],
    ["/src/deep", ["src/deep/view.ts"]],
    ["*.py", ["src/store.py"]],
    ["src/**/*.{ts,tsx}", ["src/deep/view.ts"]],
    ["**/*.md", ["README.md"]],
    ["src/*.py", ["src/store.py"]],
    ["src\\store.py", ["src/store.py"]],
  ])("narrows by path: %s", async (path, paths) => {
    const told = await ask("search", { pattern: "store|get", ignoreCase: true, path });
    expect([
      ...new Set(
        told
          .split("\n")
          .slice(1)
          .map((line) => line.split(":")[0]),
      ),
    ]).toEqual(paths);
  });

  it.each<[string, unknown, RegExp]>([
    [
      "an unknown path",
      { pattern: "x", path: "lib/store.py" },
      /no file or folder lib\/store\.py.*Nearest: src\/store\.py/,
    ],
    ["a path that leads out", { pattern: "x", path: "../etc" }, /leads out of the repository/],
    ["a glob without files", { pattern: "x", path: "*.rs" }, /No file that may be seen/],
    ["lookahead", { pattern: "get(?=x)" }, /Lookahead and lookbehind/],
    ["a back reference", { pattern: "(a)\\1" }, /Back references/],
    ["an empty pattern", { pattern: "" }, /empty/],
    ["a long pattern", { pattern: "a".repeat(600) }, /longer than 500/],
    ["no pattern", {}, /search was not called properly\. pattern/],
    ["no object", 7, /not called properly/],
    ["no match", { pattern: "nowhere" }, /No line matches in 5 files/],
  ])("answers in words: %s", async (_name, input, words) => {
    expect(await ask("search", input)).toMatch(words);
  });

  it("takes plain text for what it is", async () => {
    expect(await ask("search", { pattern: "get(key" })).toMatch(/searched as plain text.*\n3 lines/);
    expect(await ask("search", { pattern: "foo(bar)" })).toMatch(/as plain text these do\.\n1 line in/);
    expect(await ask("search", { pattern: "cache[key]" })).toMatch(/src\/store\.py:4/);
  });

  it.each(["(a+)+$", "(a|aa)+$", "(.*)(.*)(.*)(.*)(.*)x{500}y", "((a{0,30}){0,30})b", "(?:a?){200}a{200}c"])(
    "is not held up by %s",
    async (pattern) => {
      const hostile = makeTools({ "a.txt": `${"a".repeat(300_000)}!\n`.repeat(3), "b.txt": "aab\n" });
      const started = performance.now();
      expect(typeof (await hostile.ask("search", { pattern }))).toBe("string");
      expect(performance.now() - started).toBeLessThan(20_000);
    },
  );

  it("cuts what is too much, and says so", async () => {
    const files = Object.fromEntries(
      Array.from({ length: 40 }, (_, n) => [`f${String(n).padStart(2, "0")}.txt`, "hit here\n".repeat(30)]),
    );
    const many = makeTools(files, { characters: 1_000 });
    const told = await many.ask("search", { pattern: "hit" });
    expect(told.length).toBeLessThanOrEqual(1_000);
    expect(told).toMatch(/^1200 lines in 40 of 40 files:/);
    expect(told).toMatch(/more not shown: f30\.txt \(30\).* and 32 more files\. Narrow with path/);
    expect((await many.ask("search", { pattern: "hit", path: "f01.txt" })).match(/f01\.txt:/g)?.length).toBeGreaterThan(
      18,
    );
    const wide = await makeTools({ "min.js": `${"x".repeat(5_000)}hit` }).ask("search", { pattern: "hit" });
    expect(wide).toMatch(/more characters\]$/);
  });

  it("deals its lines out among the files, and never leaves out the one with most of them", async () => {
    const files = Object.fromEntries(
      Array.from({ length: 90 }, (_, n) => [`f${String(n).padStart(2, "0")}.txt`, "a hit\n".repeat(n === 77 ? 9 : 2)]),
    );
    const { ask: asked } = makeTools(files);
    const told = await asked("search", { pattern: "hit" });
    expect(told).toContain("f00.txt:1: a hit\nf01.txt:1: a hit\n");
    expect(told).toContain("f77.txt:1: a hit\n");
    const narrow = makeTools(files, { readCharacters: 2_000 });
    expect(await narrow.ask("search", { pattern: "hit", around: 3 })).toMatch(
      /\nf77\.txt\n1\|a hit\n[\s\S]*want of room: f03/,
    );
  });

  it("stops at its work limit, leaves out large files, and is the same each time", async () => {
    const files = Object.fromEntries(Array.from({ length: 20 }, (_, n) => [`f${n}.txt`, "x".repeat(1_000)]));
    const { ask: askLimited } = makeTools(
      { ...files, "big.txt": `x${" ".repeat(6_000)}` },
      { searchedBytes: 5_000, fileBytes: 5_000 },
    );
    const first = await askLimited("search", { pattern: "\\w+" });
    expect(first).toMatch(/Stopped after \d+ of 21 files, in path order/);
    expect(first).not.toMatch(/big\.txt/);
    expect(await askLimited("search", { pattern: "\\w+" })).toBe(first);
  });
});
