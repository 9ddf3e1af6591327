import { afterEach, describe, expect, it, jest } from "@jest/globals";
import type { Pool } from "pg";
import { createJumpWatch, QueueStates } from "../../src/engine/queue-clock.ts";
import { createDeathWatch } from "../../src/engine/sql.ts";
import { DONE, engineHarness } from "./engine-harness.ts";
import { delivery, statuses, until } from "./in-process.ts";

const HOUR = 3_600_000;

/** Two clocks that the test moves. */
function clocks() {
  let wall = 1_700_000_000_000;
  let steady = 5_000;
  return {
    clocks: { wall: () => wall, steady: () => steady },
    pass(ms: number) {
      wall += ms;
      steady += ms;
    },
    set(ms: number) {
      wall += ms;
    },
  };
}

describe("queues and a wall clock that is set", () => {
  function oneQueue() {
    const time = clocks();
    const states = new QueueStates(time.clocks);
    const state = { queue: { name: "runs" }, currentPollingMs: 250, nextPollAt: time.clocks.wall() + 250 };
    states.set("runs", state);
    /** As DBOS does: looked into when it is due, and then planned anew. */
    const tick = () => {
      const due = time.clocks.wall() >= state.nextPollAt;
      if (due) state.nextPollAt = time.clocks.wall() + state.currentPollingMs;
      return due;
    };
    tick();
    return { ...time, states, state, tick };
  }

  it.each([-HOUR, -24 * HOUR, HOUR, -3_000])("are looked into as before when it is set by %d ms", (jump) => {
    const { pass, set, tick } = oneQueue();
    const looks = (rounds: number) =>
      Array.from({ length: rounds }, () => {
        pass(50);
        return tick();
      }).filter((due) => due).length;
    const before = looks(40);
    set(jump);
    expect(Math.abs(looks(40) - before)).toBeLessThanOrEqual(1);
  });

  it("are looked into no earlier than was planned while the clock only drifts", () => {
    const { pass, set, tick } = oneQueue();
    set(-100);
    pass(200);
    expect(tick()).toBe(false);
    pass(150);
    expect(tick()).toBe(true);
  });

  it("are looked into at once where there is something to find, and again after a look that was under way", () => {
    const { pass, clocks: both, states, state, tick } = oneQueue();
    pass(50);
    expect(tick()).toBe(false);
    states.lookNow("another");
    expect(tick()).toBe(false);
    states.lookNow("runs");
    expect([tick(), tick(), tick()]).toEqual([true, true, false]);
    pass(250);
    expect(both.wall() >= state.nextPollAt).toBe(true);
    states.lookNow();
    state.nextPollAt = both.wall() + state.currentPollingMs;
    expect([tick(), tick()]).toEqual([true, false]);
  });

  it("are asked again soon whether they are due, so that a word is heard", () => {
    const { clocks: both, state } = oneQueue();
    state.nextPollAt = both.wall() + 240;
    expect(state.nextPollAt - both.wall()).toBeLessThanOrEqual(50);
    expect(state.nextPollAt).toBeGreaterThan(both.wall());
  });

  it("keep up only while somebody looks into them, whatever the clock says", () => {
    const { pass, set, states, tick } = oneQueue();
    set(12 * HOUR);
    expect(states.keepUp()).toBe(true);
    pass(11_000);
    expect(states.keepUp()).toBe(false);
    tick();
    expect(states.keepUp()).toBe(true);
    set(-HOUR);
    pass(11_000);
    expect(states.keepUp()).toBe(false);
  });

  it("a jump is told once, and a drift never", () => {
    const { clocks: both, pass, set } = clocks();
    const jumped = createJumpWatch(both);
    pass(60_000);
    set(300);
    expect(jumped()).toBe(0);
    set(-HOUR);
    pass(1_000);
    expect([jumped(), jumped()]).toEqual([-HOUR, 0]);
    set(2 * HOUR);
    expect([jumped(), jumped()]).toEqual([2 * HOUR, 0]);
  });
});

describe("which machines are dead", () => {
  it("those whose heartbeat stands still while another looks on, whatever the times in it", async () => {
    const { clocks: both, pass } = clocks();
    const seen = new Map([
      ["alive", "2026-01-01"],
      ["dead", "2036-01-01"],
    ]);
    const query = async () => ({ rows: [...seen].map(([id, at]) => ({ id, seen: at })) });
    const findDead = createDeathWatch({ query } as unknown as Pool, "self", 30_000, both.steady);
    expect(await findDead()).toEqual([]);
    for (const at of ["2026-01-02", "1999-01-01", "2026-01-03"]) {
      pass(12_000);
      seen.set("alive", at);
      expect(await findDead()).toEqual(at === "2026-01-03" ? ["dead"] : []);
    }
    seen.set("dead", "1970-01-01");
    expect(await findDead()).toEqual([]);
  });
});

describe("an engine whose clock is set", () => {
  const { start, ended, log } = engineHarness();
  afterEach(() => void jest.restoreAllMocks());

  it.each([-HOUR, HOUR])("goes on at once, is ready, and says so: by %d ms", async (jump) => {
    const running = await start({ resolve: async () => DONE });
    await running.engine.receive(delivery("before", 1));
    await ended(running, "Owner/repo#1@before");
    const real = Date.now;
    jest.spyOn(Date, "now").mockImplementation(() => real() + jump);
    const from = performance.now();
    for (const [at, id] of ["a", "b", "c"].entries()) await running.engine.receive(delivery(id, at + 2));
    for (const [at, id] of ["a", "b", "c"].entries()) {
      const run = `Owner/repo#${at + 2}@${id}`;
      const over = async () => (await statuses(running.database))[run] === "SUCCESS";
      // `until` goes by the wall clock, which was just set.
      await until(async () => (await over()) || performance.now() - from > 60_000, run, 120_000);
      expect(await over()).toBe(true);
    }
    expect(await running.engine.ready()).toBe(true);
    await until(() => log.lines.some(({ message }) => message.includes("the clock was set")), "the log to say so");
    const told = log.lines.filter(({ message }) => message.includes("the clock was set"));
    expect(told).toEqual([expect.objectContaining({ level: "warn" })]);
  });
});
