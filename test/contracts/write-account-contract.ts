import { randomUUID } from "node:crypto";
import { expect, it } from "@jest/globals";
import type { WriteLimit } from "../../src/model/write-quota.ts";
import type { WriteAccount, WriteAccounts } from "../../src/ports/write-account.ts";

/** Limits of ten creations an hour; more changes. */
const LIMITS: readonly WriteLimit[] = [
  { of: "creations", ms: 3_600_000, writes: 10 },
  { of: "writes", ms: 60_000, writes: 30 },
];

let installations = 0;

/** Takes permits and gives their number, 0 when it has to wait. */
export async function take(account: WriteAccount, wanted: number, holder?: string, creates = true): Promise<number> {
  const taken = await account.take({ creates, wanted, permits: randomUUID(), holder });
  return "count" in taken ? taken.count : 0;
}

/** The contract of every WriteAccounts. `open` gives one with these limits; accounts may be shared by several. */
export function writeAccountContract(open: (limits: readonly WriteLimit[]) => WriteAccounts): void {
  const anew = () => {
    const accounts = open(LIMITS);
    installations += 1;
    return { accounts, installation: installations, account: accounts.of(installations) };
  };

  it("grants permits up to the limit, then says how long to wait and for which limit", async () => {
    const { account } = anew();
    expect([await take(account, 4), await take(account, 8)]).toEqual([4, 6]);
    const refused = await account.take({ creates: true, wanted: 1, permits: "p" });
    expect(refused).toMatchObject({ limit: LIMITS[0] });
    expect("waitMs" in refused && refused.waitMs > 3_590_000 && refused.waitMs < 3_620_000).toBe(true);
  });

  it("counts changes apart from creations, and creations as writes", async () => {
    const { account } = anew();
    expect(await take(account, 10)).toBe(10);
    expect(await take(account, 50, undefined, false)).toBe(20);
  });

  it("grants each permit once to callers at the same time", async () => {
    const { account } = anew();
    const taken = await Promise.all(Array.from({ length: 30 }, () => take(account, 1)));
    expect(taken.reduce((sum, count) => sum + count, 0)).toBe(10);
  });

  it("takes unused permits back, once", async () => {
    const { account } = anew();
    await account.take({ creates: true, wanted: 10, permits: "mine" });
    await account.giveBack({ permits: "mine", unused: 7 });
    await account.giveBack({ permits: "mine", unused: 7 });
    expect(await take(account, 10)).toBe(7);
  });

  it("reserves while used and reserved creations fit together, and replaces a run's earlier reservation", async () => {
    const { account } = anew();
    expect([await account.reserve("one", 6), await account.reserve("one", 6)]).toEqual([0, 0]);
    expect(await account.reserve("two", 5)).toBeGreaterThan(0);
    expect(await account.reserve("two", 4)).toBe(0);
    expect(await take(account, 3, "one")).toBe(3);
    expect(await account.reserve("three", 1)).toBeGreaterThan(0);
    await account.reserve("one", 0);
    expect(await account.reserve("three", 4)).toBeGreaterThan(0);
    expect(await account.reserve("three", 3)).toBe(0);
  });

  it("lets a run that has used its reservation take what nobody has reserved", async () => {
    const { account } = anew();
    await account.reserve("one", 2);
    await account.reserve("two", 5);
    expect([await take(account, 10, "one"), await take(account, 10, "one")]).toEqual([5, 0]);
    expect(await take(account, 10, "two")).toBe(5);
  });

  it("lets answers and reports pass before reservations", async () => {
    const { account } = anew();
    await account.reserve("one", 10);
    expect([await take(account, 1), await take(account, 1, "other")]).toEqual([1, 0]);
  });

  it("gives a run's unused permits back to its reservation", async () => {
    const { account } = anew();
    await account.reserve("one", 10);
    await account.take({ creates: true, wanted: 8, permits: "burst", holder: "one" });
    await account.giveBack({ permits: "burst", unused: 8, holder: "one" });
    expect(await account.reserve("two", 1)).toBeGreaterThan(0);
    expect(await take(account, 10, "one")).toBe(10);
  });

  it("grants a lone run whatever it wants to reserve", async () => {
    expect(await anew().account.reserve("one", 50)).toBe(0);
  });

  it("grants no creations after a refusal of the host, but changes", async () => {
    const { account } = anew();
    await account.refused(5_000);
    const wait = await account.reserve("one", 1);
    expect([wait > 3_000, wait <= 5_000]).toEqual([true, true]);
    expect([await take(account, 1), await take(account, 1, undefined, false)]).toEqual([0, 1]);
  });

  it("knows the installations that have no room, and keeps them apart", async () => {
    const { accounts, account, installation } = anew();
    const isFull = async (creations: number) => (await accounts.atLimit(creations)).includes(installation);
    expect(await isFull(10)).toBe(false);
    await account.reserve("one", 6);
    expect([await isFull(4), await isFull(5)]).toEqual([false, true]);
    expect(await take(anew().account, 10)).toBe(10);
  });
}
