import { checkKey, checkTitle } from "../../data/checks.ts";
import {
  type CommitResults,
  type RanJob,
  type RanStep,
  type ReportedFailure,
  type TestCounts,
  type TestsPart,
  type TestsRun,
  totalOf,
} from "../../data/test-results.ts";
import type {
  FailedTest,
  LostTests,
  NewTest,
  NoVerdictReason,
  OtherReason,
  ProofVerdict,
  Question,
  RanTests,
  VerifiedCheck,
} from "../../data/verdict.ts";
import { isTestPath } from "../../search/classify-file.ts";
import { either } from "../../text/patterns.ts";
import { isSameFile, wordsOf } from "./clean-log.ts";
import { findTest, isCaseOf } from "./new-tests.ts";

/** What ran on the commits that a question is about. */
export interface Ran {
  base: CommitResults;
  /** the new tests alone */
  red?: CommitResults;
  /** the whole change */
  green?: CommitResults;
}

/**
 * Answers a question from what ran on its commits: the same app, workflow, job and step on each, with numbers and names
 * of tests that add up. Pure. In doubt there is no verdict. Only a failure proves something: a check that was
 * cancelled, timed out, was skipped or waits for a person does not, and what was red on the base is no news. `files`:
 * those with the new tests.
 */
export function judge(ran: Ran, question: Question, files: readonly string[]): ProofVerdict {
  const { base, red, green } = withTitles(ran);
  if (question.ask === "base") return judgeBase(base);
  if (question.ask === "red") return judgeRed(base, red ?? base, question.tests, files).verdict;
  return judgeGreen({ base, green: green ?? base, red }, question.tests, files);
}

/** What ran, with titles that distinguish checks of the same name. */
function withTitles({ base, red, green }: Ran): Ran {
  const all = [base, red, green].flatMap((one) => one?.jobs ?? []);
  const titled = (results: CommitResults): CommitResults => ({
    ...results,
    jobs: results.jobs.map((job) => ({ ...job, title: checkTitle(job, all) })),
  });
  return { base: titled(base), red: red && titled(red), green: green && titled(green) };
}

function judgeBase(base: CommitResults): ProofVerdict {
  const checks = base.jobs.map(shown);
  const unended = whyUnended(base);
  if (unended) return { kind: "no-verdict", reason: unended, checks };
  const failed = base.jobs.find(({ state }) => state === "failed");
  if (failed) {
    const [step] = failingSteps(failed);
    const tests = (step?.failures ?? []).map((failure) => asFailed(failure, titleOf(failed), []));
    const [first] = tests;
    const reason: OtherReason = step?.broken?.cause ?? (first ? "another-test" : "unknown");
    return {
      kind: "other-red",
      reason,
      check: titleOf(failed),
      tests,
      words: first?.words ?? endOf(failed, step),
      checks,
    };
  }
  const silent = whySilent(base.jobs, undefined);
  return silent ? { kind: "no-verdict", reason: silent, checks } : { kind: "green", checks };
}

function judgeRed(
  base: CommitResults,
  red: CommitResults,
  tests: readonly NewTest[],
  files: readonly string[],
): { verdict: ProofVerdict; places: readonly RightPlace[] } {
  const unjudged = red.jobs.map(shown);
  const missing = missingFrom(base, red);
  const none = (reason: NoVerdictReason) => ({
    verdict: { kind: "no-verdict" as const, reason, checks: unjudged, ...missing },
    places: [],
  });
  const unended = whyUnended(red);
  if (unended) return none(unended);
  const { judged, checks } = judgeNews(base, red, tests, { changed: files, own: files });
  const other = judged.find((one) => one.kind === "other");
  if (other?.kind === "other") {
    const { reason, words, job } = other;
    return {
      verdict: { kind: "other-red", reason, check: titleOf(job), tests: other.tests, words, checks, ...missing },
      places: [],
    };
  }
  const unreported = judged.find((one) => one.kind === "unreported");
  if (unreported?.kind === "unreported") return none(unreported.reason);
  const right = judged.filter((one) => one.kind === "right");
  if (right.some(({ job }) => lacksTwin(job, base, red))) return none("missing");
  const places = right.map(({ place }) => place);
  if (right.length > 0) {
    const failed = distinct(right.flatMap((one) => one.tests));
    return { verdict: { kind: "right-red", tests: failed, checks, ran: places.map(ranIn), ...missing }, places };
  }
  const silent = whySilent(red.jobs, base);
  if (silent) return none(silent);
  // That nothing fails is not enough: the new test must have run.
  const passed = whyNotSeen(base, red, tests);
  if (passed === undefined) return { verdict: { kind: "not-red", checks, ...missing }, places: [] };
  return none(passed === "unreported" && missing.missing !== undefined ? "missing" : passed);
}

