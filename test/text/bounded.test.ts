import { describe, expect, it } from "@jest/globals";
import { excessLength, parseJson } from "../../src/text/bounded.ts";

const BOUNDS = { length: 1_000, depth: 3, parts: 8 };

describe("parseJson", () => {
  it.each<[string, string, string | undefined]>([
    ["at its length", JSON.stringify("a".repeat(998)), undefined],
    ["longer", JSON.stringify("a".repeat(999)), "it is longer than 1000 characters"],
    ["at its depth", "[[[1]]]", undefined],
    ["deeper", "[[[[1]]]]", "it nests deeper than 3 levels"],
    ["lists one after the other", "[[],[],[]]", undefined],
    ["at its parts", "[1,2,3,4,5,6,7,8]", undefined],
    ["more parts", "[1,2,3,4,5,6,7,8,9]", "it has more than 8 keys and values"],
    ["more keys", '{"a":1,"b":1,"c":1,"d":1,"e":1}', "it has more than 8 keys and values"],
    ["signs in a string", '["[[[[[[[[,,,,,,,,::::::::"]', undefined],
    ["an escaped quote", '["\\"[[[[[[[["]', undefined],
    ["an escaped backslash", '["\\\\",[[[]]]]', "it nests deeper than 3 levels"],
    ["a string without end", '"[[[[[[[[', "it is not valid JSON"],
    ["nothing", "", "it is not valid JSON"],
  ])("%s", (_what, text, fault) => {
    const read = parseJson(text, BOUNDS);
    if (fault === undefined) expect(read).toEqual({ value: JSON.parse(text) });
    else expect(read.fault).toContain(fault);
  });

  it("refuses what would fill the stack of whoever walks it", () => {
    const text = "[".repeat(100_000) + "]".repeat(100_000);
    expect(parseJson(text, { length: text.length }).fault).toMatch(/nests deeper/);
  });
});

describe("excessLength", () => {
  it("counts characters as strings do", () => {
    expect(excessLength("😀", { length: 2 })).toBeUndefined();
    expect(excessLength("😀", { length: 1 })).toBe("it is longer than 1 characters");
  });
});
