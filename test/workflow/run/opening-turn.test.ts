import { describe, expect, it, jest } from "@jest/globals";
import { createOpeningTurn } from "../../../src/workflow/run/opening-turn.ts";

const NEVER = new AbortController().signal;

/** Ten runs that ask for their turn in order, and the numbers of those that have it. */
function askForTurns() {
  const begun: number[] = [];
  const turns = Array.from({ length: 10 }, () => createOpeningTurn());
  const waits = turns.map((turn, at) => turn.begin(NEVER).then(() => void begun.push(at)));
  const end = async () => {
    for (const turn of turns) turn.end();
    await Promise.all(waits);
  };
  return { turns, begun, end };
}

const settled = () => new Promise(setImmediate);

describe("createOpeningTurn", () => {
  it("lets four runs open at a time, in the order in which they ask", async () => {
    const { turns, begun, end } = askForTurns();
    await settled();
    expect(begun).toEqual([0, 1, 2, 3]);
    turns[2]?.end();
    await settled();
    expect(begun).toEqual([0, 1, 2, 3, 4]);
    turns[2]?.end();
    await settled();
    expect(begun).toHaveLength(5);
    await end();
    expect(begun).toHaveLength(10);
  });

  it("lets the next run begin when one was cancelled while it waited, or ended before its turn", async () => {
    const { turns, begun, end } = askForTurns();
    const stop = new AbortController();
    const late = createOpeningTurn();
    const cancelled = late.begin(stop.signal);
    const last = createOpeningTurn();
    const lastBegins = last.begin(NEVER);
    stop.abort();
    await expect(cancelled).rejects.toThrow("cancelled");
    late.end();
    turns[4]?.end();
    await end();
    await lastBegins;
    last.end();
    expect(begun).toHaveLength(10);
  });

  it("holds up nobody for longer than five seconds", async () => {
    jest.useFakeTimers({ doNotFake: ["setImmediate", "nextTick", "queueMicrotask"] });
    try {
      const { begun, end } = askForTurns();
      await settled();
      expect(begun).toHaveLength(4);
      jest.advanceTimersByTime(5_000);
      await settled();
      expect(begun).toHaveLength(8);
      await end();
    } finally {
      jest.useRealTimers();
    }
  });

  it("gives a run that opens another commit a new turn", async () => {
    const { turns, begun, end } = askForTurns();
    await settled();
    const again = turns[0]?.begin(NEVER);
    await settled();
    expect(begun).toEqual([0, 1, 2, 3, 4]);
    await end();
    await again;
  });
});
