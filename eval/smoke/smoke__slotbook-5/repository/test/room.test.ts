import assert from "node:assert/strict";
import { test } from "node:test";
import { Room, utilisation } from "../src/index.js";

test("refuses a meeting while another is on", () => {
  const room = new Room("Blue");
  room.book("Standup", 540, 600);
  assert.throws(() => room.book("Review", 599, 660), /taken by Standup/);
  assert.throws(() => room.book("Lunch", 500, 700), /taken by Standup/);
});

test("refuses a slot that is none", () => {
  assert.throws(() => new Room("Blue").book("Nothing", 600, 600), RangeError);
});

test("says how much of the day is booked", () => {
  const room = new Room("Blue");
  room.book("Offsite", 0, 720);
  assert.equal(utilisation(room), 0.5);
});
