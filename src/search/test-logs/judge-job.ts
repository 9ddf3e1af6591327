import { checkKey } from "../../model/checks.ts";
import {
  type CommitResults,
  type RanJob,
  type RanStep,
  type ReportedFailure,
  type TestsRun,
  totalOf,
} from "../../model/test-results.ts";
import type { FailedTest, NewTest, NoVerdictReason, OtherReason } from "../../model/verdict.ts";
import { isTestPath } from "../classify-file.ts";
import { either } from "../patterns.ts";
import { isSameFile, wordsOf } from "./clean-log.ts";
import { comparablePart, growsWhereItFails } from "./compare-runs.ts";
import { findTest, isCaseOf } from "./new-tests.ts";

/** Where the new tests were seen to fail: a step of a job, or a report. */
export type Place =
  | { readonly job: RanJob; readonly step: RanStep; readonly tests: TestsRun; readonly before: TestsRun }
  | { readonly report: string; readonly workflow: string; readonly tests: TestsRun; readonly before: TestsRun };

export type Judged =
  | { readonly kind: "right"; readonly tests: readonly FailedTest[]; readonly place: Place }
  | {
      readonly kind: "other";
      readonly reason: OtherReason;
      readonly tests: readonly FailedTest[];
      readonly words: string;
    }
  | { readonly kind: "unreported"; readonly reason: NoVerdictReason }
  | { readonly kind: "excused" };

/** Steps that only repeat the result of another one. */
const HANDS_ON = /report|summar|coverage|upload|publish|annotat|result|comment|notif/i;

/** A job that failed, and not on the base. `changed`: all files that differ; `files`: the new tests', without a fix. */
export function judgeJob(
  job: RanJob,
  on: { readonly base: CommitResults; readonly now: CommitResults; readonly changed: readonly string[] },
  tests: readonly NewTest[],
  files: readonly string[],
): Judged {
  const judged = judgeFailure(job, on, tests, files);
  const mayBeMachine = judged.kind === "other" || judged.kind === "unreported";
  return mayBeMachine && isOnOtherImage(job, on.base) && !namesAny(job, on.changed)
    ? { kind: "unreported", reason: "other-image" }
    : judged;
}

/** Whether the machine that ran a job has another image than each that ran it on the base. */
function isOnOtherImage(job: RanJob, base: CommitResults): boolean {
  const twins = base.jobs.filter((one) => checkKey(one) === checkKey(job));
  const known = twins.flatMap(({ image }) => image ?? []);
  return job.image !== undefined && known.length > 0 && !known.includes(job.image);
}

/** Whether the failing steps of a job name one of these files. */
function namesAny(job: RanJob, paths: readonly string[]): boolean {
  const failing = (job.steps ?? []).filter(({ state }) => state === "failed");
  return failing.some(({ failures, broken, lines }) => {
    const named = failures.flatMap(({ path = "", name, places }) => [path, name, ...places]);
    if (named.some((one) => paths.some((path) => isSameFile(path, one)))) return true;
    const texts = [
      ...failures.map(({ words }) => words),
      broken?.words ?? "",
      failures.length > 0 ? "" : lines.join("\n"),
    ];
    return texts.some((words) => paths.some((path) => words.includes(path)));
  });
}

function judgeFailure(
  job: RanJob,
  { base, now }: { readonly base: CommitResults; readonly now: CommitResults },
  tests: readonly NewTest[],
  files: readonly string[],
): Judged {
  const failing = (job.steps ?? []).filter(({ state }) => state === "failed");
  const [step, ...further] = failing;
  const ranBefore = stateOn(base, job) === "passed";
  if (isExcused(job, step, { ranBefore, files })) return { kind: "excused" };
  if (!step || further.some(({ name }) => !HANDS_ON.test(name))) return { kind: "unreported", reason: "unreported" };
  const wrong = whyWrong(step, job, tests);
  if (wrong) return wrong;
  if (!ranBefore) return { kind: "excused" };
  return judgeReports(job, step, { base, now }, tests) ?? judgeStep(job, step, base, tests);
}

const RIGHT: ReadonlySet<string> = new Set(["assertion", "crash"]);

