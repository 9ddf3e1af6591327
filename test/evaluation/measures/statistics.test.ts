import { describe, expect, it } from "@jest/globals";
import { estimateFor, logisticRegression } from "../../../eval/evaluation/measures/statistics.ts";

const observed = (yes: readonly number[], no: readonly number[]) => [
  ...yes.map((figure) => ({ figure, outcome: true })),
  ...no.map((figure) => ({ figure, outcome: false })),
];

describe("the logistic regression on one figure", () => {
  it("gives the textbook's coefficient, standard error and p (hours of study, exams passed)", () => {
    const passed = [1.75, 2.25, 2.75, 3.25, 4, 4.25, 4.5, 4.75, 5, 5.5];
    const failed = [0.5, 0.75, 1, 1.25, 1.5, 1.75, 2, 2.5, 3, 3.5];
    const { coefficient = 0, error = 0, p = 0 } = logisticRegression(observed(passed, failed)) ?? {};
    expect(coefficient).toBeCloseTo(1.5046, 3);
    expect(error).toBeCloseTo(0.6287, 3);
    expect(p).toBeCloseTo(0.0167, 4);
  });

  it("does not depend on the figure's scale, except for the coefficient", () => {
    const [yes, no] = [
      [1, 2, 3, 9],
      [2, 4, 5, 7],
    ];
    const small = logisticRegression(observed(yes, no));
    const large = logisticRegression(
      observed(
        yes.map((one) => one * 1e4),
        no.map((one) => one * 1e4),
      ),
    );
    expect(large?.p).toBeCloseTo(small?.p ?? 0, 6);
    expect((large?.coefficient ?? 0) * 1e4).toBeCloseTo(small?.coefficient ?? 0, 6);
  });

  it.each([
    ["no outcome differs", [1, 2], []],
    ["no figure differs", [1, 1], [1, 1]],
    ["the figure tells the outcomes apart", [1, 1, 2], [2, 3]],
  ])("has no estimate when %s", (_, yes, no) => {
    expect(logisticRegression(observed(yes, no))).toBeUndefined();
  });
});

describe("the estimate", () => {
  it("is made after the first ten, and not before", () => {
    const costs = [1, 3, 1, 3, 1, 3, 1, 3, 1, 3];
    expect(estimateFor(300, costs.slice(1))).toBeUndefined();
    const { from, total = 0, least = 0, most = 0 } = estimateFor(300, [...costs, 900]) ?? {};
    expect([from, total]).toEqual([10, 600]);
    expect(least).toBeCloseTo(400, 6);
    expect(most).toBeCloseTo(800, 6);
  });
});
