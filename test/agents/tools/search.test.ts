import { describe, expect, it } from "@jest/globals";
import { RE2JS } from "re2js";
import { requiredLiterals } from "../../../src/agents/tools/lookups/find-text.ts";
import { computingTime } from "../../fakes/computing-time.ts";
import { fc } from "../../seeded.ts";
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
    ["src\\store.py", ["src/store.py"]],
  ])("narrows by path: %s", async (path, paths) => {
    const answer = await ask("search", { pattern: "store|get", ignoreCase: true, path });
    expect([
      ...new Set(
        answer
          .split("\n")
          .slice(1)
          .filter((line) => !/^\d/.test(line))
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
    ["a path out of the repository", { pattern: "x", path: "../etc" }, /leads out of the repository/],
    ["a glob without files", { pattern: "x", path: "*.rs" }, /No file that may be seen/],
    ["lookahead", { pattern: "get(?=x)" }, /Lookahead and lookbehind/],
    ["a back reference", { pattern: "(a)\\1" }, /Back references/],
    ["an empty pattern", { pattern: "" }, /empty/],
    ["a long pattern", { pattern: "a".repeat(600) }, /longer than 500/],
    ["no pattern", {}, /search was not called properly\. pattern/],
    ["no object", 7, /not called properly/],
    ["no match", { pattern: "nowhere" }, /No line matches in 5 files/],
  ])("explains %s", async (_name, input, words) => {
    expect(await ask("search", input)).toMatch(words);
  });

  it("says which glob takes deeper folders, where one finds nothing in its own", async () => {
    const { ask: asked } = makeTools({
      "src/a.ts": "one\n",
      "src/b/c.tsx": "two\n",
      "src/b/d/e.ts": "two\n",
      "f.ts": "two\n",
    });
    const search = (pattern: string, path: string) => asked("search", { pattern, path });
    expect(await search("two", "src/*.{ts,tsx}")).toBe(
      "No line matches in 1 file.\nDeeper folders were not searched: src/**/*.{ts,tsx} takes 2 more files.",
    );
    expect(await search("two", "src/*.tsx")).toBe(
      "No file that may be seen has a path like src/*.tsx. " +
        "Deeper folders were not searched: src/**/*.tsx takes 1 more file.",
    );
    expect(await search("one", "src/*.ts")).toBe("1 line in 1 of 1 file:\nsrc/a.ts:1: one");
    for (const path of ["src/**/*.ts", "*.ts", "src/*", "src/b/d/*.ts"])
      expect(await search("none", path)).not.toContain("Deeper");
  });

  it("searches as plain text when the pattern is invalid or finds nothing", async () => {
    expect(await ask("search", { pattern: "get(key" })).toMatch(/searched as plain text.*\n3 lines/);
    expect(await ask("search", { pattern: "foo(bar)" })).toMatch(/as plain text these do\.\n1 line in/);
    expect(await ask("search", { pattern: "cache[key]" })).toMatch(/src\/store\.py:4/);
  });

  it("says which test or function a line is in", async () => {
    const { ask: asked } = makeTools({
      "store.test.js": 'describe("store", () => {\n  it("gets", () => {\n    get(1);\n  });\n});\nget(2);\n',
    });
    expect(await asked("search", { pattern: "get\\(" })).toMatch(/\n3: {5}get\(1\); {2}\[in .*gets.*\]\n6: get\(2\);$/);
  });

  it("gives the numbers of lines that do not fit", async () => {
    const files = { "a.txt": `${"hit ".repeat(20)}\n`.repeat(60), "b.txt": "hit\n" };
    const answer = await makeTools(files, { characters: 2_000 }).ask("search", { pattern: "hit" });
    const also = /\nalso ([\d, ]+)/.exec(answer)?.[1] ?? "";
    const shown = [...answer.matchAll(/^(\d+): /gm)].map(([, line]) => Number(line));
    const all = [...shown, ...also.split(", ").map(Number)];
    expect(all).toEqual(Array.from({ length: 60 }, (_, at) => at + 1));
    expect(answer).toContain("b.txt:1: hit");
    expect(answer.length).toBeLessThanOrEqual(2_000);
  });

  it.each(["(a+)+$", "(.*)(.*)(.*)(.*)(.*)x{500}y", "(?:a?){200}a{200}c", "(?:a\\s*)+!\\s+b"])(
    "does not stall on %s",
    async (pattern) => {
      const hostile = makeTools({ "a.txt": `${"a".repeat(300_000)}!\n`.repeat(3), "b.txt": "aab\n" });
      const started = computingTime();
      expect(typeof (await hostile.ask("search", { pattern }))).toBe("string");
      expect(computingTime() - started).toBeLessThan(20_000);
    },
  );

  it("cuts long answers, and says so", async () => {
    const files = Object.fromEntries(
      Array.from({ length: 40 }, (_, n) => [`f${String(n).padStart(2, "0")}.txt`, "hit here\n".repeat(30)]),
    );
    const many = makeTools(files, { characters: 1_000 });
    const answer = await many.ask("search", { pattern: "hit" });
    expect(answer.length).toBeLessThanOrEqual(1_000);
    expect(answer).toMatch(/^1,200 lines in 40 of 40 files:/);
    expect(answer).toMatch(/more not shown: f30\.txt \(30\).* and 32 more files\. Narrow with path/);
    expect((await many.ask("search", { pattern: "hit", path: "f01.txt" })).match(/\d+: hit here/g)).toHaveLength(30);
    const wide = await makeTools({ "min.js": `${"x".repeat(5_000)}hit` }).ask("search", { pattern: "hit" });
    expect(wide).toMatch(/: \[4763 characters\] …x+hit$/);
  });

  it("spreads its lines over the files, and never leaves out the one with the most", async () => {
    const files = Object.fromEntries(
      Array.from({ length: 90 }, (_, n) => [`f${String(n).padStart(2, "0")}.txt`, "a hit\n".repeat(n === 77 ? 9 : 2)]),
    );
    const { ask: asked } = makeTools(files);
    const answer = await asked("search", { pattern: "hit" });
    expect(answer).toContain("f00.txt\n1: a hit\n");
    expect(answer).toContain("f77.txt\n1: a hit\n");
    const narrow = makeTools(files, { readCharacters: 2_000 });
    expect(await narrow.ask("search", { pattern: "hit", around: 3 })).toMatch(
      /\nf77\.txt\n1\|a hit\n[\s\S]*want of room: f/,
    );
  });

  it("names files with long paths within its room", async () => {
    const files = Object.fromEntries(
      Array.from({ length: 90 }, (_, n) => [`${"deep/".repeat(30)}f${n}.txt`, "a line\na hit\n".repeat(9)]),
    );
    const { ask: asked } = makeTools(files, { readCharacters: 3_000 });
    const answer = await asked("search", { pattern: "hit", around: 3 });
    expect(answer).toMatch(/want of room: deep[^,]*, deep[^,]* and more\.$/);
    expect(answer.length).toBeLessThanOrEqual(3_100);
  });

  it("stops at its work limit, leaves out large files and is deterministic", async () => {
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

describe("a search in very long lines", () => {
  const long = (before: number) => `${"x".repeat(before)} needle ${"y".repeat(2_000_000)}`;
  const { ask: asked } = makeTools({ "a.js": long(9_000), "b.js": `one\n${long(0)}\n${long(9_000)}\n` });

  it("shows the match, within its room", async () => {
    for (const around of [0, 1, 20]) {
      const answer = await asked("search", { pattern: "needle", around });
      expect(answer.match(/ needle /g)).toHaveLength(3);
      expect(answer.length).toBeLessThan(10_000);
    }
  });

  it("says where only the beginning was searched", async () => {
    const { ask: askFar } = makeTools({ "a.js": long(30_000), "b.js": "needle\n" });
    const NOTE = "Of 1 very long line without a match only the beginning was searched.";
    expect(await askFar("search", { pattern: "needle", path: "a.js" })).toBe(`No line matches in 1 file.\n${NOTE}`);
    expect(await askFar("search", { pattern: "needle" })).toContain(`b.js:1: needle\n${NOTE}`);
    expect(await askFar("search", { pattern: "absent" })).toBe("No line matches in 2 files.");
  });

  it("gives lines around as far as there is room", async () => {
    const rows = Array.from({ length: 41 }, (_, at) => `${at + 1} ${at === 20 ? "needle" : "z".repeat(1_500)}\n`);
    const { ask: askWide } = makeTools({ "a.txt": rows.join("") });
    const answer = await askWide("search", { pattern: "needle", around: 20 });
    expect(answer).toMatch(/\n20\|20 z+\n21\|21 needle\n22\|22 z/);
    expect(answer.length).toBeLessThanOrEqual(20_100);
  });
});

describe("a search that finds too much", () => {
  const reads = (from: number, count: number) =>
    Array.from(
      { length: count },
      (_, at) => `  if (limit == ${from + at} || limit <= f(limit=1)) return limit;\n`,
    ).join("");

  const manyReads = () => Object.fromEntries(Array.from({ length: 150 }, (_, at) => [`f${100 + at}.c`, reads(0, 20)]));

  it.each(["limit = 3", "limit := 3", "  limit: 3,", "const limit = 3;", "#define limit 3"])(
    "shows %j before what only reads",
    async (line) => {
      const text = `${reads(0, 90)}${line}\n${reads(90, 90)}`;
      const tools = makeTools({ "a.c": text, "b.c": reads(0, 2) });
      expect(await tools.ask("search", { pattern: "limit" })).toContain(`91: ${line}`);
      expect(await tools.ask("search", { pattern: "limit", around: 1 })).toContain(`91|${line}`);
    },
  );

  it.each([
    ["in the same file", { "a.c": `${reads(0, 90)}cap();\n${reads(90, 90)}` }],
    ["in the last of many", { ...manyReads(), "z.c": "cap();\n" }],
    ["behind the frequent one in the last of many", { ...manyReads(), "z.c": `${reads(0, 3)}cap();\n` }],
  ])("gives each alternative its turn: the rare one %s", async (_where, files) => {
    const tools = makeTools(files);
    expect(await tools.ask("search", { pattern: "limit|cap\\(" })).toMatch(/\d+: cap\(\);/);
    expect(await tools.ask("search", { pattern: "limit|cap\\(", around: 5 })).toMatch(/\d+\|cap\(\);/);
  });

  it("counts more matched texts than a call takes arguments", async () => {
    const { ask } = makeTools({ "a.csv": Array.from({ length: 200_000 }, (_, at) => `${at}\n`).join("") });
    expect(await ask("search", { pattern: "\\d+" })).toMatch(/^200,000 lines in 1 of 1 file:\na\.csv\n1: 0\n/);
  });

  it("keeps the order of lines, and names each line once", async () => {
    const { ask } = makeTools({ "a.c": `${reads(0, 60)}limit = 1;\n${reads(60, 60)}limit = 2;\n` });
    const numbers = [...(await ask("search", { pattern: "limit" })).matchAll(/^(?:also )?([\d, ]+)(?::|$)/gm)];
    const [named = [], shown = []] = [
      numbers.filter(([all]) => all.startsWith("also")).flatMap(([, list = ""]) => list.split(", ").map(Number)),
      numbers.filter(([all]) => !all.startsWith("also")).map(([, at]) => Number(at)),
    ];
    expect(shown).toEqual([...shown].sort((a, b) => a - b));
    expect([...shown, ...named].sort((a, b) => a - b)).toEqual(Array.from({ length: 122 }, (_, at) => at + 1));
    expect(shown).toEqual(expect.arrayContaining([61, 122]));
  });
});

describe("what stands above in the prompt", () => {
  const text = `function price() {\n${"  step();\n".repeat(9)}  return total;\n}\nfunction total() {\n  return 1;\n}\n`;
  const seen = new Map([["src/a.js", new Set([1, 2, 3, 4, 5, 6, 11])]]);
  const { ask: askAbove } = makeTools({ "src/a.js": text, "src/b.js": "total();\n" }, { seen });

  it("is named and not printed again by any tool", async () => {
    expect(await askAbove("search", { pattern: "total" })).toBe(
      [
        "3 lines in 2 of 2 files:",
        "src/a.js:13: function total() {",
        "src/b.js:1: total();",
        "Above already: src/a.js:11.",
      ].join("\n"),
    );
    expect(await askAbove("search", { pattern: "total;", around: 1 })).toContain("Above already: src/a.js:11.");
    expect(await askAbove("read", { places: [{ path: "src/a.js", start: 1, end: 8 }] })).toBe(
      "src/a.js (15 lines)\n⋮ 1-6 stand above\n7|  step();\n8|  step();",
    );
  });

  it("leaves room: a hit without its text has its name if it declares something", async () => {
    const many = Array.from(
      { length: 60 },
      (_, at) => `function hit${at}() {\n  return "${"x".repeat(40)}";\n}\n`,
    ).join("");
    const { ask: askFew } = makeTools({ "a.js": many }, { matches: 2 });
    expect(await askFew("search", { pattern: "hit" })).toMatch(/also hit2 \(7\), hit3 \(10\), /);
  });
});

describe("requiredLiterals", () => {
  it.each<[string, string[] | undefined]>([
    ["getUser", ["getUser"]],
    ["def get_\\w+\\(", ["def get_"]],
    ["foo|barbaz", ["foo", "barbaz"]],
    ["foo|b", undefined],
    ["colou?r", ["colo"]],
    ["ab*cde", ["cde"]],
    ["ab\\.bcd\\.c", ["bcd"]],
    ["[abc]def[^]x]", undefined],
    ["(?i)name", undefined],
    ["\\x41bc", undefined],
    ["struct {", undefined],
  ])("finds those of %s", (pattern, literals) => {
    expect(requiredLiterals(pattern)).toEqual(literals);
  });

  it("requires nothing that a match may lack", () => {
    const piece = fc.constantFrom(
      "ab",
      "c",
      "a",
      "b+",
      "c*",
      "a?",
      "b{2}",
      "(ab|c)",
      "[ab]",
      ".",
      "\\.",
      "\\w",
      "^",
      "|",
      "(?:bc)?",
    );
    const text = fc
      .array(fc.constantFrom("a", "b", "c", ".", "ab", "bb"), { maxLength: 8 })
      .map((parts) => parts.join(""));
    fc.assert(
      fc.property(fc.array(piece, { minLength: 1, maxLength: 6 }), text, (parts, line) => {
        const pattern = parts.join("");
        const literals = compiles(pattern) ? requiredLiterals(pattern) : undefined;
        if (!literals || !RE2JS.compile(pattern).test(line)) return true;
        return literals.some((literal) => line.includes(literal));
      }),
      { numRuns: 3_000 },
    );
  });
});

function compiles(pattern: string): boolean {
  try {
    RE2JS.compile(pattern);
    return true;
  } catch {
    return false;
  }
}
