import { describe, expect, it } from "@jest/globals";
import fc from "fast-check";
import {
  EMPTY_QUOTA,
  giveBackPermits,
  hasRoomFor,
  PERMIT_MS,
  refuseCreations,
  reserveRoom,
  takePermits,
  type WriteLimit,
} from "../../src/model/write-quota.ts";

const LIMITS: readonly WriteLimit[] = [
  { of: "creations", ms: 60_000, writes: 7 },
  { of: "creations", ms: 3_600_000, writes: 20 },
  { of: "writes", ms: 60_000, writes: 12 },
];

const MINUTE = 60_000;

const RUNS = ["a", "b", "c"];

/** Things that happen one after the other: some time passes, then somebody takes, gives back or reserves. */
const happening = fc.record({
  passes: fc.oneof(fc.integer({ min: 0, max: 20_000 }), fc.integer({ min: 0, max: 40 * MINUTE })),
  what: fc.constantFrom("take", "give back", "reserve"),
  holder: fc.constantFrom(undefined, ...RUNS),
  creates: fc.boolean(),
  count: fc.integer({ min: 0, max: 12 }),
  /** when within their validity permits are used */
  used: fc.double({ min: 0, max: 1, noNaN: true }),
});

interface Grant {
  readonly permits: string;
  readonly holder: string | undefined;
  readonly at: number;
  readonly creates: boolean;
  count: number;
}

describe("a write quota", () => {
  it("never lets writes exceed a limit in any window, whenever permits are used", () => {
    fc.assert(
      fc.property(fc.array(happening, { maxLength: 80 }), (happenings) => {
        let quota = EMPTY_QUOTA;
        let now = 1_000_000;
        const grants: Grant[] = [];
        for (const [index, { passes, what, holder, creates, count, used }] of happenings.entries()) {
          now += passes;
          if (what === "take") {
            const permits = String(index);
            const taken = takePermits(quota, { creates, wanted: Math.max(1, count), permits, holder }, now, LIMITS);
            quota = taken.quota;
            if ("count" in taken.gives)
              grants.push({ permits, holder, creates, count: taken.gives.count, at: now + used * PERMIT_MS });
          } else if (what === "give back") {
            // Of the latest, those that are not used yet.
            const last = grants.at(-1);
            if (last === undefined || last.at <= now) continue;
            quota = giveBackPermits(quota, { ...last, unused: last.count }, now);
            last.count = 0;
          } else if (holder !== undefined) {
            quota = reserveRoom(quota, holder, count, now, LIMITS).quota;
          }
        }
        for (const { of, ms, writes } of LIMITS) {
          const counted = grants.filter((one) => one.creates || of === "writes");
          for (const { at } of counted) {
            const within = counted.filter((one) => one.at <= at && one.at > at - ms);
            expect(within.reduce((sum, one) => sum + one.count, 0)).toBeLessThanOrEqual(writes);
          }
        }
      }),
      { numRuns: 500 },
    );
  });

  it("drops the reservation of a machine that died, and what left the window", () => {
    const { quota } = reserveRoom(EMPTY_QUOTA, "run", 20, 0, LIMITS);
    expect(hasRoomFor(quota, 1, 10 * MINUTE, LIMITS)).toBe(false);
    expect(hasRoomFor(quota, 1, 21 * MINUTE, LIMITS)).toBe(true);
    const taken = takePermits(quota, { creates: true, wanted: 7, permits: "p", holder: "run" }, 0, LIMITS);
    expect(hasRoomFor(taken.quota, 14, 61 * MINUTE, LIMITS)).toBe(true);
    expect(hasRoomFor(taken.quota, 14, 59 * MINUTE, LIMITS)).toBe(false);
  });

  it("renews a run's reservation with each write", () => {
    const { quota } = reserveRoom(EMPTY_QUOTA, "run", 20, 0, LIMITS);
    const taking = { creates: true, wanted: 1, permits: "p", holder: "run" };
    const taken = takePermits(quota, taking, 15 * MINUTE, LIMITS);
    expect(hasRoomFor(taken.quota, 1, 30 * MINUTE, LIMITS)).toBe(false);
  });

  it("forgets times that lie ahead because the clock was set back", () => {
    const late = 100 * 3_600_000;
    const taken = takePermits(EMPTY_QUOTA, { creates: true, wanted: 7, permits: "p" }, late, LIMITS);
    const { quota } = reserveRoom(refuseCreations(taken.quota, 1_000, late), "run", 9, late + 2_000, LIMITS);
    expect(hasRoomFor(quota, 20, 0, LIMITS)).toBe(true);
  });

  it("says when the next write keeps to the limit", () => {
    let quota = EMPTY_QUOTA;
    for (const at of [0, 10_000]) {
      const taking = { creates: true, wanted: 7, permits: String(at) };
      quota = takePermits(quota, taking, at, LIMITS).quota;
      quota = giveBackPermits(quota, { permits: String(at), unused: at === 0 ? 3 : 0 }, at);
    }
    const { gives } = takePermits(quota, { creates: true, wanted: 1, permits: "p" }, 20_000, LIMITS);
    expect(gives).toEqual({ waitMs: 40_000, limit: LIMITS[0] });
  });
});
