import { describe, expect, it } from "@jest/globals";
import type { SourceSymbol } from "../../../src/code/source-parser.ts";
import { readSource } from "../../../src/code/tree-sitter/read-source.ts";
import { largeSource } from "../../fakes/large-source.ts";

const MIDDLE = "/* the one */\nstatic int the_only_one(void)\n{\n    return answer(42);\n}\n\n";
const text = largeSource(200_000, MIDDLE);
const lines = text.split("\n");
const lineOf = (words: string) => text.slice(0, text.indexOf(words)).split("\n").length;
const SIZES = { whole: 60_000, piece: 40_000 };
const read = (verb: "symbols" | "references" | "faults", of = text) =>
  readSource({ verb, path: "a.c", text: of, name: "answer" }, SIZES);

describe("a text too long to parse whole", () => {
  it("is parsed in pieces, and positions refer to the whole", async () => {
    const symbols = (await read("symbols")) as readonly SourceSymbol[];
    const at = lineOf("static int the_only_one");
    expect(symbols.filter(({ name }) => name === "the_only_one")).toEqual([
      { name: "the_only_one", kind: "function", start: at, end: at + 3 },
    ]);
    expect(symbols).toHaveLength(text.split("/* Handles step").length);
    for (const { name, start } of symbols) expect(lines[start - 1]).toContain(name);

    expect(await read("references")).toEqual([lineOf("return answer")]);
  });

  it("has its syntax checked to the end", async () => {
    expect(await read("faults")).toEqual({ kind: "checked", faults: [] });
    const check = await read("faults", `${text}int broken(void) { return (1; }\n`);
    expect(check).toMatchObject({ kind: "checked", faults: [{ line: lines.length }] });
  });
});
