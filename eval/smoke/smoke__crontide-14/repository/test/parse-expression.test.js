import assert from "node:assert/strict";
import { test } from "node:test";
import { describe, parseExpression } from "../src/index.js";

test("reads steps and ranges", () => {
  const { minute, hour } = parseExpression("*/20 8-10 * * *");
  assert.deepEqual(minute, [0, 20, 40]);
  assert.deepEqual(hour, [8, 9, 10]);
});

test("refuses a value out of range", () => {
  assert.throws(() => parseExpression("60 * * * *"), /bad minute/);
});

test("says a line in words", () => {
  assert.equal(describe("0,30 8 * * *"), "minutes 0, 30; hours 8");
  assert.equal(describe("* * * * *"), "every minute");
});