/** The verdict on a step whose failures are not the expected ones. */
function whyWrong(step: RanStep, job: RanJob, tests: readonly NewTest[]): Judged | undefined {
  const failed = step.failures.map((failure) => asFailed(failure, titleOf(job), tests));
  const other = (reason: OtherReason, words: string): Judged => ({ kind: "other", reason, tests: failed, words });
  const suite = step.failures.find(
    (one) => one.suite && tests.some(({ path }) => one.path && isSameFile(path, one.path)),
  );
  if (suite) return other(suite.cause, suite.words);
  // Without a runner's summary, it may be anything that a program prints.
  if (!step.tests || step.tests.counts.failed === 0) {
    const { broken } = step;
    return broken && (failed.length === 0 || broken.cause === "time-out")
      ? other(broken.cause, broken.words)
      : undefined;
  }
  const others = failed.filter(({ test }) => test === undefined);
  const first = others.find(({ cause }) => !RIGHT.has(cause)) ?? others[0];
  if (first) {
    const whole = step.failures.some((one) => one.suite && one.name === first.name);
    const reason = whole || first.cause === "set-up" ? first.cause : "another-test";
    return other(reason, first.words || first.name);
  }
  const wrong = failed.find(({ cause }) => !RIGHT.has(cause));
  return wrong && other(wrong.cause, wrong.words);
}

/** Compares the runner's summary in the step that failed with the one in the same step on the base. */
function judgeStep(job: RanJob, step: RanStep, base: CommitResults, tests: readonly NewTest[]): Judged {
  if (!step.tests) return { kind: "unreported", reason: "unreported" };
  const twins = base.jobs.filter((one) => checkKey(one) === checkKey(job) && one.state === "passed");
  const steps = twins.flatMap((one) => sameStep(job, step, one) ?? []);
  if (steps.length === 0)
    return {
      kind: "unreported",
      reason: twins.some(({ steps: known = [] }) => known.length > 0) ? "elsewhere" : "unreported-base",
    };
  const before = steps.find((one) => one.tests)?.tests;
  if (!before) return { kind: "unreported", reason: "unreported-base" };
  const why = whyNotAdded(before, step.tests, tests);
  if (why) return { kind: "unreported", reason: why };
  const failed = step.failures.map((failure) => asFailed(failure, titleOf(job), tests));
  return { kind: "right", tests: failed, place: { job, step, tests: step.tests, before } };
}

/** Compares with a report of the same workflow on the base, if the failed job shows the failure it names. */
function judgeReports(
  job: RanJob,
  step: RanStep,
  { base, now }: { readonly base: CommitResults; readonly now: CommitResults },
  tests: readonly NewTest[],
): Judged | undefined {
  for (const { workflow, name, tests: reported } of now.reports) {
    if (workflow !== job.workflow || reported.counts.failed === 0) continue;
    const before = base.reports.find((one) => one.workflow === workflow && one.name === name)?.tests;
    const failed = reported.failures.map((failure) => asFailed(failure, titleOf(job), tests));
    const shows = failed.some(({ test }) => test && step.lines.some((line) => line.includes(lastPart(test.name))));
    if (!shows) continue;
    const other = failed.find(({ test, cause }) => test === undefined || !RIGHT.has(cause));
    if (other) {
      const reason = other.test === undefined ? "another-test" : other.cause;
      return { kind: "other", reason, tests: failed, words: other.words || other.name };
    }
    if (!before) return { kind: "unreported", reason: "unreported-base" };
    const why = whyNotAdded(before, reported, tests);
    if (why) return { kind: "unreported", reason: why };
    return { kind: "right", tests: failed, place: { report: name, workflow, tests: reported, before } };
  }
  return undefined;
}

