import { describe, expect, it } from "@jest/globals";
import { plotsOf } from "../../src/dashboard/plots.ts";
import type { TrendSlot } from "../../src/queue/visible.ts";
import { fc } from "../seeded.ts";

const slot = (changes: Partial<TrendSlot>): TrendSlot => ({
  from: "2026-11-01",
  runs: [],
  merged: 0,
  closed: 0,
  ...changes,
});

const published = (runs: number, money: number) => slot({ runs: [{ outcome: "published", runs, money }] });

function ticksOf(title: string, one: TrendSlot): readonly string[] {
  const plot = plotsOf([one], "day").find((each) => each.title.startsWith(title));
  if (plot === undefined) throw new Error(`There is no plot ${title}.`);
  return plot.ticks;
}

describe("the plots of the trends", () => {
  it.each([
    [0.1, ["$0.10", "$0.08", "$0.06", "$0.04", "$0.02", "$0.00"]],
    [0.003, ["$0.01", "$0.00"]],
    [1200, ["$1500.00", "$1000.00", "$500.00", "$0.00"]],
  ])("write money of %d with cents", (money, ticks) => {
    expect(ticksOf("Money", published(1, money))).toEqual(ticks);
  });

  it.each([
    [1, ["1", "0"]],
    [3, ["3", "2", "1", "0"]],
    [7, ["8", "6", "4", "2", "0"]],
  ])("count %d runs as whole ones", (runs, ticks) => {
    expect(ticksOf("Runs", published(runs, 1))).toEqual(ticks);
  });

  it("say how long a pull request took in minutes, and what share was merged in percent", () => {
    expect(ticksOf("Minutes", slot({ timeToPull: 72_000 }))).toEqual(["2 min", "1 min", "0 min"]);
    expect(ticksOf("Merge rate", slot({ closed: 3 }))).toEqual(["100 %", "75 %", "50 %", "25 %", "0 %"]);
  });

  it("have nothing to show where nothing is known", () => {
    expect(plotsOf([slot({})], "month").map(({ ticks, bars }) => [ticks, bars])).toEqual(
      Array.from({ length: 4 }, () => [[], []]),
    );
  });

  it("never draw a bar above the highest tick by more than a bar that is seen at all", () => {
    const slots = fc.array(
      fc.record({
        from: fc.constant("2026-11-01"),
        runs: fc.array(
          fc.record({
            outcome: fc.constantFrom("published", "asked", "refused", "failed"),
            runs: fc.nat(5000),
            money: fc.double({ min: 0, max: 1e6, noNaN: true }),
          }),
          { maxLength: 4 },
        ),
        merged: fc.nat(50),
        closed: fc.nat(50),
        timeToPull: fc.option(fc.double({ min: 0, max: 1e9, noNaN: true }), { nil: undefined }),
      }),
      { minLength: 1, maxLength: 30 },
    );
    fc.assert(
      fc.property(slots, (all) => {
        for (const { bars, lines, ticks } of plotsOf(all, "day")) {
          expect(bars.every(({ y, height }) => y >= -4 && height > 0)).toBe(true);
          expect(ticks.length === 0 || ticks.length === lines.length + 1).toBe(true);
        }
      }),
    );
  });
});
