import assert from "node:assert/strict";
import { test } from "node:test";
import { nextRun } from "../src/index.js";

const next = (line, after) => nextRun(line, new Date(after))?.toISOString();

test("takes the next minute of the list", () => {
  assert.equal(next("0,30 * * * *", "2026-03-02T09:10:00Z"), "2026-03-02T09:30:00.000Z");
});

test("waits for the next working day", () => {
  assert.equal(next("0 6 * * mon-fri", "2026-03-06T07:00:00Z"), "2026-03-09T06:00:00.000Z");
});

test("finds the next leap day", () => {
  assert.equal(next("0 0 29 feb *", "2026-01-01T00:00:00Z"), "2028-02-29T00:00:00.000Z");
});

test("knows when there is no such day", () => {
  assert.equal(next("0 0 31 feb *", "2026-01-01T00:00:00Z"), undefined);
});
