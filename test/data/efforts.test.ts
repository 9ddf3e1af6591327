import { describe, expect, it } from "@jest/globals";
import { effortsAfter } from "../../src/data/settings.ts";

describe("effortsAfter", () => {
  it.each([
    ["low", ["low", "medium", "high", "high"]],
    ["medium", ["medium", "high", "high", "high"]],
    ["high", ["high", "high", "high", "high"]],
    ["max", ["max", "max", "max", "max"]],
    ["auto", ["low", "medium", "high", "high"]],
    [undefined, [undefined, undefined, undefined, undefined]],
  ] as const)("raises %s with each red verdict", (strong, expected) => {
    const set = strong === undefined ? {} : { strong };
    expect([0, 1, 2, 3].map((reds) => effortsAfter(set, reds).strong)).toEqual(expected);
  });

  it("leaves the fast model's effort alone", () => {
    expect(effortsAfter({ fast: "low", strong: "low" }, 2)).toEqual({ fast: "low", strong: "high" });
    expect(effortsAfter()).toEqual({});
  });
});
