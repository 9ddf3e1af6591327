import { describe, expect, it } from "@jest/globals";
import { cleanLog } from "../../../src/checks/test-logs/clean-log.ts";
import { cutLog } from "../../../src/checks/test-logs/cut-log.ts";
import { findPlaces } from "../../../src/checks/test-logs/places.ts";
import { type CheckStatus, checkTitle, judgeChecks, splitFailures } from "../../../src/data/checks.ts";
import { describeFailures, failuresAsIssue } from "../../../src/follow-up/repair/diagnose.ts";
import { computingTime } from "../../fakes/computing-time.ts";
import { PATHS, SAMPLES, stamped } from "./sample-logs.ts";

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

const NOISE = Array.from({ length: 2_000 }, (_, at) => `npm http fetch GET 200 package-${at} 12ms, 0 errors`);

describe("cleanLog", () => {
  it("removes what GitHub's page does not show", () => {
    const log = [
      "\uFEFF2026-11-20T10:00:00.1234567Z ##[group]Run npm test",
      "2026-11-20T10:00:00.1234567Z \u001b[36;1mnpm test\u001b[0m",
      "2026-11-20T10:00:00.1234567Z ##[endgroup]",
      "2026-11-20T10:00:01.1234567Z ",
      "2026-11-20T10:00:01.1234567Z ",
      "2026-11-20T10:00:01.1234567Z 10%\r50%\r100%\r",
      "2026-11-20T10:00:01.1234567Z see \u001b]8;;https://x.test\u0007here\u001b]8;;\u0007",
      "::error file=src/a.js,line=3::It is wrong",
      "2026-11-20T10:00:02.1234567Z ##[error]Process completed with exit code 1.",
      "2026-11-20T10:00:02.1234567Z hidden\u200b\u202e text",
      "",
    ].join("\n");
    expect(cleanLog(log)).toEqual([
      "Run npm test",
      "npm test",
      "",
      "100%",
      "see here",
      "Error: It is wrong",
      "Error: Process completed with exit code 1.",
      "hidden text",
    ]);
  });

  it("cuts very long lines", () => {
    expect(cleanLog("x".repeat(10_000))).toEqual([`${"x".repeat(500)} […]`]);
  });

  it("takes linear time on hostile logs", () => {
    const began = computingTime();
    for (const piece of ["\u001b[", "\u001b]", "::error ", "a/", "\r", "[", ".a:1"]) {
      findPlaces(cleanLog(piece.repeat(400_000)).join("\n"), PATHS);
      findPlaces(cleanLog(`${piece.repeat(40)}\n`.repeat(2_000)).join("\n"), PATHS);
    }
    expect(computingTime() - began).toBeLessThan(10_000);
  });
});

describe.each(Object.entries(SAMPLES))("a log of %s", (_name, { lines, tells, places }) => {
  const shown = cutLog(cleanLog(stamped([...NOISE, ...lines, ...NOISE])), 4_000);

  it("is cut to the failure", () => {
    for (const words of tells) expect(shown).toContain(words);
    expect(shown.length).toBeLessThanOrEqual(4_000);
    expect(shown).toMatch(/^\[… [\d,]+ lines left out …\]$/m);
  });

  it("names lines of the repository", () => {
    expect(findPlaces(shown, PATHS).map(({ path, line }) => `${path}:${line}`)).toEqual(places);
  });
});

describe("cutLog", () => {
  it("keeps a short log whole", () => {
    expect(cutLog(["a", "b"], 100)).toBe("a\nb");
    expect(cutLog([], 100)).toBe("");
  });

  it("keeps the end of a log without a failure", () => {
    const shown = cutLog(
      NOISE.map((line) => line.replace(", 0 errors", "")),
      1_000,
    );
    expect(shown).toMatch(/^\[… 1,9\d\d lines left out …\]\n/);
    expect(shown.endsWith("package-1999 12ms")).toBe(true);
  });

  it("keeps the first of many failures, and says that more follow", () => {
    const many = Array.from({ length: 3_000 }, (_, at) => `not ok ${at + 1} - it works`);
    const shown = cutLog(many, 2_000);
    expect(shown.startsWith("not ok 1 - it works\n")).toBe(true);
    expect(shown).toMatch(/\[… 2,\d\d\d lines left out …\]$/);
    expect(shown.length).toBeLessThanOrEqual(2_000);
  });

  it("looks for words like error only when no runner reports a failure in its own form", () => {
    const log = [...NOISE, "an error in the words of nobody", ...NOISE];
    expect(cutLog(log, 4_000)).toContain("an error in the words of nobody");
    expect(cutLog([...log, "--- FAIL: TestX"], 1_000)).not.toContain("the words of nobody");
  });
});

describe("findPlaces", () => {
  it("ignores files of other packages and machines", () => {
    const log = [
      "at x (/usr/lib/node_modules/npm/index.js:3:1)",
      "at y (/opt/tool/index.js:3:1)",
      "at z (/home/runner/work/shop/shop/index.js:4:1)",
      "https://example.test/money.js:80",
    ].join("\n");
    expect(findPlaces(log, PATHS)).toEqual([{ path: "index.js", line: 4 }]);
  });

  it("ignores a name that several files share", () => {
    expect(findPlaces("a_test.go:3: no", ["x/a_test.go", "y/a_test.go"])).toEqual([]);
    expect(findPlaces("y/a_test.go:3: no", ["x/a_test.go", "y/a_test.go"])).toEqual([{ path: "y/a_test.go", line: 3 }]);
  });
});
