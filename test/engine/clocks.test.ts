import { afterEach, describe, expect, it, jest } from "@jest/globals";
import type { Pool } from "pg";
import { createJumpWatch } from "../../src/engine/jump-watch.ts";
import { createDeathWatch } from "../../src/engine/machines.ts";
import { DONE, engineHarness } from "./engine-harness.ts";
import { delivery, requestOf, statuses, until } from "./in-process.ts";

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

describe("a wall clock that jumps", () => {
  it("reports a jump once, and never a drift", () => {
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

describe("dead machines", () => {
  it("are those whose heartbeat stops while another machine watches, whatever times it wrote", async () => {
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

  it.each([-HOUR, HOUR])("goes on at once, stays ready, and logs a jump of %d ms", async (jump) => {
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
      // `until` uses the wall clock, which was just set.
      await until(async () => (await over()) || performance.now() - from > 60_000, run, 120_000);
      expect(await over()).toBe(true);
    }
    expect(await running.engine.ready()).toBe(true);
    await until(() => log.lines.some(({ message }) => message.includes("the clock was set")), "the log to say so");
    const warnings = log.lines.filter(({ message }) => message.includes("the clock was set"));
    expect(warnings).toEqual([expect.objectContaining({ level: "warn" })]);
  });

  it.each([-24 * HOUR, -HOUR, HOUR])("takes over a dead machine's run after a jump of %d ms", async (jump) => {
    const done: string[] = [];
    const running = await start({
      async resolve(_request, step) {
        await step("paid", async () => done.push("paid"));
        done.push("begun");
        // The first attempt hangs, as on a machine that died.
        await step("rest", () => (done.length > 2 ? Promise.resolve() : new Promise(() => undefined)));
        return DONE;
      },
    });
    await running.engine.receive(delivery("left", 1));
    await until(() => done.includes("begun"), "the run to begin");
    const real = Date.now;
    jest.spyOn(Date, "now").mockImplementation(() => real() + jump);
    await running.database.pool.query("UPDATE magis.work SET claimant = 'dead' WHERE kind = 'resolve'");
    await ended(running, "Owner/repo#1@left");
    expect(done).toEqual(["paid", "begun", "begun"]);
    expect(log.lines.map(({ message }) => message).join()).toContain("taken over");
    expect(await running.engine.ready()).toBe(true);
  });

  it("ends a run's wait in time, and at a wake, although the clock is set back meanwhile", async () => {
    const waits: number[] = [];
    const running = await start({
      admit: async (received) =>
        received.id === "wake"
          ? { wake: { repository: received.repository, issue: 1 } }
          : { start: requestOf(received) },
      async resolve(_request, _step, _later, wait) {
        for (const ms of [1_500, HOUR]) {
          waits.push(ms);
          await wait(ms);
        }
        return DONE;
      },
    });
    await running.engine.receive(delivery("waits", 1));
    await until(() => waits.length === 1, "the first wait");
    const real = Date.now;
    jest.spyOn(Date, "now").mockImplementation(() => real() - 2 * HOUR);
    await until(() => waits.length === 2, "the second wait");
    await running.engine.receive(delivery("wake", 1));
    await ended(running, "Owner/repo#1@waits");
  });
});
