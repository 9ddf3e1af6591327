import { expect, it } from "@jest/globals";
import { nextPause } from "../../../src/follow-up/proof/watch-checks.ts";

const MINUTE = 60_000;

it("looks at stuck checks less and less often, and again soon after news", () => {
  const pauses: number[] = [];
  for (let pause: number | undefined; pauses.length < 6; ) {
    pause = nextPause(pause, pause ?? 0);
    pauses.push(pause / MINUTE);
  }
  expect(pauses).toEqual([1, 2, 4, 8, 15, 15]);
  expect(nextPause(15 * MINUTE, 3 * MINUTE)).toBe(MINUTE);
});
