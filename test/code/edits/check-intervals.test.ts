import { describe, expect, it } from "@jest/globals";
import { splitFile } from "../../../src/agents/paper/resolve-task.ts";
import { checkIntervals } from "../../../src/code/edits/line-edits.ts";

/** Intervals written as `start-end`, several apart by blanks. */
const intervals = (written: string) =>
  written.split(" ").map((one) => {
    const [start = Number.NaN, end = Number.NaN] = one.split("-").map(Number);
    return { start, end };
  });

describe("checkIntervals", () => {
  it("sorts, and accepts adjacent intervals and insertions beside them", () => {
    const ok = intervals("1-2 3-2 3-5 6-5 11-10");
    expect(checkIntervals(intervals("6-5 3-5 11-10 3-2 1-2"), 10)).toEqual({ ok });
    expect(checkIntervals(intervals("1-0"), 0)).toEqual({ ok: intervals("1-0") });
  });

  it.each<[string, string, number, RegExp]>([
    ["a fraction", "1.5-2", 10, /\[1\.5, 2\] is not made of whole numbers/],
    ["before the file", "0-2", 10, /\[0, 2\] starts before line 1.*10 lines/],
    ["inverted", "5-3", 10, /\[5, 3\] ends before it starts.*start 5 and end 4/],
    ["beyond the end", "9-11", 10, /\[9, 11\] ends after the end.*start 11 and end 10/],
    ["starting beyond the end", "12-11", 10, /\[12, 11\] starts after the end/],
    ["a line of an empty file", "1-1", 0, /empty: insert with start 1 and end 0/],
    ["a second line of a file of one", "2-2", 1, /has 1 line;/],
    ["overlapping", "4-6 1-4", 10, /\[1, 4\] and \[4, 6\] overlap/],
    ["an insertion inside another", "3-5 4-3", 10, /\[3, 5\] and \[4, 3\] overlap/],
    ["an insertion before an interval's last line", "3-5 5-4", 10, /overlap/],
    ["two insertions at one place", "4-3 4-3", 10, /Two intervals insert before line 4/],
    ["the same interval twice", "4-4 4-4", 10, /overlap/],
  ])("refuses: %s", (_name, written, lines, words) => {
    const checked = checkIntervals(intervals(written), lines);
    expect("reason" in checked ? checked.reason : "").toMatch(words);
  });

  it("refuses no interval at all", () => {
    expect(checkIntervals([], 10)).toMatchObject({ reason: expect.stringMatching(/at least one/) });
  });
});

describe("splitFile", () => {
  it("gives each interval's exact text", () => {
    const lines = ["a\r\n", "\tb\n", "c"];
    expect(splitFile(lines, intervals("1-2 3-2 3-3"))).toEqual(["a\r\n\tb\n", "", "c"]);
  });
});
