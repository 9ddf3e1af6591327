import { describe, expect, it } from "@jest/globals";
import type { CheckStatus } from "../../../src/model/checks.ts";
import { judgeChecks, splitFailures } from "../../../src/model/checks.ts";
import { describeFailures, failuresAsIssue } from "../../../src/workflow/repair/diagnose.ts";

const check = (name: string, state: CheckStatus["state"], more: Partial<CheckStatus> = {}): CheckStatus => ({
  name,
  state,
  byApp: false,
  ...more,
});

describe("judgeChecks", () => {
  it.each<[string, CheckStatus[], string]>([
    ["no check", [], "none"],
    ["the app's own only", [check("MAGIS", "failed", { byApp: true })], "none"],
    ["one that goes on", [check("a", "failed"), check("b", "pending")], "pending"],
    ["one that failed", [check("a", "failed"), check("b", "passed")], "failed"],
    ["passed and skipped ones", [check("a", "passed"), check("b", "neutral")], "green"],
    ["skipped ones only", [check("b", "neutral")], "unclear"],
    ["a cancelled one", [check("a", "passed"), check("b", "neutral", { stopped: true })], "unclear"],
  ])("of %s", (_what, checks, verdict) => {
    expect(judgeChecks(checks)).toBe(verdict);
  });
});

it("splitFailures asks the base commit whose failure it is", () => {
  const head = [check("a", "failed"), check("b", "failed"), check("c", "failed"), check("d", "passed")];
  const own = check("MAGIS", "failed", { byApp: true });
  const { ours, theirs, unknown } = splitFailures([...head, own], [check("a", "passed"), check("b", "failed")]);
  expect(ours.map(({ name }) => name)).toEqual(["a", "c"]);
  expect(theirs.map(({ name }) => name)).toEqual(["b"]);
  expect(unknown).toEqual(["c"]);
});

describe("failures in words", () => {
  const failure = { name: "test", summary: "2 faults", annotations: [], log: "not ok 1", places: [] };

  it("say all that is known, and what is left out", () => {
    const annotations = Array.from({ length: 25 }, (_, at) => ({
      path: "a.js",
      line: at + 1,
      message: "x".repeat(700),
    }));
    const places = [{ path: "a.js", line: 3 }];
    const text = describeFailures([
      { ...failure, annotations, places },
      { ...failure, name: "lint", log: "" },
    ]);
    expect(text).toContain('The check "test" failed.\n\nIt says of itself:\n2 faults\n\nIts annotations:\n- a.js:1: x');
    expect(text).toContain(
      "[… 5 more left out …]\n\nLines of the repository that it names: a.js:3\n\nThe part of its log",
    );
    expect(text).toContain('The check "lint" failed.');
    expect(text.endsWith("There is no log of it to read.")).toBe(true);
  });

  it("become an issue for the agents, without what a reader does not see", () => {
    const pull = { number: 7, title: "fix: it", body: "Shown.<!-- hidden -->", url: "u" };
    const issue = failuresAsIssue(pull, [failure], ["lint"]);
    expect(issue).toMatchObject({ title: "Failing checks: test, lint", standing: "log" });
    expect(issue.body).toContain("not ok 1");
    expect(issue.body).toContain("These checks fail too: lint");
    expect(issue.body).toContain('"fix: it":\n\nShown.');
    expect(issue.body).not.toContain("hidden");
  });
});
