import { describe, expect, it } from "@jest/globals";
import { MagisError, type MagisErrorCode } from "../../src/data/error.ts";
import { outageOf } from "../../src/data/outage.ts";
import type { RunState } from "../../src/data/run-state.ts";
import { initialState } from "../../src/data/run-state.ts";
import { NO_SPEND } from "../../src/data/spend.ts";
import { createPatience } from "../../src/run/patience.ts";
import type { RunContext } from "../../src/run/run-context.ts";
import { createTracker, type Tracker } from "../../src/run/tracker.ts";
import { createFakeLog } from "../fakes/create-fake-log.ts";

const MINUTE = 60_000;

/** A run's patience of an hour, with a clock that the test sets; each `begin` is another process of the same run. */
function openPatience() {
  const time = { now: 5_000 };
  const kept: RunState[] = [];
  const shown: RunState[] = [];
  const clock: string[] = [];
  const { log } = createFakeLog();
  const begin = () => {
    const tracker: Tracker = createTracker({
      initial: kept.at(-1) ?? initialState(),
      spend: () => NO_SPEND,
      async show(state) {
        shown.push(state);
        return { isNew: false };
      },
      keep: async (state) => void kept.push(state),
      log,
    });
    const still = { standStill: () => void clock.push("still"), goOn: () => void clock.push("on") };
    const tools = { tracker, spending: still } as unknown as RunContext;
    const patience = { graceMs: 60 * MINUTE, clock: () => time.now };
    return { tracker, patiently: createPatience(patience, async () => tools, log) };
  };
  return { time, kept, shown, clock, begin };
}

const fails =
  (code: MagisErrorCode, data: Record<string, unknown> = {}) =>
  async () => {
    throw new MagisError(code, "It did not answer.", data);
  };

describe("the patience of a run", () => {
  it.each([
    ["HOST_UNREACHABLE", {}, "host"],
    ["GIT_UNREACHABLE", {}, "host"],
    ["GIT_TIMEOUT", {}, "host"],
    ["MODEL_UNAVAILABLE", {}, "model"],
    ["DATABASE_UNAVAILABLE", {}, "database"],
  ] as const)("waits after %s %j during the grace period, and fails after it", async (code, data, what) => {
    const { time, begin } = openPatience();
    const { patiently, tracker } = begin();
    let waited = 0;
    for (const minutes of [0, 20, 39]) {
      time.now += minutes * MINUTE;
      waited += minutes * MINUTE;
      const error = await patiently(fails(code, data)).catch((one: unknown) => one);
      expect(outageOf(error)).toMatchObject({ of: what });
      expect(tracker.state().waiting).toMatchObject({ for: what, waited });
    }
    time.now += MINUTE;
    const error = await patiently(fails(code, data)).catch((one: unknown) => one);
    expect(error).toMatchObject({ code, message: expect.stringContaining("60 minutes") });
    expect(outageOf(error)).toBeUndefined();
  });

  it.each(["MODEL_REJECTED", "BUDGET_REACHED", "HOST_REFUSED", "HOST_NOT_FOUND", "RUN_CANCELLED"] as const)(
    "does not wait after %s",
    async (code) => {
      const { begin, clock } = openPatience();
      const { patiently, tracker } = begin();
      await expect(patiently(fails(code))).rejects.toMatchObject({ code });
      expect(tracker.state().waiting).toBeUndefined();
      expect(clock).toEqual(["on"]);
    },
  );

  it("counts an earlier process's wait without the system clock, and starts over after a success", async () => {
    const { time, begin } = openPatience();
    const first = begin();
    for (const minutes of [0, 40]) {
      time.now += minutes * MINUTE;
      await first.patiently(fails("HOST_UNREACHABLE")).catch(() => undefined);
    }
    await new Promise(setImmediate);
    // Another process's clock starts elsewhere.
    time.now = 0;
    const next = begin();
    const outages: boolean[] = [];
    for (const minutes of [0, 19, 1]) {
      time.now += minutes * MINUTE;
      const error = await next.patiently(fails("HOST_UNREACHABLE")).catch((one: unknown) => one);
      outages.push(outageOf(error) !== undefined);
    }
    expect(outages).toEqual([true, true, false]);

    await next.patiently(async () => "done");
    expect(next.tracker.state().waiting).toBeUndefined();
    const again = await next.patiently(fails("HOST_UNREACHABLE")).catch((one: unknown) => one);
    expect(outageOf(again)).toBeDefined();
  });

  it("waits a day for a rate limit, which is sure to lift", async () => {
    const { time, begin } = openPatience();
    const { patiently, tracker } = begin();
    const outages: boolean[] = [];
    for (const hours of [0, 23, 1]) {
      time.now += hours * 60 * MINUTE;
      const error = await patiently(fails("HOST_UNREACHABLE", { limited: true })).catch((one: unknown) => one);
      outages.push(outageOf(error) !== undefined);
    }
    expect(outages).toEqual([true, true, false]);
    expect(tracker.state().waiting?.for).toBe("writes");
  });

  it("stops the run's clock meanwhile", async () => {
    const { begin, clock } = openPatience();
    const { patiently } = begin();
    await patiently(fails("GIT_UNREACHABLE")).catch(() => undefined);
    await patiently(async () => "done");
    expect(clock).toEqual(["on", "still", "on"]);
  });

  it("repeats a failure that costs money only a few times", async () => {
    const { begin } = openPatience();
    const { patiently } = begin();
    const outages: boolean[] = [];
    for (let attempt = 0; attempt < 6; attempt++) {
      const error = await patiently(fails("MODEL_UNAVAILABLE", { money: 0.5 })).catch((one: unknown) => one);
      outages.push(outageOf(error) !== undefined);
    }
    expect(outages).toEqual([true, true, true, true, false, false]);
  });

  it("stores an outage of the host without calling it, and shows other outages", async () => {
    const { begin, kept, shown } = openPatience();
    const { patiently } = begin();
    await patiently(fails("HOST_UNREACHABLE")).catch(() => undefined);
    await new Promise(setImmediate);
    expect([kept.length, shown.length]).toEqual([1, 0]);
    await patiently(fails("MODEL_UNAVAILABLE")).catch(() => undefined);
    await new Promise(setImmediate);
    expect(shown.at(-1)?.waiting?.for).toBe("model");
  });
});