function judgeGreen(
  { base, red, green }: Ran & { green: CommitResults },
  tests: readonly NewTest[],
  files: readonly string[],
): ProofVerdict {
  const unjudged = green.jobs.map(shown);
  const missing = missingFrom(base, green);
  const none = (reason: NoVerdictReason) => ({ kind: "no-verdict" as const, reason, checks: unjudged, ...missing });
  const unended = whyUnended(green);
  if (unended) return none(unended);
  const { judged, checks } = judgeNews(base, green, tests, { changed: files, own: [] });
  const context = { checks, ...missing };
  for (const one of judged) {
    const { job } = one;
    if (one.kind === "other") {
      const { reason, words } = one;
      return { kind: "other-red", reason, check: titleOf(job), tests: one.tests, words, ...context };
    }
    if (one.kind === "unreported" && one.reason === "other-image") return none("other-image");
    if (one.kind === "unreported") {
      const words = endOf(job, failingSteps(job)[0]);
      return { kind: "other-red", reason: "unknown", check: titleOf(job), tests: [], words, ...context };
    }
  }
  const right = judged.flatMap((one) => (one.kind === "right" ? one.tests : []));
  if (right.length > 0) return { kind: "right-red", tests: distinct(right), ...context };
  const silent = whySilent(green.jobs, base);
  if (silent) return none(silent);
  if (!red) return { kind: "green", ...context };
  const { verdict, places } = judgeRed(base, red, tests, files);
  // Somebody may have run them again meanwhile.
  const isRunning = verdict.kind === "no-verdict" && verdict.reason === "running";
  if (places.length === 0) return none(isRunning ? "running" : "rerun");
  if (green.jobs.length > 0 && red.jobs.some((job) => ranOn(base, job) && ranOn(red, job) && !isAmong(green, job)))
    return none("missing");
  const lost = lostTests(base, green);
  const notSame = places.map((place) => whyNotSame(place, green, addedBy(tests))).find((why) => why !== undefined);
  if (lost.length > 0) return { ...none(notSame ?? "lost"), lost };
  if (notSame) return none(notSame);
  return { kind: "green", ...context, ran: places.map(ranIn) };
}

/**
 * The jobs that failed, and not on the base, and all checks. `changed`: all files that differ; `own`: the new tests'.
 */
function judgeNews(
  base: CommitResults,
  now: CommitResults,
  tests: readonly NewTest[],
  { changed, own }: { changed: readonly string[]; own: readonly string[] },
) {
  const news = now.jobs.filter((job) => job.state === "failed" && stateOn(base, job) !== "failed");
  const judged = news.map((job) => ({ job, ...judgeJob(job, { base, now, changed }, tests, own) }));
  const excused = new Set(judged.filter(({ kind }) => kind === "excused").map(({ job }) => job));
  const checks = now.jobs.map((job) => (excused.has(job) ? { ...shown(job), excused: true as const } : shown(job)));
  return { judged, checks };
}

/** Where tests ran: a step of a job, or a report. */
type Place = { tests: TestsRun } & ({ job: RanJob; step: RanStep } | { report: string; workflow: string });

