import { describe, expect, it } from "@jest/globals";
import { makeTools } from "./make-tools.ts";

const { lookups } = makeTools({
  "src/store.ts": "export class Store {\n  get(key: string) {\n    return read(key);\n  }\n}\n",
  "src/shop.ts": 'import { Store } from "./store.ts";\n// Store\nnew Store().get("a");\n',
  "docs/guide.md": "A Store keeps.\n",
});

describe("look-ups return data", () => {
  it("about matching lines and how the pattern was read", async () => {
    const lines = [{ path: "src/shop.ts", lines: [{ line: 3, text: 'new Store().get("a");' }] }];
    expect(await lookups.findText({ pattern: "new \\w+\\(", path: "src" })).toMatchObject({
      files: lines,
      asText: false,
    });
    expect(await lookups.findText({ pattern: 'get("a")' })).toMatchObject({ files: lines, asText: true });
    const [fault, asText] = [expect.any(String), false];
    expect(await lookups.findText({ pattern: "new Store(" })).toMatchObject({ files: lines, asText, fault });
  });

  it("about declarations, also in another letter case", async () => {
    const get = { path: "src/store.ts", kind: "method", parent: "Store", start: 2, end: 4 };
    expect(await lookups.findSymbol({ name: "Store.get()" })).toMatchObject({
      declarations: [get],
      inOtherCase: false,
    });
    expect(await lookups.findSymbol({ name: "store" })).toMatchObject({
      declarations: [{ name: "Store", kind: "class" }],
      inOtherCase: true,
    });
    expect(await lookups.findSymbol({ name: "read" })).toMatchObject({ declarations: [], holders: ["src/store.ts"] });
  });

  it("about uses, with the declarations among them and files without a grammar", async () => {
    const uses = (...all: readonly object[]) => all.map((use) => expect.objectContaining(use));
    expect(await lookups.findReferences("Store")).toEqual([
      { path: "src/shop.ts", uses: uses({ line: 1, declares: false }, { line: 3, declares: false }) },
      { path: "src/store.ts", uses: uses({ line: 1, declares: true }) },
      { path: "docs/guide.md", uses: uses({ line: 1, declares: false }) },
    ]);
    expect(await lookups.findReferences("read")).toMatchObject([{ uses: [{ line: 3, inside: "Store.get" }] }]);
    for (const name of ["nowhere", "a b"]) expect(await lookups.findReferences(name)).toEqual([]);
  });

  it("about places in files", async () => {
    const found = await lookups.read([
      { path: "src/shop.ts" },
      { path: "src/store.ts", symbol: "Store.get" },
      { path: "src/store.ts", symbol: "put" },
      { path: "src/store.ts", start: 2, end: 90 },
    ]);
    expect(found.map((one) => ("spans" in one ? one.spans : one))).toMatchObject([
      "whole",
      { declarations: [{ path: "src/store.ts", start: 2, end: 4 }] },
      [],
      [{ start: 2, end: 5 }],
    ]);
  });

  it.each([
    ["a path outside", () => lookups.findText({ pattern: "a", path: "../x" })],
    ["no pattern", () => lookups.findText({ pattern: " " })],
    ["no name", () => lookups.findSymbol({ name: "()" })],
  ])("with a reason for %s", async (_name, ask) => {
    expect(await ask()).toEqual({ reason: expect.any(String) });
  });
});

