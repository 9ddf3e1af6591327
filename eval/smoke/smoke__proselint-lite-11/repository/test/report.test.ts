import assert from "node:assert/strict";
import { test } from "node:test";
import { type Finding, report } from "../src/index.js";

const findings: Finding[] = [{ path: "docs/a.md", line: 3, level: "error", message: "Two spaces in a row" }];

test("prints lines as compilers do", () => {
  assert.equal(report(findings, "text"), "docs/a.md:3: error: Two spaces in a row\n");
});

test("prints JSON", () => {
  assert.deepEqual(JSON.parse(report(findings, "json")), findings);
});

test("names the formats when asked for another", () => {
  assert.throws(() => report(findings, "xml"), /unknown format: xml \(there are text, json/);
});
