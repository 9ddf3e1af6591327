import { describe, expect, it } from "@jest/globals";
import { declaredNames } from "../../src/search/outline.ts";

const splits = (name: string) => name.toLowerCase().split("_");
const terms = new Map([
  ["round", 2],
  ["cents", 1],
]);
const declared = [
  { name: "Money" },
  { name: "parse", parent: "Money" },
  { name: "round_cents", parent: "Money" },
  { name: "helper" },
  { name: "other_helper" },
];

describe("declaredNames", () => {
  it("lists names with their members, those closest to the issue first", () => {
    expect(declaredNames(declared, splits, terms, 200)).toBe("Money (round_cents, parse); helper; other_helper");
  });

  it("keeps the names closest to the issue when not all fit, and marks the gap", () => {
    expect(declaredNames(declared, splits, terms, 38)).toBe("Money (round_cents, …); helper; …");
    const late = [{ name: "first" }, { name: "second" }, { name: "round" }];
    expect(declaredNames(late, splits, terms, 8)).toBe("round; …");
    expect(declaredNames([], splits, terms, 50)).toBe("");
  });

  it("gives a file of hundreds of functions no long struct", () => {
    const fields = Array.from({ length: 90 }, (_, at) => ({ name: `round_${at}`, parent: "context" }));
    const functions = Array.from({ length: 900 }, (_, at) => ({ name: `step_${at}` }));
    const shown = declaredNames([{ name: "context" }, ...fields, ...functions, { name: "cents" }], splits, terms, 200);
    expect(shown).toContain("cents");
    expect(shown.match(/round_/g)?.length).toBeLessThan(12);
    expect(shown.length).toBeLessThanOrEqual(200 + "; …".length);
  });
});
