import { describe, expect, it } from "@jest/globals";
import type { SyntaxCheck } from "../../../src/ports/source-parser.ts";
import { largeSource } from "../../fakes/large-source.ts";
import { sharedParser } from "../../fakes/shared-parser.ts";

/** Longer than what is read as a whole. */
const MIDDLE = "/* the one */\nstatic int the_only_one(void)\n{\n    return answer(42);\n}\n\n";
const text = largeSource(4_100_000, MIDDLE);
const lineOf = (words: string) => text.slice(0, text.indexOf(words)).split("\n").length;

describe("a text of many megabytes", () => {
  it("is read in pieces, and what is found is told by its place in the whole", async () => {
    const symbols = (await sharedParser.symbols("a.c", text)) ?? [];
    const at = lineOf("static int the_only_one");
    expect(symbols.filter(({ name }) => name === "the_only_one")).toEqual([
      { name: "the_only_one", kind: "function", start: at, end: at + 3 },
    ]);
    expect(symbols).toHaveLength(text.split("/* Handles step").length);
    const lines = text.split("\n");
    for (const { name, start } of symbols) expect(lines[start - 1]).toContain(name);

    expect(await sharedParser.references("a.c", text, "answer")).toEqual([lineOf("return answer")]);
    const spans = (await sharedParser.spans("a.c", text)) ?? [];
    expect(spans.some(({ start, end }) => text.slice(start, end) === "/* the one */")).toBe(true);
  });

  it("is checked for its syntax to its end", async () => {
    expect(await sharedParser.faults("a.c", text)).toEqual({ kind: "checked", faults: [] });
    const broken = (check: SyntaxCheck) => (check.kind === "checked" ? check.faults.map(({ line }) => line) : check);
    const added = `${text}int broken(void) { return (1; }\n`;
    expect(broken(await sharedParser.faults("a.c", added))).toEqual([text.split("\n").length]);
  });
});
