import assert from "node:assert/strict";
import { test } from "node:test";
import { formatCents, parseCents } from "../src/money.js";

test("cents are shown with two digits", () => {
  assert.equal(formatCents(1234), "12.34");
  assert.equal(formatCents(5), "0.05");
  assert.equal(formatCents(-250), "-2.50");
});

test("amounts are read in whole cents", () => {
  assert.equal(parseCents("12.34"), 1234);
  assert.equal(parseCents("-7"), -700);
  assert.throws(() => parseCents("1.5"), /not an amount/);
});
