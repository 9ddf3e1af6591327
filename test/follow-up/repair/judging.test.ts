import { describe, expect, it } from "@jest/globals";
import type { CheckStatus } from "../../../src/data/checks.ts";
import { checkTitle, judgeChecks, splitFailures } from "../../../src/data/checks.ts";
import { describeFailures, failuresAsIssue } from "../../../src/follow-up/repair/diagnose.ts";

const check = (name: string, state: CheckStatus["state"], more: Partial<CheckStatus> = {}): CheckStatus => ({
  name,
  state,
  byApp: false,
  ...more,
});

describe("judgeChecks", () => {
  it.each<[string, CheckStatus[], string]>([
    ["no check", [], "none"],
    ["only the app's own check", [check("MAGIS", "failed", { byApp: true })], "none"],
    ["a running check", [check("a", "failed"), check("b", "pending")], "pending"],
    ["a failed check", [check("a", "failed"), check("b", "passed")], "failed"],
    ["passed and skipped checks", [check("a", "passed"), check("b", "neutral")], "green"],
    ["only skipped checks", [check("b", "neutral")], "unclear"],
    ["a cancelled check", [check("a", "passed"), check("b", "neutral", { stopped: true })], "unclear"],
  ])("judges %s", (_what, checks, verdict) => {
    expect(judgeChecks(checks)).toBe(verdict);
  });
});

describe("splitFailures blames by the base commit", () => {
  const job = (state: CheckStatus["state"], file = "ci.yml") =>
    check("test", state, { app: "github-actions", workflow: `.github/workflows/${file}` });
  const status = (state: CheckStatus["state"]) => check("test", state);
  const other = (state: CheckStatus["state"]) => check("test", state, { app: "other-ci" });

  it("leaves out the app's own check", () => {
    const head = [check("a", "failed"), check("b", "failed"), check("c", "failed"), check("d", "passed")];
    const own = check("MAGIS", "failed", { byApp: true });
    const { ours, theirs, unknown } = splitFailures([...head, own], [check("a", "passed"), check("b", "failed")]);
    const names = (checks: readonly CheckStatus[]) => checks.map(({ name }) => name);
    expect([names(ours), names(theirs), names(unknown)]).toEqual([["a", "c"], ["b"], ["c"]]);
  });

  it.each<{ what: string; head: readonly CheckStatus[]; base: readonly CheckStatus[]; whose: string }>([
    { what: "the same job, green there", head: [job("failed")], base: [job("passed")], whose: "ours" },
    { what: "the same job, red there", head: [job("failed")], base: [job("failed")], whose: "theirs" },
    {
      what: "a status of its name, red there",
      head: [job("failed")],
      base: [job("passed"), status("failed")],
      whose: "ours",
    },
    {
      what: "another app's check, red there",
      head: [job("failed")],
      base: [job("passed"), other("failed")],
      whose: "ours",
    },
    {
      what: "another workflow's job, red there",
      head: [job("failed")],
      base: [job("failed", "b.yml")],
      whose: "unknown",
    },
    { what: "only a status of its name there", head: [job("failed")], base: [status("failed")], whose: "unknown" },
    { what: "nothing there", head: [status("failed")], base: [], whose: "unknown" },
    {
      what: "a status in a job's name",
      head: [job("passed"), status("failed")],
      base: [job("passed")],
      whose: "foreign",
    },
    { what: "a status beside a new job", head: [job("passed"), status("failed")], base: [], whose: "foreign" },
    { what: "an app's check in another's name", head: [other("failed")], base: [job("passed")], whose: "foreign" },
    {
      what: "a status that the base has too",
      head: [status("failed")],
      base: [job("passed"), status("passed")],
      whose: "ours",
    },
  ])("$what: $whose", ({ head, base, whose }) => {
    const { ours, theirs, unknown, foreign } = splitFailures(head, base);
    const found = { ours: ours.filter((one) => !unknown.includes(one)), theirs, unknown, foreign };
    const [failed] = head.filter(({ state }) => state === "failed");
    expect(Object.entries(found).filter(([, checks]) => checks.length > 0)).toEqual([[whose, [failed]]]);
  });
});

describe("checkTitle", () => {
  it("distinguishes checks with the same name", () => {
    const twins = [
      { name: "test", app: "github-actions", workflow: ".github/workflows/ci.yml" },
      { name: "test", app: "other-ci" },
      { name: "test" },
      { name: "lint" },
    ];
    const titles = ["test (.github/workflows/ci.yml)", "test (other-ci)", "test (commit status)", "lint"];
    expect(twins.map((one) => checkTitle(one, twins))).toEqual(titles);
    expect(checkTitle(twins[1] ?? { name: "" }, [{ name: "test", app: "other-ci" }])).toBe("test");
  });
});

describe("the description of failures", () => {
  const failure = { name: "test", summary: "2 faults", annotations: [], log: "not ok 1", places: [] };

  it("contains everything known, and says what is left out", () => {
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

  it("becomes an issue for the agents, without hidden text", () => {
    const pull = { number: 7, title: "fix: it", body: "Shown.<!-- hidden -->", html: "<p>Shown.</p>", url: "u" };
    const issue = failuresAsIssue(pull, [failure], ["lint"]);
    expect(issue).toMatchObject({ title: "Failing checks: test, lint", standing: "log" });
    expect(issue.body).toContain("not ok 1");
    expect(issue.body).toContain("These checks fail too: lint");
    expect(issue.body).toContain('"fix: it":\n\nShown.');
    expect(issue.body).not.toContain("hidden");
  });
});
