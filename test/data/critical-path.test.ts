import { describe, expect, it } from "@jest/globals";
import { criticalPath } from "../../src/data/spend.ts";

const call = (began: number, elapsed: number) => ({ began, elapsed });

describe("criticalPath", () => {
  it("is empty without calls", () => {
    expect(criticalPath([])).toEqual({ calls: 0, elapsed: 0 });
  });

  it("adds up consecutive calls in any order, without pauses", () => {
    expect(criticalPath([call(500, 20), call(0, 100), call(100, 50)])).toEqual({ calls: 3, elapsed: 170 });
  });

  it("counts concurrent calls once", () => {
    const waves = [call(0, 100), call(0, 90), call(5, 80), call(100, 40), call(101, 60)];
    expect(criticalPath(waves)).toEqual({ calls: 2, elapsed: 160 });
  });

  it("finds the most calls and the longest time in different chains", () => {
    const long = [call(0, 1000)];
    const short = [call(0, 100), call(100, 100), call(200, 100)];
    expect(criticalPath([...long, ...short])).toEqual({ calls: 3, elapsed: 1000 });
  });

  it("tolerates rounding to milliseconds, but no more", () => {
    expect(criticalPath([call(0, 100.4), call(100, 50)])).toMatchObject({ calls: 2 });
    expect(criticalPath([call(0, 100), call(97, 50)])).toMatchObject({ calls: 1 });
    expect(criticalPath([call(10, 1), call(10, 1)])).toMatchObject({ calls: 1 });
  });

  it("counts a call without a recorded start as if it ran alone", () => {
    expect(criticalPath([{ elapsed: 30 }, call(0, 100), call(50, 100), { elapsed: 20 }])).toEqual({
      calls: 3,
      elapsed: 150,
    });
  });
});
