import { describe, expect, it } from "@jest/globals";
import { cleanLog } from "../../../src/checks/test-logs/clean-log.ts";
import { cutLog } from "../../../src/checks/test-logs/cut-log.ts";
import { findPlaces } from "../../../src/checks/test-logs/places.ts";
import { computingTime } from "../../fakes/computing-time.ts";
import { PATHS, SAMPLES, stamped } from "./sample-logs.ts";

const NOISE = Array.from({ length: 2_000 }, (_, at) => `npm http fetch GET 200 package-${at} 12ms, 0 errors`);

describe("cleanLog", () => {
  it("removes what GitHub's page does not show", () => {
    const log = [
      "\uFEFF2026-11-20T10:00:00.1234567Z ##[group]Run npm test",
      "2026-11-20T10:00:00.1234567Z \u001b[36;1mnpm test\u001b[0m",
      "2026-11-20T10:00:00.1234567Z ##[endgroup]",
      "2026-11-20T10:00:01.1234567Z ",
      "2026-11-20T10:00:01.1234567Z ",
      "2026-11-20T10:00:01.1234567Z 10%\r50%\r100%\r",
      "2026-11-20T10:00:01.1234567Z see \u001b]8;;https://x.test\u0007here\u001b]8;;\u0007",
      "::error file=src/a.js,line=3::It is wrong",
      "2026-11-20T10:00:02.1234567Z ##[error]Process completed with exit code 1.",
      "2026-11-20T10:00:02.1234567Z hidden\u200b\u202e text",
      "",
    ].join("\n");
    expect(cleanLog(log)).toEqual([
      "Run npm test",
      "npm test",
      "",
      "100%",
      "see here",
      "Error: It is wrong",
      "Error: Process completed with exit code 1.",
      "hidden text",
    ]);
  });

  it("cuts very long lines", () => {
    expect(cleanLog("x".repeat(10_000))).toEqual([`${"x".repeat(500)} […]`]);
  });

  it("takes linear time on hostile logs", () => {
    const began = computingTime();
    for (const piece of ["\u001b[", "\u001b]", "::error ", "a/", "\r", "[", ".a:1"]) {
      findPlaces(cleanLog(piece.repeat(400_000)).join("\n"), PATHS);
      findPlaces(cleanLog(`${piece.repeat(40)}\n`.repeat(2_000)).join("\n"), PATHS);
    }
    expect(computingTime() - began).toBeLessThan(10_000);
  });
});

describe.each(Object.entries(SAMPLES))("a log of %s", (_name, { lines, tells, places }) => {
  const shown = cutLog(cleanLog(stamped([...NOISE, ...lines, ...NOISE])), 4_000);

  it("is cut to the failure", () => {
    for (const words of tells) expect(shown).toContain(words);
    expect(shown.length).toBeLessThanOrEqual(4_000);
    expect(shown).toMatch(/^\[… [\d,]+ lines left out …\]$/m);
  });

  it("names lines of the repository", () => {
    expect(findPlaces(shown, PATHS).map(({ path, line }) => `${path}:${line}`)).toEqual(places);
  });
});

describe("cutLog", () => {
  it("keeps a short log whole", () => {
    expect(cutLog(["a", "b"], 100)).toBe("a\nb");
    expect(cutLog([], 100)).toBe("");
  });

  it("keeps the end of a log without a failure", () => {
    const shown = cutLog(
      NOISE.map((line) => line.replace(", 0 errors", "")),
      1_000,
    );
    expect(shown).toMatch(/^\[… 1,9\d\d lines left out …\]\n/);
    expect(shown.endsWith("package-1999 12ms")).toBe(true);
  });

  it("keeps the first of many failures, and says that more follow", () => {
    const many = Array.from({ length: 3_000 }, (_, at) => `not ok ${at + 1} - it works`);
    const shown = cutLog(many, 2_000);
    expect(shown.startsWith("not ok 1 - it works\n")).toBe(true);
    expect(shown).toMatch(/\[… 2,\d\d\d lines left out …\]$/);
    expect(shown.length).toBeLessThanOrEqual(2_000);
  });

  it("looks for words like error only when no runner reports a failure in its own form", () => {
    const log = [...NOISE, "an error in the words of nobody", ...NOISE];
    expect(cutLog(log, 4_000)).toContain("an error in the words of nobody");
    expect(cutLog([...log, "--- FAIL: TestX"], 1_000)).not.toContain("the words of nobody");
  });
});

describe("findPlaces", () => {
  it("ignores files of other packages and machines", () => {
    const log = [
      "at x (/usr/lib/node_modules/npm/index.js:3:1)",
      "at y (/opt/tool/index.js:3:1)",
      "at z (/home/runner/work/shop/shop/index.js:4:1)",
      "https://example.test/money.js:80",
    ].join("\n");
    expect(findPlaces(log, PATHS)).toEqual([{ path: "index.js", line: 4 }]);
  });

  it("ignores a name that several files share", () => {
    expect(findPlaces("a_test.go:3: no", ["x/a_test.go", "y/a_test.go"])).toEqual([]);
    expect(findPlaces("y/a_test.go:3: no", ["x/a_test.go", "y/a_test.go"])).toEqual([{ path: "y/a_test.go", line: 3 }]);
  });
});
