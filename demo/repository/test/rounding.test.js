import assert from "node:assert/strict";
import { test } from "node:test";
import { discountAmount, totalAmount } from "../src/invoice.js";
import { roundCents } from "../src/money.js";

const tea = (quantity, discount) => ({ lines: [{ item: "tea", quantity, price: 335 }], discount });

test("a discount is rounded to the nearest cent", () => {
  assert.equal(discountAmount(tea(3, 15)), 151);
  assert.equal(totalAmount(tea(3, 15)), 854);
});

test("a credit note is the negative of its invoice", () => {
  assert.equal(discountAmount(tea(-3, 10)), -discountAmount(tea(3, 10)));
  assert.equal(totalAmount(tea(-3, 10)), -totalAmount(tea(3, 10)));
});

test("halves are rounded away from zero", () => {
  assert.equal(roundCents(100.5), 101);
  assert.equal(roundCents(-100.5), -101);
  assert.equal(Object.is(roundCents(-0.2), 0), true);
});
