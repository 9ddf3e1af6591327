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
    expect(await askMac("read", { places: [{ path: "docs/caf\u00e9" }] })).toContain("1|a.md");
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
    ["a place without path and symbol", { start: 1 }, /^A place needs a path, or a symbol to find\.$/],
    ["what is neither file nor folder", { path: "nowhere" }, /no file or folder nowhere .* Read the path \. to see/],
    ["a binary file", { path: "logo.png" }, /no text file/],
    ["an empty file", { path: "src/empty.ts" }, /is empty/],
    ["a line beyond the end", { path: "src/short.ts", start: 9 }, /has 2 lines: there is no line 9/],
    ["an inverted range", { path: "src/short.ts", start: 2, end: 1 }, /end comes before start/],
    ["a line before the first", { path: "src/short.ts", start: -4, end: 1 }, /1\|const a/],
    ["a line that is no number", { path: "src/short.ts", start: "two" }, /not called properly\. places\.0\.start/],
    ["a similar name", { path: "lib/two.ts" }, /Nearest: src\/a\/b\/two\.ts/],
    ["part of a name", { path: "shor.ts" }, /Nearest: src\/short\.ts/],
    ["another letter case", { path: "SRC/A/one.ts" }, /Nearest: src\/a\/one\.ts$/],
    ["a folder in another letter case", { path: "SRC/A" }, /Nearest: src\/a\/$/],
    ["a folder elsewhere", { path: "lib/b/" }, /Nearest: src\/a\/b\/$/],
    ["a path with a line", { path: "src/long.py:12-14" }, /Nearest: src\/long\.py$/],
    ["a glob that nothing fits", { path: "src/*.rs" }, /No file that may be seen has a path like src\/\*\.rs\.$/],
    ["an unknown name", { path: "src/a/zzzz.rs" }, /There is a folder src\/a\//],
    ["a path that is too long", { path: "{".repeat(100_000) }, /^The path is longer than 1000 characters: /],
    ["a name that is too long", { symbol: "{a".repeat(9_000) }, /^The name is longer than 200 characters: /],
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

describe("read of a folder", () => {
  it("gives its folders with how many files they hold, then its files", async () => {
    expect(await ask("read", { places: [{ path: "." }, { path: "src/a/" }] })).toBe(
      "./ (8 files)\n1|src/ (7 files)\n2|logo.png\n\nsrc/a/ (2 files)\n1|b/ (1 file)\n2|one.ts",
    );
    expect(await ask("read", { places: [{ path: "" }] })).toMatch(/^\.\/ \(8 files\)\n/);
    expect(await makeTools({}).ask("read", { places: [{ path: "." }] })).toBe("There are no files that may be seen.");
  });

  it("gives the paths that fit a glob", async () => {
    expect(await ask("read", { places: [{ path: "src/**/*.ts" }] })).toBe(
      "src/**/*.ts (4 files)\n1|src/a/b/two.ts\n2|src/a/one.ts\n3|src/empty.ts\n4|src/short.ts",
    );
  });

  it("cuts a long one, and goes on where it is told to", async () => {
    const wide = makeTools(Object.fromEntries(Array.from({ length: 500 }, (_, n) => [`d/f${n}.ts`, ""])));
    const answer = await wide.ask("read", { places: [{ path: "d" }] });
    expect(answer).toMatch(
      /^d\/ \(500 files\)\n1\|f0\.ts\n[\s\S]*\n… lines 251 to 500 not shown: read on with start 251\.$/,
    );
    expect(await wide.ask("read", { places: [{ path: "d", start: 251 }] })).toMatch(/\n500\|f99\.ts$/);
  });
});

describe("read of a symbol in no named file", () => {
  const store =
    "from base import helper\n\nclass Store:\n    @cached\n    def get(self, key):\n        return helper(key)\n";
  const files = {
    "app/base.py": "def helper(x):\n    return x\n",
    "app/store.py": store,
    "web/client.ts": 'export class Client {\n  get(key: string) {\n    return fetch("/get" + key);\n  }\n}\n',
    "lib/Thing.kt": "object Thing {\n  fun helper(x: Int) = x\n}\n",
  };
  const { ask } = makeTools(files);
  const reading = (symbol: string, path?: string) => ask("read", { places: [{ path, symbol }] });
  const OF_STORE = "app/store.py (6 lines)\n4|    @cached\n5|    def get(self, key):\n6|        return helper(key)";
  const OF_CLIENT = 'web/client.ts (5 lines)\n2|  get(key: string) {\n3|    return fetch("/get" + key);\n4|  }';

  it("shows each of its declarations, also by the look of lines without a grammar", async () => {
    expect(await reading("get")).toBe(`${OF_STORE}\n\n${OF_CLIENT}`);
    expect(await reading("helper")).toMatch(
      /^app\/base\.py.*\n1\|def helper[\s\S]*\nlib\/Thing\.kt.*\n2\| {2}fun helper/,
    );
  });

  it("shows those of its class, in its folder, alone", async () => {
    expect(await reading("Client.get()")).toBe(OF_CLIENT);
    expect(await reading("get", "app")).toBe(OF_STORE);
    expect(await reading("Other::get", "app")).toBe(`None belongs to Other; by its name alone:\n${OF_STORE}`);
  });

  it.each<[string, RegExp]>([
    ["client", /^No client, but in other case:\nweb\/client\.ts \(5 lines\)\n1\|export class Client/],
    ["fetch", /^No declaration of fetch was found.*only web\/client\.ts: search for it\.$/],
    ["nowhere", /^nowhere stands in none of 4 files: search for a part of it\.$/],
    ["a b c", /^a b c stands in none of 4 files: search for a part of it\.$/],
    ["my-own-name", /^my-own-name stands in none of 4 files: search for a part of it\.$/],
    ["()", /is no name/],
    ["(a+)+$", /no name|none of/],
  ])("explains %s", async (symbol, words) => {
    expect(await reading(symbol)).toMatch(words);
  });

  it("names the declarations that find no room, within its limit", async () => {
    const long = (name: string) => `class ${name}:\n    def get(self):\n${"        step()\n".repeat(100)}`;
    const many = Object.fromEntries(["a", "b", "c", "d", "e", "f"].map((name) => [`${name}.py`, long(name)]));
    const answer = await makeTools(many, { readCharacters: 3_000 }).ask("read", { places: [{ symbol: "get" }] });
    expect(answer).toMatch(
      /^a\.py[\s\S]*\n102\| {8}step\(\)\n\nAlso declared:\nb\.py:2-102: method in b: def get\(self\):\n/,
    );
    expect(answer.match(/^[c-f]\.py:2-102: /gm)).toHaveLength(4);
    expect(answer.length).toBeLessThanOrEqual(3_000);
    const [first] = (
      await makeTools(many, { readCharacters: 1_000 }).ask("read", { places: [{ symbol: "get" }] })
    ).split("\n\nAlso");
    expect(first).toMatch(/^a\.py[\s\S]*\n… lines \d+ to 102 not shown/);
  });

  it("shows the beginning of each of many names that are declared in many files, within a small room", async () => {
    const names = Array.from({ length: 8 }, (_, at) => `get${at}`);
    const methods = names.map((name) => `    def ${name}(self):\n${"        step()\n".repeat(30)}`).join("");
    const many = Object.fromEntries(
      Array.from({ length: 60 }, (_, at) => [`shop/parts/m${at}.py`, `class K:\n${methods}`]),
    );
    const places = names.map((symbol) => ({ symbol }));
    const answer = await makeTools(many, { readCharacters: 2_000 }).ask("read", { places });
    expect(answer.match(/^\d+\| {4}def get\d\(self\):$/gm)).toHaveLength(8);
    expect(answer.length).toBeLessThan(3_000);
  });

  it("says how many files it did not parse, those that look like declarations first", async () => {
    const users = Array.from({ length: 30 }, (_, at) => [
      `m${at + 10}.py`,
      `${"x = 1\n".repeat(50)}def f():\n    get()\n`,
    ]);
    const limited = makeTools({ ...Object.fromEntries(users), "z.py": "def get(): pass\n" }, { parsedBytes: 1_000 });
    expect(await limited.ask("read", { places: [{ symbol: "get" }] })).toBe(
      "z.py (1 line)\n1|def get(): pass\n27 more files hold the name and were not parsed: narrow with path.",
    );
  });
});

describe("read of a name that is declared often", () => {
  const classes = (count: number, length: number) =>
    Array.from({ length: count }, (_, at) => {
      return `class C${at}:\n    def get(self):\n${`        step(${at})\n`.repeat(length)}`;
    }).join("");
  const shownTwice = (answer: string) => {
    const rows = answer.split("\n").filter((line) => /^\d+\|/.test(line));
    return rows.filter((row, at) => rows.indexOf(row) !== at);
  };

  it("names all in a file, and stays within its room", async () => {
    const { ask } = makeTools({ "a.py": classes(9, 1), "b.py": classes(7, 600) });
    const few = await ask("read", { places: [{ path: "a.py", symbol: "get" }] });
    for (let at = 0; at < 9; at++) expect(few).toContain(`${at * 3 + 2}${at < 4 ? "|" : "-"}`);
    const many = await ask("read", { places: [{ path: "b.py", symbol: "get" }] });
    expect(many.slice(-1_000)).toMatch(/Also declared:\nb\.py\n604-1204: method in C1: def get\(self\):\n/);
    expect(many.length).toBeLessThanOrEqual(20_000);
  });

  it("says when no class in the file has that name", async () => {
    const { ask } = makeTools({ "a.py": classes(1, 1) });
    const read = (symbol: string) => ask("read", { places: [{ path: "a.py", symbol }] });
    expect(await read("Other.get")).toMatch(/^None belongs to Other; by its name alone:\na\.py/);
    expect(await read("C0.get")).toMatch(/^a\.py/);
  });

  it("shows the one at lines that are given, too, and lines where there is none", async () => {
    const { ask } = makeTools({ "a.py": classes(9, 1) });
    const read = (symbol: string, start: number, end?: number) =>
      ask("read", { places: [{ path: "a.py", symbol, start, end }] });
    expect(await read("get", 23, 24)).toBe("a.py (27 lines)\n23|    def get(self):\n24|        step(7)");
    expect(await read("C1", 100)).toBe("a.py (27 lines)\n4|class C1:\n5|    def get(self):\n6|        step(1)");
    expect(await read("put", 6, 6)).toBe("a.py declares no put.\na.py (27 lines)\n6|        step(1)");
  });

  it("takes the name of a test, a module or a package", async () => {
    const { ask } = makeTools({
      "bin/run.go": "package main\nfunc Run() {\n\tvm.Run()\n}\n",
      "vm/vm.go": "package vm\nfunc Run() {}\n",
      "lib/tools.py": "def run():\n    pass\n",
      "lib/other.py": "def run():\n    pass\n",
      "a.test.js": 'it("function runs what it should", () => {\n  run();\n});\n',
    });
    const read = (symbol: string, path?: string) => ask("read", { places: [{ path, symbol }] });
    expect(await read("vm.Run")).toBe("vm/vm.go (2 lines)\n2|func Run() {}");
    expect(await read("lib.tools.run")).toMatch(/^lib\/tools\.py.*\n1\|def run/);
    for (const path of ["a.test.js", undefined])
      expect(await read("function runs what it should", path)).toMatch(/^a\.test\.js.*\n1\|it\(/);
  });

  it.each([
    "Stack.Push",
    "(*Stack).Push",
    "(s *Stack[T]) Push",
    "stack.(*Stack).Push",
    "Stack[T].Push",
    "Stack<Map<K, V>>.Push<T>(item)",
    "Stack::<T>::Push",
    " Stack#Push() ",
    "func Stack.Push",
  ])("understands %s", async (symbol) => {
    const { ask } = makeTools({
      "a/other.go": "package a\nfunc (o *Other) Push() {}\n",
      "b/stack.go": "package b\nfunc (s *Stack[T]) Push(item T) {}\n",
    });
    for (const path of [undefined, "b/stack.go"])
      expect(await ask("read", { places: [{ path, symbol }] })).toMatch(/^b\/stack\.go \(2 lines\)\n2\|func/);
  });

  it.each(["operator[]", "operator<", "operator<<", "operator()"])("keeps the operator %s", async (symbol) => {
    const { ask } = makeTools({ "a.h": `struct A {\n  int ${symbol}(int i) { return i; }\n};\n` });
    expect(await ask("read", { places: [{ symbol }] })).toMatch(/^a\.h \(3 lines\)\n2\| {2}int operator/);
  });

  it("shows sources before others, functions and classes before values, signatures only by name", async () => {
    const { ask } = makeTools({
      "bin/run.js": 'const Engine = require("../src").Engine;\n',
      "src/engine.js": "class Engine {\n}\n",
      "src/engine.d.ts": "export class Engine {}\n",
      "test/a.test.js": 'describe("Engine", () => {\n});\n',
    });
    const answer = await ask("read", { places: [{ symbol: "Engine" }] });
    expect(answer).toMatch(
      /^src\/engine\.js[\s\S]*\nbin\/run\.js[\s\S]*\ntest\/a\.test\.js[\s\S]*\nsrc\/engine\.d\.ts/,
    );
  });

  it("shows no line twice, within a declaration or by another place", async () => {
    const java = `class Foo {\n  Foo() {\n${"    step();\n".repeat(8)}  }\n}\n`;
    const { ask } = makeTools({ "Foo.java": java, "a.py": classes(3, 10) });
    const constructed = await ask("read", { places: [{ symbol: "Foo" }] });
    expect(constructed).toMatch(/\n12\|}$/);
    expect(shownTwice(constructed)).toEqual([]);
    const places = [{ path: "a.py", start: 2, end: 20 }, { symbol: "C1.get" }, { path: "a.py" }];
    const answer = await ask("read", { places });
    expect(answer).toContain("⋮ 14-20 stand above\n21|");
    expect(answer).toContain("⋮ 2-24 stand above\n25|");
    expect(shownTwice(answer)).toEqual([]);
  });
});
