import assert from "node:assert/strict";
import { test } from "node:test";
import { totalAmount } from "../src/invoice.js";
import { printInvoice } from "../src/print-invoice.js";

const tea = (quantity, discount) => ({ lines: [{ item: "tea", quantity, price: 335 }], discount });

test("an invoice without a discount is the sum of its lines", () => {
  assert.equal(totalAmount(tea(3)), 1005);
});

test("a discount that divides evenly", () => {
  assert.equal(totalAmount(tea(2, 10)), 603);
});

test("an invoice is printed with its total", () => {
  assert.match(printInvoice(tea(3)), /total +10\.05$/);
});

test("an invoice without lines is refused", () => {
  assert.throws(() => totalAmount({ lines: [] }), /at least one line/);
});
