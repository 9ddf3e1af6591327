import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "@jest/globals";
import { judge } from "../../../src/checks/test-logs/judge.ts";
import { readStep, readTestLog } from "../../../src/checks/test-logs/read-test-log.ts";
import { RUNNERS } from "../../../src/checks/test-logs/runners.ts";
import {
  type CommitResults,
  NO_RESULTS,
  type RanStep,
  type TestsPart,
  type TestsRun,
} from "../../../src/data/test-results.ts";
import type { NewTest, ProofVerdict } from "../../../src/data/verdict.ts";

const FIXTURES = join(import.meta.dirname, "fixtures");

/** A few genuine lines of a runner's log; above them, as JSON, the new test and the expected verdict. */
interface Sample extends NewTest {
  kind: ProofVerdict["kind"];
  reason?: string;
  words: string;
  log: string;
}

const sampleOf = (file: string): Sample => {
  const text = readFileSync(join(FIXTURES, file), "utf8");
  const end = text.indexOf("\n");
  return { ...(JSON.parse(text.slice(0, end)) as Omit<Sample, "log">), log: text.slice(end + 1) };
};

/** Samples whose runner names failed tests but does not count those that ran, so they prove nothing. */
const UNCOUNTED = ["an-unknown-runner.txt", "dotnet-test-with-mstest.txt", "gradle-testng.txt"];

const commit = (step: RanStep): CommitResults => ({
  ...NO_RESULTS,
  jobs: [
    {
      app: "github-actions",
      workflow: "ci.yml",
      name: "test",
      state: step.state === "failed" ? "failed" : "passed",
      summary: "",
      steps: [step],
    },
  ],
});

/** The same step before the new test: all passed, and the failed tests did not exist. */
function before({ tests, ...step }: RanStep): RanStep {
  const passed = ({ format, counts }: TestsPart) => ({ format, counts: { ...counts, failed: 0 } });
  const ran: TestsRun | undefined = tests && {
    ...passed(tests),
    from: "log",
    parts: tests.parts?.map(passed),
    failures: [],
  };
  return { ...step, state: "passed", failures: [], tests: ran };
}

describe("the verdict on a new test by a failed check's log", () => {
  it.each(readdirSync(FIXTURES))("%s", (file) => {
    const { log, kind, reason, words, path, within, name } = sampleOf(file);
    const step = readStep("Run tests", "failed", log);
    const ran = { base: commit(before(step)), red: commit(step) };
    const verdict = judge(ran, { ask: "red", tests: [{ path, within, name }] }, [path]);
    const isCounted = kind !== "right-red" || !UNCOUNTED.includes(file);
    const expected = isCounted ? [kind, reason] : ["no-verdict", "unreported"];
    expect([verdict.kind, "reason" in verdict ? verdict.reason : undefined]).toEqual(expected);
    const read = { right: verdict.kind === "right-red" && verdict.tests, verdict, failures: step.failures };
    if (file !== "an-unknown-runner.txt") expect(JSON.stringify(read)).toContain(JSON.stringify(words).slice(1, -1));
  });
});

it.each(["node-test-spec.txt", "node-test-tap.txt"])("quotes %s without the fields that say nothing new", (file) => {
  const [failure] = readTestLog(sampleOf(file).log).failures;
  expect(failure?.words).toContain("Expected values to be strictly equal");
  expect(failure?.words).not.toMatch(/generatedMessage|ERR_ASSERTION'|failureType|operator|name: /);
});

describe("the table of runners", () => {
  it("has a sample of each", () => {
    const seen = new Set(readdirSync(FIXTURES).flatMap((file) => readTestLog(sampleOf(file).log).formats));
    expect(RUNNERS.map(({ name }) => name).filter((name) => !seen.has(name))).toEqual([]);
  });
});
