import { describe, expect, it } from "@jest/globals";
import { makeTools } from "./make-tools.ts";

const long = Array.from({ length: 300 }, (_, n) => `def f${n}():\n    return ${n}\n`).join("");
const { ask } = makeTools({
  "src/short.ts": "\uFEFFconst a = 1;\r\n\tconst b = 2;\r\n",
  "src/long.py": long,
  "src/long.txt": "line\n".repeat(1_000),
  "src/wide.txt": `${"x".repeat(30_000)}\n`,
  "src/empty.ts": "",
  "src/a/one.ts": "1",
  "src/a/b/two.ts": "2",
  "logo.png": new Uint8Array([1, 0, 2]),
});

describe("read", () => {
  it("finds a path in another normal form of Unicode", async () => {
    const { ask: askMac } = makeTools({ "docs/cafe\u0301/a.md": "one" });
    const path = "docs/caf\u00e9/a.md";
    expect(await askMac("read", { places: [{ path }] })).toContain("1|one");
    expect(await askMac("list", { path: "docs/caf\u00e9" })).toContain("a.md");
  });

  it("gives numbered lines", async () => {
    expect(await ask("read", { places: [{ path: "src/short.ts" }] })).toBe(
      "src/short.ts (2 lines)\n1|const a = 1;\n2|\tconst b = 2;",
    );
    expect(await ask("read", { places: [{ path: "./src/long.py", start: 3, end: 4 }] })).toBe(
      "src/long.py (600 lines)\n3|def f1():\n4|    return 1",
    );
  });

  it("gives a long file's outline or first lines, and says what it left out", async () => {
    const outline = await ask("read", { places: [{ path: "src/long.py" }] });
    expect(outline).toMatch(/^src\/long\.py has 600 lines\. It declares.*\n1-2 function f0\n3-4 function f1\n/);
    const short = await makeTools({ "long.py": long }, { readCharacters: 2_000 }).ask("read", {
      places: [{ path: "long.py" }],
    });
    expect(short.length).toBeLessThanOrEqual(2_100);
    expect(short).toMatch(/… \d+ smaller or later declarations not shown/);
    const first = await ask("read", { places: [{ path: "src/long.txt" }] });
    expect(first).toMatch(/\n250\|line\n… lines 251 to 1000 not shown/);
    const part = await ask("read", { places: [{ path: "src/long.py", start: 100 }] });
    expect(part).toMatch(/… lines 350 to 600 not shown: read on with start 350\./);
    expect(await ask("read", { places: [{ path: "src/wide.txt" }] })).toMatch(/28000 more characters\]$/);
  });

  it.each<[string, unknown, RegExp]>([
    ["a folder", { path: "src/a" }, /is a folder: use list/],
    ["a binary file", { path: "logo.png" }, /no text file/],
    ["an empty file", { path: "src/empty.ts" }, /is empty/],
    ["a line beyond the end", { path: "src/short.ts", start: 9 }, /has 2 lines: there is no line 9/],
    ["an inverted range", { path: "src/short.ts", start: 2, end: 1 }, /end comes before start/],
    ["a line before the first", { path: "src/short.ts", start: -4, end: 1 }, /1\|const a/],
    ["a line that is no number", { path: "src/short.ts", start: "two" }, /not called properly\. places\.0\.start/],
    ["a similar name", { path: "lib/two.ts" }, /Nearest: src\/a\/b\/two\.ts/],
    ["part of a name", { path: "shor.ts" }, /Nearest: src\/short\.ts/],
    ["an unknown name", { path: "src/a/zzzz.rs" }, /There is a folder src\/a\//],
    ["a path out of the repository", { path: "src/../../x" }, /leads out/],
  ])("explains %s", async (_name, input, words) => {
    expect(await ask("read", { places: [input] })).toMatch(words);
  });
});

