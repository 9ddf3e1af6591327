import { checkKey, checkTitle } from "../../model/checks.ts";
import { type CommitResults, type RanJob, type TestsRun, totalOf } from "../../model/test-results.ts";
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
} from "../../model/verdict.ts";
import { comparablePart, whyOtherTests } from "./compare-runs.ts";
import { addedBy, asFailed, endOf, judgeJob, lostNames, type Place, sameStep, stateOn, titleOf } from "./judge-job.ts";
import { findTest } from "./new-tests.ts";

/** What ran on the commits that a question is about. */
export interface Ran {
  readonly base: CommitResults;
  /** the new tests alone */
  readonly red?: CommitResults;
  /** the whole change */
  readonly green?: CommitResults;
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
    const step = failed.steps?.find(({ state }) => state === "failed");
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
): { readonly verdict: ProofVerdict; readonly places: readonly Place[] } {
  const unjudged = red.jobs.map(shown);
  const none = (reason: NoVerdictReason) => ({
    verdict: { kind: "no-verdict" as const, reason, checks: unjudged, ...missingFrom(base, red) },
    places: [],
  });
  const unended = whyUnended(red);
  if (unended) return none(unended);
  const { judged, checks } = judgeNews(base, red, tests, { changed: files, own: files });
  const missing = missingFrom(base, red);
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
  { base, red, green }: Ran & { readonly green: CommitResults },
  tests: readonly NewTest[],
  files: readonly string[],
): ProofVerdict {
  const unjudged = green.jobs.map(shown);
  const missing = missingFrom(base, green);
  const none = (reason: NoVerdictReason): ProofVerdict => ({
    kind: "no-verdict",
    reason,
    checks: unjudged,
    ...missing,
  });
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
      const words = endOf(
        job,
        job.steps?.find(({ state }) => state === "failed"),
      );
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

function shown(job: RanJob): VerifiedCheck {
  const { app, state, url, seconds } = job;
  return {
    name: titleOf(job),
    state,
    app,
    url,
    seconds,
  };
}

/** Names of checks that passed on the base and are missing here, by app, workflow and name. */
function missingFrom(base: CommitResults, { jobs }: CommitResults): { readonly missing?: readonly string[] } {
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

/**
 * The jobs that failed, and not on the base, and all checks. `changed`: all files that differ; `own`: the new tests'.
 */
function judgeNews(
  base: CommitResults,
  now: CommitResults,
  tests: readonly NewTest[],
  { changed, own }: { readonly changed: readonly string[]; readonly own: readonly string[] },
) {
  const news = now.jobs.filter((job) => job.state === "failed" && stateOn(base, job) !== "failed");
  const judged = news.map((job) => ({ job, ...judgeJob(job, { base, now, changed }, tests, own) }));
  const excused = new Set(judged.filter(({ kind }) => kind === "excused").map(({ job }) => job));
  const checks = now.jobs.map((job) => (excused.has(job) ? { ...shown(job), excused: true as const } : shown(job)));
  return { judged, checks };
}

/** The same test in several jobs is one. */
function distinct(tests: readonly FailedTest[]): readonly FailedTest[] {
  const same = (a: FailedTest, b: FailedTest) => a.test === b.test && a.words === b.words && a.check === b.check;
  return tests.filter((one, at) => tests.findIndex((other) => same(one, other)) === at).slice(0, 40);
}

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

/** What ran on two commits, paired by step and by report, where both know of it. */
function pairsOf(
  one: CommitResults,
  other: CommitResults,
): readonly { readonly name: string; readonly before: TestsRun; readonly now: TestsRun }[] {
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

/** Why the tests that ran with the fix are not those that ran without it, now all passed; undefined when they are. */
function whyNotSame(place: Place, green: CommitResults, added: number): NoVerdictReason | undefined {
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

function ranIn(place: Place): RanTests {
  const where =
    "report" in place ? { check: place.report, step: "" } : { check: titleOf(place.job), step: place.step.name };
  const before = comparablePart(place.before, place.tests);
  return { ...where, from: place.tests.from, before: totalOf(before.counts), now: totalOf(place.tests.counts) };
}
