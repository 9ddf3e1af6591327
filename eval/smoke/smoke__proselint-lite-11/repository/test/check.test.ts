import assert from "node:assert/strict";
import { test } from "node:test";
import { check } from "../src/index.js";

test("finds doubled words and spaces", () => {
  const messages = check("a.md", "# A\nthe the end\ntwo  spaces\n").map(({ line, message }) => `${line} ${message}`);
  assert.deepEqual(messages, ['2 "the" twice', "3 Two spaces in a row"]);
});

test("misses a title", () => {
  assert.deepEqual(check("a.md", "Text"), [{ path: "a.md", line: 1, level: "note", message: "No title" }]);
});
