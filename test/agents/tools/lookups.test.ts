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
    expect(await lookups.findReferences({ name: "Store" })).toMatchObject({
      files: [
        { path: "src/shop.ts", byText: false, uses: uses({ line: 1, declares: false }, { line: 3, declares: false }) },
        { path: "src/store.ts", byText: false, uses: uses({ line: 1, declares: true }) },
        { path: "docs/guide.md", byText: true, uses: uses({ line: 1, declares: false }) },
      ],
      left: 0,
    });
  });

  it("about folders and places in files", async () => {
    expect(lookups.list("src/")).toMatchObject({ prefix: "src/", paths: ["shop.ts", "store.ts"] });
    const found = await lookups.read([
      { path: "src/shop.ts" },
      { path: "src/store.ts", symbol: "Store.get" },
      { path: "src/store.ts", symbol: "put" },
      { path: "src/store.ts", start: 2, end: 90 },
    ]);
    expect(found.map((one) => ("spans" in one ? one.spans : one))).toMatchObject([
      "whole",
      [{ start: 2, end: 4 }],
      [],
      [{ start: 2, end: 5 }],
    ]);
  });

  it.each([
    ["a path outside", () => lookups.findText({ pattern: "a", path: "../x" })],
    ["no pattern", () => lookups.findText({ pattern: " " })],
    ["no name", () => lookups.findSymbol({ name: "a b" })],
    ["no folder", () => lookups.list("none")],
  ])("with a reason for %s", async (_name, ask) => {
    expect(await ask()).toEqual({ reason: expect.any(String) });
  });
});