const { ask, lookups: declared } = makeTools({
  "lib/convert.py": [
    "@overload",
    "def convert(value: int) -> int: ...",
    "@typing.overload",
    "def convert(value: str) -> str: ...",
    "def convert(value):",
    "    return handlers(value)",
    "",
    "@singledispatch",
    "def handlers(value):",
    "    raise TypeError(value)",
    "",
    "@handlers.register(int)",
    "def _(value):",
    "    return value + 1",
    "",
    '@app.route("/users")',
    "def users():",
    "    return []",
    "",
    "class Base:",
    "    @abstractmethod",
    "    def load(self): ...",
    "",
    "class Real(Base):",
    "    def load(self):",
    "        return 1",
    "",
  ].join("\n"),
  "lib/convert.pyi": "def convert(value: int) -> int: ...\n",
  "src/parse.ts": [
    "export function parse(text: string): Tree;",
    "export function parse(text: Buffer): Tree;",
    "export function parse(text: string | Buffer): Tree {",
    "  return read(text);",
    "}",
    "export class Reader {",
    "  next(): void;",
    "  next(count: number): void;",
    "  next(count = 1) {",
    "    this.at += count;",
    "  }",
    "}",
    "interface Source {",
    "  next(): void;",
    "}",
  ].join("\n"),
  "src/parse.d.ts": "export declare function parse(text: string): Tree;\n",
  "src/view.js": [
    "function View(name) {",
    "  this.name = name;",
    "}",
    "View.prototype.lookup = function lookup(name) {",
    "  return name;",
    "};",
    "const app = (exports = module.exports = {});",
    "app.use = function use(fn) {",
    "  return fn;",
    "};",
  ].join("\n"),
  "src/users.controller.ts": 'class Users {\n  @Get("/users")\n  all() {\n    return [];\n  }\n}\n',
  "src/Store.java": 'class Store {\n  @GetMapping("/x")\n  int get() {\n    return 1;\n  }\n  abstract int put();\n}\n',
  "src/list.c": "int push(int value);\nint push(int value) {\n  return value;\n}\nint pop(void);\n",
  "src/shape.rs":
    "trait Shape {\n    fn area(&self) -> f64;\n}\nimpl Shape for Square {\n    fn area(&self) -> f64 {\n        1.0\n    }\n}\n",
});

describe("findSymbol", () => {
  it.each([
    ["convert", ["lib/convert.py:5-6 function", "lib/convert.pyi:1-1 function, signature only"]],
    ["parse", ["src/parse.ts:3-5 function", "src/parse.d.ts:1-1 function, signature only"]],
    ["Reader.next", ["src/parse.ts:9-11 method in Reader"]],
    ["Source.next", ["src/parse.ts:14-14 method in Source, signature only"]],
    ["load", ["lib/convert.py:25-26 method in Real", "lib/convert.py:21-22 method in Base, signature only"]],
    ["push", ["src/list.c:2-4 function"]],
    ["pop", ["src/list.c:5-5 function, signature only"]],
    ["area", ["src/shape.rs:5-7 method in Square", "src/shape.rs:2-2 method in Shape, signature only"]],
    ["users", ['lib/convert.py:16-18 function by @app.route("/users")']],
    ["Users.all", ['src/users.controller.ts:3-5 method in Users by @Get("/users")']],
    ["Store.get", ['src/Store.java:2-5 method in Store by @GetMapping("/x")']],
    ["View.lookup", ["src/view.js:4-6 method in View"]],
    ["View.prototype.lookup", ["src/view.js:4-6 method in View"]],
    ["app.use", ["src/view.js:8-10 method in app"]],
    ["handlers", ["lib/convert.py:8-10 function", "lib/convert.py:12-14 function by @handlers.register(int)"]],
  ])("finds implementations of %s first", async (name, expected) => {
    const found = await declared.findSymbol({ name });
    const declarations = "reason" in found ? [] : found.declarations;
    expect(
      declarations.map(({ path, start, end, kind, parent, by, stub }) =>
        [`${path}:${start}-${end} ${kind}`, parent && ` in ${parent}`, by && ` by ${by}`, stub && ", signature only"]
          .filter((part) => part)
          .join(""),
      ),
    ).toEqual(expected);
  });
});

describe("read by name", () => {
  it("gives implementations, and functions registered with one", async () => {
    const read = async (path: string, symbol: string) => ask("read", { places: [{ path, symbol }] });
    expect(await read("lib/convert.py", "convert")).toBe(
      "lib/convert.py (26 lines)\n5|def convert(value):\n6|    return handlers(value)",
    );
    expect(await read("src/parse.ts", "parse")).toContain("3|export function parse(text: string | Buffer): Tree {");
    const registered = await read("lib/convert.py", "handlers");
    expect(registered).toMatch(/raise TypeError[\s\S]*return value \+ 1/);
    expect(await read("lib/convert.py", "load")).not.toContain("abstractmethod");
  });
});
