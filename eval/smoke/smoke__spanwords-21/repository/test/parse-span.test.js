import assert from "node:assert/strict";
import { test } from "node:test";
import { parseSpan, spanWords } from "../src/index.js";

test("reads what spanWords writes", () => {
  for (const span of [1_000, 90_000, -90_000, 90_061_000]) assert.equal(parseSpan(spanWords(span)), span);
});

test("refuses other words", () => {
  assert.throws(() => parseSpan("soon"), SyntaxError);
});
