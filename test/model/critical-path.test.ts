import { describe, expect, it } from "@jest/globals";
import { criticalPath } from "../../src/model/spend.ts";

const call = (began: number, elapsed: number) => ({ began, elapsed });

describe("criticalPath", () => {
  it("of no call is nothing", () => {
    expect(criticalPath([])).toEqual({ calls: 0, elapsed: 0 });
  });

  it("adds up calls that follow each other, whatever order they are given in, and leaves pauses out", () => {
    expect(criticalPath([call(500, 20), call(0, 100), call(100, 50)])).toEqual({ calls: 3, elapsed: 170 });
  });

  it("counts calls side by side once", () => {
    const waves = [call(0, 100), call(0, 90), call(5, 80), call(100, 40), call(101, 60)];
    expect(criticalPath(waves)).toEqual({ calls: 2, elapsed: 160 });
  });

  it("finds the most calls and the longest time in different chains", () => {
    const long = [call(0, 1000)];
    const short = [call(0, 100), call(100, 100), call(200, 100)];
    expect(criticalPath([...long, ...short])).toEqual({ calls: 3, elapsed: 1000 });
  });

  it("forgives the rounding of milliseconds, but not more", () => {
    expect(criticalPath([call(0, 100.4), call(100, 50)])).toMatchObject({ calls: 2 });
    expect(criticalPath([call(0, 100), call(97, 50)])).toMatchObject({ calls: 1 });
    expect(criticalPath([call(10, 1), call(10, 1)])).toMatchObject({ calls: 1 });
  });

  it("counts a call whose beginning was not kept as if it ran alone", () => {
    expect(criticalPath([{ elapsed: 30 }, call(0, 100), call(50, 100), { elapsed: 20 }])).toEqual({
      calls: 3,
      elapsed: 150,
    });
  });
});
