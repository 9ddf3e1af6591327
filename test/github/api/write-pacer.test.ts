import { describe, expect, it } from "@jest/globals";
import { createWritePacer } from "../../../src/github/api/write-pacer.ts";

describe("createWritePacer", () => {
  it("lets a burst pass at once and holds the next write until the window allows it", async () => {
    const pace = createWritePacer(5, [{ of: "creations", ms: 2000, writes: 3 }]);
    const before = performance.now();
    const times = await Promise.all([1, 2, 3, 4].map(() => pace(async () => performance.now() - before, true)));
    expect(times[2]).toBeLessThan(1500);
    expect(times[3]).toBeGreaterThan(1950);
  });

  it("makes one write at a time, in order, and goes on after one that fails", async () => {
    const pace = createWritePacer(5);
    const seen: string[] = [];
    const write = (name: string, fails = false) =>
      pace(async () => {
        seen.push(`${name} begins`);
        await new Promise((resolve) => setImmediate(resolve));
        seen.push(`${name} ends`);
        if (fails) throw new Error(name);
      }, true);
    const results = await Promise.allSettled([write("a"), write("b", true), write("c")]);
    expect(results.map(({ status }) => status)).toEqual(["fulfilled", "rejected", "fulfilled"]);
    expect(seen).toEqual(["a begins", "a ends", "b begins", "b ends", "c begins", "c ends"]);
  });

  it("lets changes pass while creations have to wait", async () => {
    const pace = createWritePacer(1, [{ of: "creations", ms: 60_000, writes: 1 }]);
    await pace(async () => undefined, true);
    for (const change of [1, 2, 3]) expect(await pace(async () => change, false)).toBe(change);
  });

  it("refuses a write that would wait beyond the bound", async () => {
    const pace = createWritePacer(1, [{ of: "creations", ms: 60_000, writes: 1 }]);
    await pace(async () => undefined, true);
    await expect(pace(async () => undefined, true)).rejects.toMatchObject({ code: "HOST_UNREACHABLE" });
  });
});
