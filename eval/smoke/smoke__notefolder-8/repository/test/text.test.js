import assert from "node:assert/strict";
import { test } from "node:test";
import { escapeLinkText, slug } from "../src/text.js";

test("a slug has no accents and no punctuation", () => {
  assert.equal(slug("  Großes Übel: naïveté?"), "grosses-ubel-naivete");
});

test("brackets in a link's text are escaped", () => {
  assert.equal(escapeLinkText("a [b]"), "a \\[b\\]");
});