describe("read of several places", () => {
  it("gives them in order, by lines or declaration, and short ones whole", async () => {
    const files = {
      "a.py": "def one():\n    return 1\n\nclass Two:\n    def one(self):\n        return 2\n",
      "b.txt": "b\n",
    };
    const { ask } = makeTools(files);
    const places = [{ path: "a.py", symbol: "Two.one" }, { path: "b.txt" }, { path: "a.py", symbol: "three" }];
    expect(await ask("read", { places })).toBe(
      "a.py (6 lines)\n5|    def one(self):\n6|        return 2\n\nb.txt (1 line)\n1|b\n\n" +
        "a.py declares no three.\na.py has 6 lines. It declares the following; read the part you need with start and end.\n" +
        "1-2 function one\n4-6 class Two\n  5-6 method one",
    );
    const narrow = makeTools(
      { ...files, "c.txt": "c\n".repeat(100), "d.txt": "d\n".repeat(100) },
      { readCharacters: 700 },
    );
    const cut = await narrow.ask("read", { places: [{ path: "c.txt" }, { path: "b.txt" }, { path: "d.txt" }] });
    expect(cut).toMatch(/… lines \d+ to 100 not shown: .*\n\nb\.txt \(1 line\)\n1\|b\n\nd\.txt \(100 lines\)\n1\|d/);
    expect(cut.length).toBeLessThan(1_000);
  });

  it("begins a declaration with its attributes and comment", async () => {
    const text = "fn one() {}\n/// Says why.\n#[test]\nfn two() {\n    go();\n}\n";
    const { ask } = makeTools({ "a.rs": text.padEnd(9_000, "// more\n") });
    for (const place of [{ symbol: "two" }, { start: 4, end: 6 }])
      expect(await ask("read", { places: [{ path: "a.rs", ...place }] })).toMatch(/\n2\|\/\/\/ Says why[\s\S]*6\|}/);
  });

  it("shows at least the beginning of each, even without room", async () => {
    const files = Object.fromEntries(["a", "b", "c", "d"].map((name) => [`${name}.txt`, `${name}\n`.repeat(2_000)]));
    const { ask } = makeTools(files, { readCharacters: 3_000 });
    const places = Object.keys(files).map((path) => ({ path, start: 1, end: 200 }));
    const answer = await ask("read", { places });
    expect(answer).toMatch(/200\|a\n\n/);
    for (const name of ["b", "c", "d"])
      expect(answer).toMatch(new RegExp(`${name}\\.txt \\(2000 lines\\)\n1\\|${name}\n`));
    expect(answer.length).toBeLessThan(3_300);
  });

  it("fills its room place by place instead of giving each a few lines", async () => {
    const file = (name: string) => Array.from({ length: 100 }, (_, at) => `${name} ${at + 1}\n`).join("");
    const { ask } = makeTools(
      { "a.txt": file("a"), "b.txt": file("b"), "c.txt": file("c") },
      { readCharacters: 1_600 },
    );
    const answer = await ask("read", {
      places: [{ path: "a.txt" }, { path: "b.txt" }, { path: "c.txt", start: 3, end: 5 }],
    });
    expect(answer).toContain("100|a 100");
    expect(answer).toMatch(/b\.txt[\s\S]*… lines \d+ to 100 not shown/);
    expect(answer).toContain("5|c 5");
  });
});

describe("search with lines around", () => {
  it("shows each match with numbered lines around it", async () => {
    const lines = Array.from({ length: 30 }, (_, at) => `line ${at + 1}`);
    const { ask } = makeTools({ "a.txt": `${lines.join("\n")}\n`, "b.txt": "none\n" });
    expect(await ask("search", { pattern: "line (10|12|25)$", around: 1 })).toBe(
      "3 lines in 1 of 2 files:\na.txt\n9|line 9\n10|line 10\n11|line 11\n12|line 12\n13|line 13\n⋮\n24|line 24\n25|line 25\n26|line 26",
    );
  });
});

describe("list", () => {
  it("counts the files below folders", async () => {
    expect(await ask("list", {})).toBe("The repository (8 files)\n  src/ (7 files)\n  logo.png");
    expect(await ask("list", { path: "src/a/", depth: 9 })).toBe(
      "src/a/ (2 files)\n  b/ (1 file)\n    two.ts\n  one.ts",
    );
  });

  it("cuts long answers, and explains errors", async () => {
    const wide = makeTools(Object.fromEntries(Array.from({ length: 500 }, (_, n) => [`d/f${n}.ts`, ""])));
    const answer = await wide.ask("list", { path: "d" });
    expect(answer.split("\n")).toHaveLength(152);
    expect(answer).toMatch(/… 350 more entries not shown/);
    expect(await ask("list", { path: "src/short.ts" })).toMatch(/is a file: use read/);
    expect(await ask("list", { path: "nowhere" })).toMatch(/no file or folder nowhere/);
    expect(await makeTools({}).ask("list", {})).toMatch(/no files that may be seen/);
  });
});