/** Where the new tests were seen to fail, and what ran there on the base. */
type RightPlace = Place & { before: TestsRun };

type Judged =
  | { kind: "right"; tests: readonly FailedTest[]; place: RightPlace }
  | {
      kind: "other";
      reason: OtherReason;
      tests: readonly FailedTest[];
      words: string;
    }
  | { kind: "unreported"; reason: NoVerdictReason }
  | { kind: "excused" };

/** Steps that only repeat the result of another one. */
const HANDS_ON = /report|summar|coverage|upload|publish|annotat|result|comment|notif/i;

/** A job that failed, and not on the base. `changed`: all files that differ; `files`: the new tests', without a fix. */
function judgeJob(
  job: RanJob,
  on: { base: CommitResults; now: CommitResults; changed: readonly string[] },
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

const failingSteps = ({ steps = [] }: RanJob) => steps.filter(({ state }) => state === "failed");

/** Whether the failing steps of a job name one of these files. */
function namesAny(job: RanJob, paths: readonly string[]): boolean {
  return failingSteps(job).some(({ failures, broken, lines }) => {
    const named = failures.flatMap(({ path = "", name, places }) => [path, name, ...places]);
    if (named.some((one) => paths.some((path) => isSameFile(path, one)))) return true;
    const printed = failures.length > 0 ? "" : lines.join("\n");
    const texts = [...failures.map(({ words }) => words), broken?.words ?? "", printed];
    return texts.some((words) => paths.some((path) => words.includes(path)));
  });
}

function judgeFailure(
  job: RanJob,
  { base, now }: { base: CommitResults; now: CommitResults },
  tests: readonly NewTest[],
  files: readonly string[],
): Judged {
  const [step, ...further] = failingSteps(job);
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
  if (steps.length === 0) {
    const hadSteps = twins.some(({ steps: known = [] }) => known.length > 0);
    return { kind: "unreported", reason: hadSteps ? "elsewhere" : "unreported-base" };
  }
  const failed = step.failures.map((failure) => asFailed(failure, titleOf(job), tests));
  return judgeRun(failed, { job, step, tests: step.tests }, steps.find((one) => one.tests)?.tests, tests);
}

/** Judges the right failures by what ran, and what ran in the same place on the base. */
function judgeRun(
  failed: readonly FailedTest[],
  place: Place,
  before: TestsRun | undefined,
  tests: readonly NewTest[],
): Judged {
  if (!before) return { kind: "unreported", reason: "unreported-base" };
  const why = whyNotAdded(before, place.tests, tests);
  return why ? { kind: "unreported", reason: why } : { kind: "right", tests: failed, place: { ...place, before } };
}

/** Compares with a report of the same workflow on the base, if the failed job shows the failure it names. */
function judgeReports(
  job: RanJob,
  step: RanStep,
  { base, now }: { base: CommitResults; now: CommitResults },
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
    return judgeRun(failed, { report: name, workflow, tests: reported }, before, tests);
  }
  return undefined;
}

