import { describe, expect, it } from "@jest/globals";
import { makeTools } from "./make-tools.ts";

const { ask, tools } = makeTools({
  "app/store.py": [
    "from base import helper",
    "",
    "class Store:",
    "    @cached",
    "    def get(self, key):",
    "        # helper",
    "        return helper(key)",
    "",
  ].join("\n"),
  "app/base.py": "def helper(x):\n    return x\n\nCALLED = helper('helper')\n",
  "web/client.ts": 'export class Client {\n  get(key: string) {\n    return fetch("/get" + key);\n  }\n}\n',
  "lib/Thing.kt": "object Thing {\n  fun helper(x: Int) = x\n  val y = helper(2)\n}\n",
  "CHANGES.md": "helper is faster now\n",
});

describe("find_symbol", () => {
  it("gives place, kind and enclosing declaration", async () => {
    expect(await ask("find_symbol", { name: "get" })).toBe(
      [
        "app/store.py:4-7: method in Store: def get(self, key):",
        "web/client.ts:2-4: method in Client: get(key: string) {",
      ].join("\n"),
    );
    expect(await ask("find_symbol", { name: "Client.get()" })).toBe(
      "web/client.ts:2-4: method in Client: get(key: string) {",
    );
    expect(await ask("find_symbol", { name: "Other::get", path: "app" })).toMatch(
      /None belongs to Other.*\napp\/store\.py/,
    );
  });

  it("finds them by the look of lines in other languages", async () => {
    expect(await ask("find_symbol", { name: "helper" })).toBe(
      ["app/base.py:1-2: function: def helper(x):", "lib/Thing.kt:2: function in Thing: fun helper(x: Int) = x"].join(
        "\n",
      ),
    );
  });

  it.each<[string, RegExp]>([
    ["client", /No client, but in other case:\nweb\/client\.ts:1-5: class: export class Client/],
    ["fetch", /No declaration of fetch was found.*only web\/client\.ts/],
    ["nowhere", /nowhere stands in none of 5 files/],
    ["a b c", /is no name/],
    ["()", /is no name/],
    ["(a+)+$", /no name|none of/],
  ])("explains %s", async (name, words) => {
    expect(await ask("find_symbol", { name })).toMatch(words);
  });
});

describe("find_references", () => {
  it("gives uses with their enclosing declarations, without comments and strings", async () => {
    expect(await ask("find_references", { name: "helper" })).toBe(
      [
        "7 lines in 4 files, 1 of them declarations:",
        "app/base.py",
        "1: def helper(x):  [declaration]",
        "4: CALLED = helper('helper')",
        "app/store.py",
        "1: from base import helper",
        "7: return helper(key)  [in Store.get]",
        "lib/Thing.kt",
        "2: fun helper(x: Int) = x  [text search]",
        "3: val y = helper(2)  [text search]",
        "CHANGES.md:1: helper is faster now  [text search]",
      ].join("\n"),
    );
    expect(await ask("find_references", { name: "helper", path: "app/store.py" })).toMatch(/^2 lines in 1 file,/);
    expect(await ask("find_references", { name: "nowhere" })).toMatch(/stands in none of 5 files/);
  });

  it("says what it left out", async () => {
    const files = Object.fromEntries(
      Array.from({ length: 30 }, (_, n) => [
        `m${String(n).padStart(2, "0")}.py`,
        `${"x = 1\n".repeat(50)}def f():\n    get()\n`,
      ]),
    );
    const limited = makeTools({ ...files, "z.py": "def get(): pass\n" }, { parsedBytes: 1_000, matches: 2 });
    expect(await limited.ask("find_references", { name: "get" })).toMatch(
      /28 more files hold the name and were not looked at/,
    );
    const declared = await limited.ask("find_symbol", { name: "get" });
    expect(declared).toMatch(/z\.py:1: function: def get\(\): pass/);
    expect(declared).toMatch(/27 more files hold the name and were not parsed/);
  });
});

describe("createTools", () => {
  it("gives five described tools", () => {
    expect(tools.map(({ name }) => name)).toEqual(["search", "read", "list", "find_symbol", "find_references"]);
    for (const { description } of tools) expect(description.length).toBeGreaterThan(40);
  });
});
