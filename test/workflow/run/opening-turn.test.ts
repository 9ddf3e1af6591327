import { cpus } from "node:os";
import { setTimeout as delay } from "node:timers/promises";
import { Worker } from "node:worker_threads";
import { describe, expect, it, jest } from "@jest/globals";
import { createOpeningTurn, createOpeningTurns } from "../../../src/workflow/run/opening-turn.ts";

const settled = () => new Promise(setImmediate);

/** Five runs that ask for their turn in order, and the numbers of those that have it; the process is busy or not. */
function askForTurns(busy: boolean) {
  const process = { busy };
  const create = createOpeningTurns(async () => {
    await settled();
    return process.busy;
  });
  const begun: number[] = [];
  const turns = Array.from({ length: 5 }, create);
  const waits = turns.map((turn, at) => turn.begin().then(() => void begun.push(at)));
  const until = async (count: number) => {
    while (begun.length < count) await settled();
    for (let more = 0; more < 10; more++) await settled();
    return begun;
  };
  const end = async () => {
    for (const turn of turns) turn.end();
    await Promise.all(waits);
  };
  return { process, turns, begun, until, end };
}

describe("a run's turn to begin", () => {
  it("comes one run after the other while the process is busy, in the order in which they ask", async () => {
    const { turns, until, end } = askForTurns(true);
    expect(await until(1)).toEqual([0]);
    turns[0]?.end();
    expect(await until(2)).toEqual([0, 1]);
    turns[0]?.end();
    expect(await until(2)).toEqual([0, 1]);
    await end();
  });

  it("comes for the next one, too, while the process has time", async () => {
    const { process, turns, until, end } = askForTurns(true);
    expect(await until(1)).toEqual([0]);
    process.busy = false;
    expect(await until(5)).toEqual([0, 1, 2, 3, 4]);
    process.busy = true;
    const again = turns[0]?.begin();
    await again;
    await end();
  });

  it("is passed on by a run that ends before it comes", async () => {
    const { turns, until, end } = askForTurns(true);
    turns[1]?.end();
    expect(await until(2)).toEqual([0, 1]);
    turns[0]?.end();
    expect(await until(3)).toEqual([0, 1, 2]);
    await end();
  });

  it("is asked for anew by a run that opens another commit later", async () => {
    const { turns, until, end } = askForTurns(true);
    await until(1);
    turns[0]?.end();
    let hasBegun = false;
    const again = turns[0]?.begin().then(() => {
      hasBegun = true;
    });
    await until(2);
    expect(hasBegun).toBe(false);
    await end();
    await again;
  });

  it("holds up nobody for longer than five seconds", async () => {
    jest.useFakeTimers({ doNotFake: ["setImmediate", "nextTick", "queueMicrotask"] });
    try {
      const { until, end } = askForTurns(true);
      expect(await until(1)).toEqual([0]);
      jest.advanceTimersByTime(5_000);
      expect(await until(2)).toEqual([0, 1]);
      await end();
    } finally {
      jest.useRealTimers();
    }
  });

  it("waits while the event loop computes, and no longer", async () => {
    const [first, second] = [createOpeningTurn(), createOpeningTurn()];
    let isComputing = true;
    const compute = () => {
      const until = performance.now() + 20;
      while (performance.now() < until);
      if (isComputing) setImmediate(compute);
    };
    compute();
    await first.begin();
    let hasBegun = false;
    const begins = second.begin().then(() => {
      hasBegun = true;
    });
    for (let watched = 0; watched < 30; watched++) await settled();
    expect(hasBegun).toBe(false);
    isComputing = false;
    await begins;
    for (const turn of [first, second]) turn.end();
  });

  it("waits while something else keeps all processors busy", async () => {
    const busy = cpus().map(() => new Worker("for (;;);", { eval: true }));
    await Promise.all(busy.map((worker) => new Promise((resolve) => worker.once("online", resolve))));
    const [first, second] = [createOpeningTurn(), createOpeningTurn()];
    let hasBegun = false;
    await first.begin();
    const begins = second.begin().then(() => {
      hasBegun = true;
    });
    await delay(1_000);
    expect(hasBegun).toBe(false);
    for (const worker of busy) await worker.terminate();
    await begins;
    for (const turn of [first, second]) turn.end();
  });
});
