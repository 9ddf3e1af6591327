import { describe, expect, it } from "@jest/globals";
import { createWritePacer, NO_LIMITS } from "../../../src/github/api/write-pacer.ts";

describe("createWritePacer", () => {
  it("lets a burst pass and delays the next write until the window allows it", async () => {
    const { pace } = createWritePacer(5, [{ of: "creations", ms: 2000, writes: 3 }]);
    const before = performance.now();
    const times = await Promise.all([1, 2, 3, 4].map(() => pace(async () => performance.now() - before, true)));
    expect(times[2]).toBeLessThan(1500);
    expect(times[3]).toBeGreaterThan(1950);
  });

  it("makes one write at a time, in order, and goes on after a failure", async () => {
    const { pace } = createWritePacer(5);
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

  it("delays nothing on a host without limits, until the host refuses after all", async () => {
    const { pace, reserve, hasRoom, refused } = createWritePacer(1, NO_LIMITS);
    const before = performance.now();
    for (let write = 0; write < 2_000; write++) await pace(async () => undefined, true);
    expect(performance.now() - before).toBeLessThan(20_000);
    expect(reserve({}, 10_000)).toBe(0);
    expect(hasRoom(10_000)).toBe(true);
    refused(60_000);
    expect(hasRoom(1)).toBe(false);
    await expect(pace(async () => undefined, true)).rejects.toMatchObject({ code: "HOST_UNREACHABLE" });
  });

  it("lets changes pass while creations wait", async () => {
    const { pace } = createWritePacer(1, [{ of: "creations", ms: 60_000, writes: 1 }]);
    await pace(async () => undefined, true);
    for (const change of [1, 2, 3]) expect(await pace(async () => change, false)).toBe(change);
  });

  describe("reservations", () => {
    const hour = [{ of: "creations", ms: 3_600_000, writes: 10 }] as const;
    const write = async () => undefined;

    it("are granted while past and reserved writes together fit", async () => {
      const { pace, reserve } = createWritePacer(1, hour);
      const [one, two, three] = [{}, {}, {}];
      expect(reserve(one, 6)).toBe(0);
      expect(reserve(two, 5)).toBeGreaterThan(0);
      expect(reserve(two, 4)).toBe(0);
      // Writes from one's own reservation are not counted twice.
      for (let count = 0; count < 3; count++) await pace(write, true, one);
      expect(reserve(three, 1)).toBeGreaterThan(0);
      expect(reserve(one, 0)).toBe(0);
      expect(reserve(three, 3)).toBe(0);
      expect(reserve(three, 4)).toBeGreaterThan(0);
    });

    it("replace the writer's earlier one, and changes need none", async () => {
      const { pace, reserve } = createWritePacer(1, hour);
      const writer = {};
      for (let count = 0; count < 20; count++) await pace(write, false, writer);
      expect([reserve(writer, 10), reserve(writer, 10)]).toEqual([0, 0]);
    });

    it("can be checked without being made", () => {
      const { reserve, hasRoom } = createWritePacer(1, hour);
      expect([hasRoom(10), hasRoom(10), reserve({}, 6), hasRoom(4), hasRoom(5)]).toEqual([true, true, 0, true, false]);
    });

    it("are granted to a lone caller whatever the size, and to nobody after a refusal", () => {
      const { reserve, refused } = createWritePacer(1, hour);
      expect(reserve({}, 50)).toBe(0);
      refused(5_000);
      const wait = reserve({}, 1);
      expect([wait > 4_000, wait <= 5_000]).toEqual([true, true]);
    });
  });

  it("refuses a write that would wait too long", async () => {
    const { pace } = createWritePacer(1, [{ of: "creations", ms: 60_000, writes: 1 }]);
    await pace(async () => undefined, true);
    await expect(pace(async () => undefined, true)).rejects.toMatchObject({ code: "HOST_UNREACHABLE" });
  });
});
