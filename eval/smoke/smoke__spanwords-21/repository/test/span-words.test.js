import assert from "node:assert/strict";
import { test } from "node:test";
import { spanWords } from "../src/index.js";

test("writes all units but those of zero", () => {
  assert.equal(spanWords(90_061_000), "1d 1h 1m 1s");
  assert.equal(spanWords(3_601_000), "1h 1s");
});

test("writes a minus sign before spans below zero", () => {
  assert.equal(spanWords(-90_000), "-1m 30s");
  assert.equal(spanWords(-90_000, { units: 1 }), "-1m");
});

test("writes no minus sign before nothing", () => {
  assert.equal(spanWords(-0), "0s");
  assert.equal(spanWords(-400), "0s");
});
