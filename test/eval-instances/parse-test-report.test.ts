import { describe, expect, it } from "@jest/globals";
import { parseTestReport } from "../../eval/parse-test-report.ts";

const read = (output: string, form: "tap" | "unittest") => Object.fromEntries(parseTestReport(output, form));

describe("parseTestReport", () => {
  it("reads the Test Anything Protocol, nested and escaped", () => {
    const output = "TAP version 13\n# Subtest: a\nok 1 - a\n    not ok 1 - b \\# 2\nok 3 - c # time=1ms\r\n1..3\n";
    expect(read(output, "tap")).toEqual({ a: true, "b # 2": false, "c # time=1ms": true });
  });

  it("does not count skipped and todo tests", () => {
    const output = "ok 1 - a # SKIP no network\nnot ok 2 - b # TODO later\nok 3 - c # skip\n";
    expect(read(output, "tap")).toEqual({ a: false, b: false, c: false });
  });

  it("counts a test that failed once as failed, whatever other lines say", () => {
    expect(read("ok 1 - a\nnot ok 2 - a\nok 3 - a\n", "tap")).toEqual({ a: false });
  });

  it("reads unittest's lines of Python before and since 3.11", () => {
    const output = [
      "test_a (tests.test_x.XTest.test_a) ... ok",
      "test_b (tests.test_x.XTest) ... FAIL",
      "test_c (tests.test_x.XTest.test_c) ... ERROR",
      "test_d (tests.test_x.XTest.test_d) ... skipped 'no network'",
    ].join("\n");
    expect(read(output, "unittest")).toEqual({
      "tests.test_x.XTest.test_a": true,
      "tests.test_x.XTest.test_b": false,
      "tests.test_x.XTest.test_c": false,
      "tests.test_x.XTest.test_d": false,
    });
  });
});
