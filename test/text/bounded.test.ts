import { describe, expect, it } from "@jest/globals";
import { boundBodies, excessLength, LONGEST_BODY, parseJson, readBeginning } from "../../src/text/bounded.ts";

const BOUNDS = { length: 1_000, depth: 3, parts: 8 };

describe("parseJson", () => {
  it.each<[string, string, string | undefined]>([
    ["as long as allowed", JSON.stringify("a".repeat(998)), undefined],
    ["too long", JSON.stringify("a".repeat(999)), "it is longer than 1000 characters"],
    ["as deep as allowed", "[[[1]]]", undefined],
    ["too deep", "[[[[1]]]]", "it nests deeper than 3 levels"],
    ["consecutive lists", "[[],[],[]]", undefined],
    ["as many values as allowed", "[1,2,3,4,5,6,7,8]", undefined],
    ["too many values", "[1,2,3,4,5,6,7,8,9]", "it has more than 8 keys and values"],
    ["too many keys", '{"a":1,"b":1,"c":1,"d":1,"e":1}', "it has more than 8 keys and values"],
    ["brackets and commas in a string", '["[[[[[[[[,,,,,,,,::::::::"]', undefined],
    ["an escaped quote", '["\\"[[[[[[[["]', undefined],
    ["an escaped backslash", '["\\\\",[[[]]]]', "it nests deeper than 3 levels"],
    ["an unfinished string", '"[[[[[[[[', "it is not valid JSON"],
    ["nothing", "", "it is not valid JSON"],
  ])("%s", (_what, text, fault) => {
    const read = parseJson(text, BOUNDS);
    if (fault === undefined) expect(read).toEqual({ value: JSON.parse(text) });
    else expect(read.fault).toContain(fault);
  });

  it("refuses nesting that would overflow its reader's stack", () => {
    const text = "[".repeat(100_000) + "]".repeat(100_000);
    expect(parseJson(text, { length: text.length }).fault).toMatch(/nests deeper/);
  });
});

describe("excessLength", () => {
  it("counts UTF-16 units, as strings do", () => {
    expect(excessLength("😀", { length: 2 })).toBeUndefined();
    expect(excessLength("😀", { length: 1 })).toBe("it is longer than 1 characters");
  });
});

describe("boundBodies", () => {
  it("cuts every body at GitHub's limit and never within a character", () => {
    const long = `${"a".repeat(LONGEST_BODY - 1)}😀 and more`;
    const data = { body: long, title: long, list: [{ comment: { body: long } }, { body: null }, "text"] };
    boundBodies(data);
    expect(data.body).toBe("a".repeat(LONGEST_BODY - 1));
    expect(data.list).toEqual([{ comment: { body: data.body } }, { body: null }, "text"]);
    expect(data.title).toBe(long);
  });
});

describe("readBeginning", () => {
  it("leaves the rest of an endless answer", async () => {
    const endless = new ReadableStream<Uint8Array>({ pull: (to) => to.enqueue(new Uint8Array(1_000).fill(97)) });
    expect(Buffer.from(await readBeginning(endless, 2_500)).toString()).toBe("a".repeat(2_500));
  });
});
