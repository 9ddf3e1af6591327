import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "@jest/globals";
import type { NewTest, ProofVerdict, Question } from "../../../src/model/verdict.ts";
import { type EndedCheck, judgeEnded } from "../../../src/search/test-logs/judge.ts";

const FIXTURES = join(import.meta.dirname, "fixtures");

/** A few lines of each runner's log in their true shape; above them, as JSON, the new test and what is to be read of it. */
interface Sample extends NewTest {
  readonly kind: ProofVerdict["kind"];
  readonly reason?: string;
  readonly words: string;
  readonly log: string;
}

const sampleOf = (file: string): Sample => {
  const text = readFileSync(join(FIXTURES, file), "utf8");
  const end = text.indexOf("\n");
  return { ...(JSON.parse(text.slice(0, end)) as Omit<Sample, "log">), log: text.slice(end + 1) };
};

const TEST: NewTest = { path: "test/parse.test.js", within: ["parse"], name: "keeps an empty value" };
const RED: Question = { ask: "red", tests: [TEST] };
const GREEN: Question = { ask: "green", tests: [TEST] };

const failed = (log: string, more: Partial<EndedCheck> = {}): EndedCheck => ({
  ...{ name: "test", state: "failed", onBase: "passed", log },
  ...more,
});
const passed = (name: string): EndedCheck => ({ name, state: "passed", onBase: "passed" });
const judged = (checks: readonly EndedCheck[], question = RED) => judgeEnded(checks, question, [TEST.path]);
const brief = (verdict: ProofVerdict) => [verdict.kind, "reason" in verdict ? verdict.reason : undefined];

const BITES = sampleOf("jest.txt").log;
const ANOTHER = sampleOf("jest-another-test.txt").log;

describe("what the log of a failed check says of a new test", () => {
  it.each(readdirSync(FIXTURES))("%s", (file) => {
    const { log, kind, reason, words, path, within, name } = sampleOf(file);
    const verdict = judgeEnded([failed(log)], { ask: "red", tests: [{ path, within, name }] }, [path]);
    expect(brief(verdict)).toEqual([kind, reason]);
    const told = verdict.kind === "right-red" ? verdict.tests : [verdict];
    expect(JSON.stringify(told)).toContain(JSON.stringify(words).slice(1, -1));
  });
});

describe("what all checks of a commit come to", () => {
  it.each<[string, readonly EndedCheck[], Question, readonly unknown[]]>([
    [
      "the right test in two jobs",
      [failed(BITES), failed(BITES, { name: "test (20)" })],
      RED,
      ["right-red", undefined],
    ],
    [
      "the right test, and another in one job",
      [failed(BITES), failed(ANOTHER, { name: "b" })],
      RED,
      ["other-red", "another-test"],
    ],
    [
      "the right test beside jobs that were cancelled",
      [failed(BITES), { ...passed("b"), state: "neutral", because: "cancelled" }],
      RED,
      ["right-red", undefined],
    ],
    ["nothing fails", [passed("test")], RED, ["not-red", undefined]],
    ["nothing fails with the fix", [passed("test")], GREEN, ["green", undefined]],
    ["the test fails still", [failed(BITES)], GREEN, ["right-red", undefined]],
    ["cancelled", [{ ...passed("test"), state: "neutral", because: "cancelled" }], RED, ["no-verdict", "cancelled"]],
    ["timed out", [{ ...passed("test"), state: "neutral", because: "timed-out" }], RED, ["no-verdict", "timed-out"]],
    [
      "skipped for drafts",
      [passed("lint"), { ...passed("test"), state: "neutral", because: "skipped" }],
      RED,
      ["no-verdict", "skipped"],
    ],
    [
      "waits for a person",
      [{ ...passed("test"), state: "pending", because: "waiting" }],
      RED,
      ["no-verdict", "waiting"],
    ],
    [
      "one waits, one runs",
      [
        { ...passed("a"), state: "pending", because: "waiting" },
        { ...passed("b"), state: "pending" },
      ],
      RED,
      ["no-verdict", "running"],
    ],
    ["none", [], RED, ["no-verdict", "none"]],
    ["one that the base knows nothing of", [{ name: "new", state: "passed" }], RED, ["no-verdict", "none"]],
    [
      "red on the base too",
      [failed(ANOTHER, { onBase: "failed", name: "b" }), failed(BITES)],
      RED,
      ["right-red", undefined],
    ],
    ["no log", [failed("")], RED, ["other-red", "unknown"]],
    ["the base is red", [failed(ANOTHER)], { ask: "base", tests: [] }, ["other-red", "another-test"]],
    ["the base is green", [{ name: "test", state: "passed" }], { ask: "base", tests: [] }, ["green", undefined]],
  ])("%s", (_what, checks, question, verdict) => {
    expect(brief(judged(checks, question))).toEqual(verdict);
  });

  it("excuses, and names, a linter that fails on the new file alone", () => {
    const lint = failed("/w/test/parse.test.js\n  3:1  error  Missing semicolon  semi\n\n✖ 1 problem", {
      name: "lint",
    });
    const verdict = judged([failed(BITES), lint]);
    expect(verdict.kind).toBe("right-red");
    expect(verdict.checks.filter(({ excused }) => excused).map(({ name }) => name)).toEqual(["lint"]);
    expect(brief(judged([lint]))).toEqual(["no-verdict", "none"]);
    expect(brief(judged([lint, passed("test")]))).toEqual(["not-red", undefined]);
    expect(judged([lint, passed("test")], GREEN).kind).toBe("other-red");
  });

  it("does not excuse a linter that fails on another file", () => {
    const annotations = [{ path: "src/other.js", message: "Missing semicolon" }];
    expect(judged([failed(BITES), failed("", { name: "lint", annotations })]).kind).toBe("other-red");
  });

  it("excuses what gathers the results of the others", () => {
    const gate = failed("##[error]Process completed with exit code 1.", { name: "ci-success" });
    expect(judged([failed(BITES), gate]).kind).toBe("right-red");
  });

  it("reads annotations where there is no log", () => {
    const message = "parse › keeps an empty value: expect(received).toBe(expected)\nExpected: 1";
    expect(judged([failed("", { annotations: [{ path: TEST.path, message }] })]).kind).toBe("right-red");
  });
});
