import assert from "node:assert/strict";
import { test } from "node:test";
import { printFeeds, readSettings } from "../src/index.js";

const feed = (name: string, ...days: number[]) => ({
  name,
  items: days.map((day) => ({ title: `item ${day}`, published: `2026-01-0${day}T08:30:00Z` })),
});

test("prints all feeds, the newest item first", () => {
  const lines = printFeeds([feed("a", 1, 3), feed("b", 2)], readSettings('{"feeds":[]}'));
  assert.deepEqual(lines, ["2026-01-03 a: item 3", "2026-01-02 b: item 2", "2026-01-01 a: item 1"]);
});

test("cuts long titles", () => {
  const lines = printFeeds([feed("a", 1)], readSettings('{"feeds":[],"maxTitle":4,"dateFormat":"minute"}'));
  assert.deepEqual(lines, ["2026-01-01 08:30 a: ite…"]);
});