const lastPart = (name: string) => name.split(/[$%#{]/)[0]?.trim() || name;

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

const addedBy = (tests: readonly NewTest[]) => tests.filter((one) => !one.before && !one.also && !one.loose).length;

const partsOf = ({ parts, format, counts }: TestsRun): readonly TestsPart[] => parts ?? [{ format, counts }];

/**
 * The part of the base's run that can be compared with a run that may have stopped early: Maven and cargo leave out the
 * modules and programs after the one that fails. The whole run unless the other one clearly stopped.
 */
function comparablePart(before: TestsRun, now: TestsRun): TestsRun {
  if (!hasStopped(before, now)) return before;
  const parts = partsOf(before).slice(0, partsOf(now).length);
  const sum = (end: keyof TestCounts) => parts.reduce((total, { counts }) => total + counts[end], 0);
  return {
    ...before,
    format: [...new Set(parts.map(({ format }) => format))].sort().join(" + "),
    counts: { passed: sum("passed"), failed: sum("failed"), skipped: sum("skipped") },
    parts,
    all: undefined,
  };
}

/** Whether a run ends at its first failing part and matches the base's run up to there. */
function hasStopped(before: TestsRun, now: TestsRun): boolean {
  const whole = partsOf(before);
  const begun = partsOf(now);
  if (before.from !== now.from || begun.length >= whole.length) return false;
  return begun.every(({ format, counts }, at) => {
    const known = whole[at];
    if (known?.format !== format || totalOf(counts) < totalOf(known.counts)) return false;
    return at === begun.length - 1 ? counts.failed > 0 : counts.failed === 0;
  });
}

/**
 * Whether each failing part grew by at least as many tests as fail in it, except for `changed` tests, which may keep
 * their names. Parts that are equal in both runs may change places, since packages run side by side.
 */
function growsWhereItFails(before: TestsRun, now: TestsRun, changed: number): boolean {
  const old = [...partsOf(before)];
  const others = partsOf(now).filter((part) => {
    const same = old.findIndex((one) => isSame(one, part));
    if (same >= 0) old.splice(same, 1);
    return same < 0;
  });
  let free = changed;
  return others.every(({ format, counts }, at) => {
    const known = old[at];
    if (counts.failed === 0) return true;
    if (known?.format !== format) return false;
    const beyond = counts.failed - (totalOf(counts) - totalOf(known.counts));
    free -= Math.max(0, beyond);
    return free >= 0;
  });
}

const isSame = (a: TestsPart, b: TestsPart) =>
  a.format === b.format &&
  a.counts.passed === b.counts.passed &&
  a.counts.failed === b.counts.failed &&
  a.counts.skipped === b.counts.skipped;

/** Why nothing shows that the new tests ran and passed without the fix; undefined when something does. */
function whyNotSeen(
  base: CommitResults,
  red: CommitResults,
  tests: readonly NewTest[],
): Extract<NoVerdictReason, "not-run" | "unreported"> | undefined {
  const added = Math.max(1, addedBy(tests));
  const changesOnly = addedBy(tests) === 0;
  let reported = false;
  for (const { before, now } of pairsOf(base, red)) {
    reported = true;
    const more = totalOf(now.counts) - totalOf(before.counts);
    if (now.format !== before.format) continue;
    if (
      now.all &&
      tests.some((test) => [...(now.all ?? [])].some(([name, end]) => end === "passed" && findTest([test], { name })))
    )
      return undefined;
    if (!now.all && !changesOnly && more >= added && now.counts.skipped === before.counts.skipped) return undefined;
  }
  return reported ? "not-run" : "unreported";
}

/** Why the tests that ran with the fix are not those that ran without it, now all passed; undefined when they are. */
function whyNotSame(place: RightPlace, green: CommitResults, added: number): NoVerdictReason | undefined {
  const { before, tests: red } = place;
  const now = "report" in place ? reportOf(place, green) : stepOf(place, green);
  if (typeof now === "string") return now;
  if (red.all && now.all) {
    const notRun = [...red.all].some(([name, end]) => end === "failed" && now.all?.get(name) !== "passed");
    if (notRun) return "not-run";
    if (lostNames(red, now).length > 0) return "lost";
  }
  return whyOtherTests({ before, red, green: now }, added);
}

function reportOf(
  { report, workflow }: Extract<Place, { report: string }>,
  { reports }: CommitResults,
): TestsRun | NoVerdictReason {
  return reports.find((one) => one.workflow === workflow && one.name === report)?.tests ?? "unreported";
}

function stepOf({ job, step }: Extract<Place, { job: RanJob }>, green: CommitResults): TestsRun | NoVerdictReason {
  const twins = green.jobs.filter((one) => checkKey(one) === checkKey(job));
  if (twins.length === 0) return "missing";
  if (twins.some(({ state }) => state !== "passed")) return "elsewhere";
  const steps = twins.map((one) => sameStep(job, step, one));
  if (steps.some((one) => one?.state !== "passed")) return twins.every((one) => one.steps) ? "elsewhere" : "unreported";
  return steps.find((one) => one?.tests)?.tests ?? "unreported";
}

/**
 * Why the run with the fix is not the run without it with all tests passing; undefined if it is. If the run without the
 * fix stopped early, compares the parts it left out with the base: each may have up to `added` more tests.
 */
function whyOtherTests(
  { before, red, green }: { before: TestsRun; red: TestsRun; green: TestsRun },
  added: number,
): NoVerdictReason | undefined {
  if (green.from !== red.from || green.counts.failed > 0) return "counts";
  if (!hasStopped(before, red)) {
    if (green.format !== red.format) return "counts";
    if (green.counts.skipped > red.counts.skipped) return "not-run";
    return totalOf(green.counts) === totalOf(red.counts) ? undefined : "counts";
  }
  const begun = partsOf(red);
  const whole = partsOf(before);
  const now = partsOf(green);
  if (now.length !== whole.length) return now.length < whole.length ? "lost" : "counts";
  for (const [at, { format, counts }] of now.entries()) {
    const known = begun[at] ?? whole[at];
    if (known?.format !== format) return "counts";
    if (counts.skipped > known.counts.skipped) return "not-run";
    const more = totalOf(counts) - totalOf(known.counts);
    if (more < 0 || more > (at < begun.length ? 0 : added)) return "counts";
  }
  return undefined;
}

const MAX_LOST = 20;

/** The tests that ran on one commit and do not run on another, place by place, whatever the files say. */
export function lostTests(base: CommitResults, head: CommitResults): readonly LostTests[] {
  return pairsOf(base, head).flatMap(({ name, before, now }) => {
    if (before.format !== now.format) return [];
    const names = lostNames(before, now);
    const ran = ({ counts }: TestsRun) => counts.passed + counts.failed;
    if (names.length === 0 && ran(now) >= ran(before)) return [];
    return [{ check: name, before: ran(before), now: ran(now), names: names.slice(0, MAX_LOST) }];
  });
}

function lostNames({ all: before }: TestsRun, { all: now }: TestsRun): readonly string[] {
  if (!before || !now) return [];
  return [...before].flatMap(([name, end]) => {
    const ended = now.get(name);
    return end !== "skipped" && (ended === undefined || ended === "skipped") ? [name] : [];
  });
}

/** What ran on two commits, paired by step and by report, where both know of it. */
function pairsOf(
  one: CommitResults,
  other: CommitResults,
): readonly { name: string; before: TestsRun; now: TestsRun }[] {
  const reports = other.reports.flatMap(({ workflow, name, tests: now }) => {
    const before = one.reports.find((report) => report.workflow === workflow && report.name === name)?.tests;
    return before ? [{ name, before, now }] : [];
  });
  const steps = other.jobs.flatMap((job) =>
    (job.steps ?? []).flatMap((step) => {
      const twin = one.jobs.find((known) => checkKey(known) === checkKey(job) && sameStep(job, step, known)?.tests);
      const before = twin && sameStep(job, step, twin)?.tests;
      return before && step.tests ? [{ name: titleOf(job), before, now: step.tests }] : [];
    }),
  );
  return [...reports, ...steps];
}

/** The step of that name in another run of the job; of several with one name, the one in the same place. */
function sameStep(job: RanJob, step: RanStep, other: RanJob): RanStep | undefined {
  const at = (job.steps ?? []).filter(({ name }) => name === step.name).indexOf(step);
  return (other.steps ?? []).filter(({ name }) => name === step.name)[at];
}

function whyUnended({ jobs, unfinished }: CommitResults): NoVerdictReason | undefined {
  const pending = jobs.filter(({ state }) => state === "pending");
  const waits = pending.find(({ because }) => because === "not-allowed") ?? pending[0];
  if (waits?.because && pending.every(({ because }) => because !== undefined)) return waits.because;
  return waits || unfinished ? "running" : undefined;
}

/** Why checks without a failure do not prove that all is well; undefined when they do. */
function whySilent(jobs: readonly RanJob[], base: CommitResults | undefined): NoVerdictReason | undefined {
  if (jobs.length === 0) return "none";
  const stopped = jobs.find(({ because }) => because && because !== "skipped");
  if (stopped) return stopped.because;
  const passedBefore = (job: RanJob) => !base || stateOn(base, job) === "passed";
  if (base && jobs.some((job) => job.because === "skipped" && passedBefore(job))) return "skipped";
  if (jobs.some((job) => job.state === "passed" && passedBefore(job))) return undefined;
  return jobs.some(({ because }) => because === "skipped") ? "skipped" : "none";
}

/** Names of checks that passed on the base and are missing here, by app, workflow and name. */
function missingFrom(base: CommitResults, { jobs }: CommitResults): { missing?: readonly string[] } {
  const there = new Set(jobs.map(checkKey));
  const missing = base.jobs.filter((job) => job.state === "passed" && !there.has(checkKey(job))).map(titleOf);
  return missing.length === 0 ? {} : { missing: [...new Set(missing)] };
}

const isAmong = ({ jobs }: CommitResults, job: RanJob) => jobs.some((one) => checkKey(one) === checkKey(job));

const ranOn = (commit: CommitResults, job: RanJob) => ["passed", "failed"].includes(stateOn(commit, job) ?? "");

/** Whether another job of the same matrix passed on the base and is missing now. */
function lacksTwin(job: RanJob, base: CommitResults, now: CommitResults): boolean {
  const matrixOf = (one: RanJob) => checkKey({ ...one, name: one.name.replace(/ \(.*\)$/, "") });
  const twins = base.jobs.filter((one) => one.state === "passed" && matrixOf(one) === matrixOf(job));
  return twins.some((one) => !isAmong(now, one));
}

/** The worst result of the same job on another commit. */
function stateOn({ jobs }: CommitResults, job: RanJob): RanJob["state"] | undefined {
  const states = jobs.filter((one) => checkKey(one) === checkKey(job)).map(({ state }) => state);
  return (["failed", "pending", "passed", "neutral"] as const).find((state) => states.includes(state));
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
  { ranBefore, files }: { ranBefore: boolean; files: readonly string[] },
): boolean {
  if (step && (step.tests || step.failures.length > 0)) return false;
  if (!ranBefore) return true;
  if (files.length === 0) return false;
  if (GATHERS.test(name) && step?.broken === undefined) return true;
  if (!LINTER.test(name) && !LINTER.test(step?.name ?? "")) return false;
  return steps !== undefined && (step?.lines ?? []).some((line) => files.some((file) => line.includes(file)));
}

function shown(job: RanJob): VerifiedCheck {
  const { app, state, url, seconds } = job;
  return { name: titleOf(job), state, app, url, seconds };
}

function ranIn(place: RightPlace): RanTests {
  const where =
    "report" in place ? { check: place.report, step: "" } : { check: titleOf(place.job), step: place.step.name };
  const before = comparablePart(place.before, place.tests);
  return { ...where, from: place.tests.from, before: totalOf(before.counts), now: totalOf(place.tests.counts) };
}

/** The same test in several jobs is one. */
function distinct(tests: readonly FailedTest[]): readonly FailedTest[] {
  const same = (a: FailedTest, b: FailedTest) => a.test === b.test && a.words === b.words && a.check === b.check;
  return tests.filter((one, at) => tests.findIndex((other) => same(one, other)) === at).slice(0, 40);
}

/** A job's name for people. */
const titleOf = ({ title, name }: RanJob): string => title ?? name;

/** The last words of a failed job. */
const endOf = ({ summary }: RanJob, step: RanStep | undefined) =>
  wordsOf((step?.lines ?? []).slice(-14)) || summary.slice(0, 1_000);

function asFailed(failure: ReportedFailure, check: string, tests: readonly NewTest[]): FailedTest {
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