const lastPart = (name: string) => name.split(/[$%#{]/)[0]?.trim() || name;

/** The step of that name in another run of the job; of several with one name, the one in the same place. */
export function sameStep(job: RanJob, step: RanStep, other: RanJob): RanStep | undefined {
  const at = (job.steps ?? []).filter(({ name }) => name === step.name).indexOf(step);
  return (other.steps ?? []).filter(({ name }) => name === step.name)[at];
}

/**
 * Why a commit did not run exactly the base's tests and the new ones, with failures among the new ones alone; undefined
 * if it did. Compares numbers, and names too where both runs name all their tests. Numbers are exact only if the new
 * tests can be counted in the text: a table or a loop may make any number of cases.
 */
function whyNotAdded(base: TestsRun, now: TestsRun, tests: readonly NewTest[]): NoVerdictReason | undefined {
  const before = comparablePart(base, now);
  if (before.format !== now.format || before.from !== now.from || before.counts.failed > 0) return "counts";
  const ours = now.failures.filter((one) => !one.suite && findTest(tests, one) !== undefined);
  if (ours.length === 0) return "not-run";
  const more = totalOf(now.counts) - totalOf(before.counts);
  const added = addedBy(tests);
  const changed = tests.filter((one) => one.before && !one.also).length;
  // How many tests a table or a loop makes cannot be counted in the text.
  const counted = !tests.some(({ loose }) => loose) && !ours.some((one) => isCaseOf(tests, one));
  // A run that stopped may have left out some of the new ones.
  const isRight = before === base ? more === added : more <= added;
  if (counted ? !isRight : more < Math.min(added, 1)) return "counts";
  if (now.counts.failed > (counted ? added : Math.max(added, more)) + changed) return "counts";
  if (counted && ours.length !== now.counts.failed) return "counts";
  if (!growsWhereItFails(before, now, changed) || ours.some(({ name }) => now.shared?.has(name))) return "counts";
  if (!base.all || !now.all) return undefined;
  if (before === base && lostNames(before, now).length > 0) return "lost";
  const wasThere = ours.some((one) => base.all?.has(one.name) && !findTest(tests, one)?.before);
  return wasThere ? "counts" : undefined;
}

export const addedBy = (tests: readonly NewTest[]) =>
  tests.filter((one) => !one.before && !one.also && !one.loose).length;

/** A job's name for people. */
export const titleOf = ({ title, name }: RanJob): string => title ?? name;

/** The worst result of the same job on another commit. */
export function stateOn({ jobs }: CommitResults, job: RanJob): RanJob["state"] | undefined {
  const states = jobs.filter((one) => checkKey(one) === checkKey(job)).map(({ state }) => state);
  return (["failed", "pending", "passed", "neutral"] as const).find((state) => states.includes(state));
}

export function lostNames({ all: before }: TestsRun, { all: now }: TestsRun): readonly string[] {
  if (!before || !now) return [];
  return [...before].flatMap(([name, end]) => {
    const ended = now.get(name);
    return end !== "skipped" && (ended === undefined || ended === "skipped") ? [name] : [];
  });
}

const LINTER = either(
  "i",
  /lint|format|\bfmt\b|style|prettier|biome|type.?check|\btypes?\b|\btsc\b|pre-commit|static|quality|analy[sz]/,
  /\bruff\b|\bblack\b|flake8|mypy|pyright|clippy|golangci|\bvet\b|spotless|detekt|rubocop|phpstan|psalm|phpcs/,
);

const DONE = "success|ok|passed|green|gate|status|complete|conclusion|result|done|required|summary";

/** Checks that count, gather or format the results of others. */
const GATHERS = either(
  "i",
  new RegExp(`codecov|coverall|coverage|sonar|\\b(?:all|ci|build|tests?)?[ _-]?(?:${DONE})\\b|^required`),
  /commit.?lint|\bdco\b|\bcla\b|title|semantic|changelog|changeset|danger|label/,
);

/** A check that runs no test and fails on the new files alone, or counts the results of others, or was never green. */
function isExcused(
  { name, steps }: RanJob,
  step: RanStep | undefined,
  { ranBefore, files }: { readonly ranBefore: boolean; readonly files: readonly string[] },
): boolean {
  if (step && (step.tests || step.failures.length > 0)) return false;
  if (!ranBefore) return true;
  if (files.length === 0) return false;
  if (GATHERS.test(name) && step?.broken === undefined) return true;
  if (!LINTER.test(name) && !LINTER.test(step?.name ?? "")) return false;
  return steps !== undefined && (step?.lines ?? []).some((line) => files.some((file) => line.includes(file)));
}

/** The last words of a failed job. */
export const endOf = ({ summary }: RanJob, step: RanStep | undefined) =>
  wordsOf((step?.lines ?? []).slice(-14)) || summary.slice(0, 1_000);

export function asFailed(failure: ReportedFailure, check: string, tests: readonly NewTest[]): FailedTest {
  const { name, path, words, suite } = failure;
  const test = suite ? undefined : findTest(tests, { name, path });
  return { name: name.slice(0, 300), check, cause: thrownBy(failure, tests), words, test };
}

/** An error whose stack begins in a source comes from the code under test; one that begins in a test, from the test. */
function thrownBy({ cause, places }: ReportedFailure, tests: readonly NewTest[]): FailedTest["cause"] {
  const [first] = places;
  if (cause !== "error" || first === undefined) return cause;
  return isTestPath(first.replace(/^\//, "")) || tests.some(({ path }) => isSameFile(path, first)) ? "error" : "crash";
}
