import assert from "node:assert/strict";
import { test } from "node:test";
import { Room } from "../src/index.js";

test("proposes the wanted start when it is free", () => {
  assert.deepEqual(new Room("Blue").propose(540, 30), { start: 540, end: 570 });
});

test("proposes nothing when the day is over", () => {
  assert.equal(new Room("Blue").propose(1430, 30), undefined);
});
