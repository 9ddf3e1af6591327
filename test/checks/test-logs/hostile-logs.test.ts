import { describe, expect, it } from "@jest/globals";
import { readTestLog } from "../../../src/checks/test-logs/read-test-log.ts";

const MEGABYTE = 1_000_000;

/** Enough for a busy machine; a pattern that is not linear takes minutes. */
const LIMIT = 60_000;

const rows = (row: string, size = 6 * MEGABYTE) => `${row}\n`.repeat(Math.ceil(size / (row.length + 1)));

describe("hostile logs", () => {
  it.each<[string, () => string]>([
    ["100 MB on one line", () => "x".repeat(100 * MEGABYTE)],
    ["50 MB of short lines", () => rows("a", 50 * MEGABYTE)],
    ["unfinished colours", () => "\u001b[".repeat(3 * MEGABYTE)],
    ["unfinished titles", () => "\u001b]".repeat(3 * MEGABYTE)],
    ["blanks", () => rows(" ".repeat(490))],
    ["endless failures", () => rows("  ● a › b\n\n    expect(received).toBe(expected)\nTests:       1 failed")],
    [
      "failures with different names",
      () => Array.from({ length: 200_000 }, (_, at) => `--- FAIL: Test${at} (0.00s)`).join("\n"),
    ],
    ["endless prefixes", () => Array.from({ length: 200_000 }, (_, at) => `p${at}: FAIL`).join("\n")],
    ["the same prefixes, nested", () => rows("a: b: c: d: --- FAIL: TestX (0.00s)")],
    ["repeated words of a cause", () => rows(`error ${"expected ".repeat(50)}`)],
    ["underscores", () => `=== FAILURES ===\n${rows(`${"_".repeat(240)} ${"_ ".repeat(120)}`)}`],
    ["brackets", () => `FAIL: a (b)\n${rows(`Failed ${"[ ".repeat(240)}`)}`],
    ["times", () => rows(`Tests run: 1, Failures: 1 ${"Time elapsed: ".repeat(33)}`)],
    ["paths", () => `--- FAIL: TestX (0.00s)\n${rows("a/".repeat(240))}`],
    ["titles with words and numbers", () => `Executed 1 of 1\n${rows("word 1.1 ".repeat(50))}`],
  ])(
    "%s",
    (_what, log) => {
      const { failures } = readTestLog(log());
      expect(failures.length).toBeLessThanOrEqual(200);
      expect(JSON.stringify(failures).length).toBeLessThan(MEGABYTE);
    },
    LIMIT,
  );
});
