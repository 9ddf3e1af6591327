import { expect, it } from "@jest/globals";
import { createPulse } from "../../src/github/pulse.ts";

it("stands still when a request is under way for five minutes and none ends meanwhile", async () => {
  let now = 0;
  const pulse = createPulse(() => now);
  expect(pulse.standsStill()).toBe(false);
  let answer = () => {};
  const answered = new Promise<void>((resolve) => {
    answer = resolve;
  });
  const hanging = pulse.around(() => answered);
  now = 299_000;
  expect(pulse.standsStill()).toBe(false);
  await pulse.around(async () => undefined);
  now = 301_000;
  expect(pulse.standsStill()).toBe(false);
  now = 600_000;
  expect(pulse.standsStill()).toBe(true);
  answer();
  await hanging;
  expect(pulse.standsStill()).toBe(false);
  await expect(pulse.around(() => Promise.reject(new Error("away")))).rejects.toThrow("away");
  now = 2_000_000;
  expect(pulse.standsStill()).toBe(false);
});
