import { describe, expect, it } from "@jest/globals";
import { createMemoryAccounts } from "../../../src/github/api/memory-accounts.ts";
import { createWritePacer } from "../../../src/github/api/write-pacer.ts";
import { NO_LIMITS, type WriteLimit } from "../../../src/model/write-quota.ts";
import type { WriteAccount } from "../../../src/ports/write-account.ts";

const write = async () => undefined;

function pacerWith(maxWaitSeconds: number, limits?: readonly WriteLimit[]) {
  const account = createMemoryAccounts(limits).of(7);
  return createWritePacer(maxWaitSeconds, account);
}

describe("createWritePacer", () => {
  it("lets a burst pass and delays the next write until the window allows it", async () => {
    const inner = createMemoryAccounts([{ of: "creations", ms: 2000, writes: 3 }]).of(7);
    // Permits count as used now, instead of at the end of their validity.
    const account: WriteAccount = {
      ...inner,
      async take(taking) {
        const taken = await inner.take({ ...taking, wanted: 1 });
        await inner.giveBack({ permits: taking.permits, unused: 0 });
        return taken;
      },
    };
    const { pace } = createWritePacer(5, account);
    const before = performance.now();
    const times = await Promise.all([1, 2, 3, 4].map(() => pace(async () => performance.now() - before, true)));
    expect(times[2]).toBeLessThan(1500);
    expect(times[3]).toBeGreaterThan(1950);
  });

  it("lets no write wait for the end of another one", async () => {
    const { pace } = pacerWith(5);
    let end = (): void => undefined;
    const long = pace(
      () =>
        new Promise<void>((resolve) => {
          end = resolve;
        }),
      true,
    );
    expect(await pace(async () => "made", true)).toBe("made");
    end();
    await long;
  });

  it("delays nothing on a host without limits, until the host refuses after all", async () => {
    const { pace, reserve, refused } = pacerWith(1, NO_LIMITS);
    const before = performance.now();
    for (let count = 0; count < 2_000; count++) await pace(write, true);
    expect(performance.now() - before).toBeLessThan(20_000);
    expect(await reserve("run", 10_000)).toBe(0);
    await refused(60_000);
    expect(await reserve("run", 1)).toBeGreaterThan(50_000);
    await expect(pace(write, true)).rejects.toMatchObject({ code: "HOST_UNREACHABLE", data: { writes: true } });
  });

  it("lets changes pass while creations wait", async () => {
    const { pace } = pacerWith(1, [{ of: "creations", ms: 60_000, writes: 1 }]);
    await pace(write, true);
    for (const change of [1, 2, 3]) expect(await pace(async () => change, false)).toBe(change);
  });

  it("asks the account for few permits, and for more while a burst lasts", async () => {
    const asked: number[] = [];
    const account = createMemoryAccounts().of(7);
    const counting: WriteAccount = {
      ...account,
      take(taking) {
        asked.push(taking.wanted);
        return account.take(taking);
      },
    };
    const { pace } = createWritePacer(1, counting);
    for (let count = 0; count < 40; count++) await pace(write, true, "run");
    expect(asked).toEqual([1, 2, 4, 8, 16, 16]);
  });

  it("gives a run's unused permits back when the run reserves again or ends", async () => {
    const { pace, reserve } = pacerWith(1, [{ of: "creations", ms: 3_600_000, writes: 10 }]);
    expect(await reserve("one", 6)).toBe(0);
    // 1 and 2 permits, of which one is left.
    for (const _ of [1, 2]) await pace(write, true, "one");
    await reserve("one", 0);
    expect(await reserve("two", 9)).toBeGreaterThan(0);
    expect(await reserve("two", 8)).toBe(0);
  });

  it("refuses a write that would wait too long", async () => {
    const { pace } = pacerWith(1, [{ of: "creations", ms: 60_000, writes: 1 }]);
    await pace(write, true);
    await expect(pace(write, true)).rejects.toMatchObject({ code: "HOST_UNREACHABLE" });
  });
});
