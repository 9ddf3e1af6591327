import assert from "node:assert/strict";
import { test } from "node:test";
import { readSettings } from "../src/index.js";

test("refuses settings it does not know", () => {
  assert.throws(() => readSettings('{"feeds":[],"color":true}'), /unknown setting: color/);
});

test("refuses a title length of zero", () => {
  assert.throws(() => readSettings('{"feeds":[],"maxTitle":0}'), /maxTitle must be/);
});
